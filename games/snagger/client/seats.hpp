#pragma once
// The players of this program in a game of Snagger over UDP: both of them at one keyboard, each with a peer
// of its own, or one of them, and the other in another program.

#include <fray/udp_peer.hpp>

#include "games/snagger/match/snag_game.hpp"
#include "games/snagger/pilot/pilot.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fray::snagger::client {

enum class SeatKind : std::uint8_t { keyboard, host, join };

struct SeatOptions {
    SeatKind kind = SeatKind::keyboard;
    std::uint16_t port = 0;  ///< to host at
    std::string address{};   ///< to join
    Seed seed{1};
    Choice choice{};
    UdpConditions conditions{};
};

class Seats {
public:
    /// Returns an error that a player understands.
    [[nodiscard]] static Result<std::unique_ptr<Seats>> open(const SeatOptions& options);
    ~Seats();
    Seats(const Seats&) = delete;
    Seats& operator=(const Seats&) = delete;

    /// What the player of this ship presses; while it is idle, a pilot flies.
    void press(std::size_t ship, const Input& keys, bool is_idle);
    /// Sends, receives and runs the games; never waits. Call it at least once per frame.
    void pump();

    [[nodiscard]] std::size_t count() const { return seats_.size(); }
    /// In the order of the ships.
    [[nodiscard]] SnagGame& game(std::size_t i) { return *seats_[i]->game; }
    /// Added to the way between the two players, in each direction. The other player is told.
    void set_conditions(const UdpConditions& conditions);
    [[nodiscard]] const UdpConditions& conditions() const { return conditions_; }
    [[nodiscard]] std::uint16_t port() const { return seats_.front()->peer.local_address().port; }
    /// Why the game cannot go on; empty: it can.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    struct Seat {
        Seat(UdpPeer opened, const SnagOptions& options);
        UdpPeer peer;
        Pilot pilot;
        Input keys{};
        bool is_idle = true;
        std::unique_ptr<SnagGame> game;
    };
    explicit Seats(const SeatOptions& options) : options_{options} {}
    Result<void> add_seat(std::size_t ship);
    Result<void> join(const std::string& address);
    void find_trouble();

    SeatOptions options_;
    UdpConditions conditions_;
    std::vector<std::unique_ptr<Seat>> seats_;
    std::string failure_;
};

}  // namespace fray::snagger::client
