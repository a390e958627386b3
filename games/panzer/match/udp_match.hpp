#pragma once
// Players of a match over real UDP sockets, several in one process if wanted.

#include <fray/udp_peer.hpp>

#include "games/panzer/match/player_game.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fray::panzer {

class UdpMatch {
public:
    struct Place {
        std::uint16_t port = 0;                  ///< of the first player; 0: any free port
        std::string bind_address = "127.0.0.1";  ///< as UdpOptions
        std::string join{};  ///< address of a peer of the match; empty: this process begins it
    };
    /// Opens a socket per player. Everything must outlive the match.
    [[nodiscard]] static Result<UdpMatch> open(const Battlefield& field, const NavMesh& mesh,
                                               const MatchOptions& match, std::vector<PlayerOptions> players,
                                               const Place& place, ScreenRecorder* recorder = nullptr);
    UdpMatch(UdpMatch&&) noexcept;
    UdpMatch& operator=(UdpMatch&&) noexcept;
    ~UdpMatch();

    /// Where others can join.
    [[nodiscard]] Address address() const;
    /// Plays to the end, then leaves. `progress` is called several times a second with the share that is
    /// done, and stops the match by returning false. Returns an error if the join was refused.
    Result<void> run(const std::function<bool(double)>& progress);
    [[nodiscard]] std::vector<MatchReport> reports() const;

    // While it runs, only from `progress`: of all players of this process.
    void tune(const Tuning& tuning);
    void set_conditions(const UdpConditions& conditions);
    void set_consistency(const Consistency& consistency);

private:
    struct Seat;
    UdpMatch();
    std::unique_ptr<NavQuery> query_;
    std::unique_ptr<TankGuide> guide_;
    std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace fray::panzer
