#pragma once
// A battle over real UDP: the player's own peer in this thread, and bots, each a peer with a socket of its
// own, in another one.

#include <fray/udp_peer.hpp>

#include "games/panzer/bots/nav_mesh.hpp"
#include "games/panzer/client/watched_game.hpp"
#include "games/panzer/match/match_options.hpp"
#include "games/panzer/match/pilot.hpp"
#include "games/panzer/match/screen_recording.hpp"
#include "games/panzer/match/udp_match.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace fray::panzer::client {

struct LiveOptions {
    MatchOptions match;
    std::string name = "Player";
    std::uint32_t bots = 15;
    std::uint16_t port = 0;
    bool is_open = false;  ///< other machines can join; false: this machine alone
    std::string join{};    ///< address of a battle to join; empty: begins one
    std::string record{};  ///< file for what the screen shows; empty: none
    /// The number of this player, instead of a free one.
    std::optional<std::uint32_t> seat{};
    UdpConditions conditions{};  ///< of every socket of this program, at the start
    bool bot_takes_over = true;  ///< while nobody touches a key
};

/// A person presses the keys, or, while no key is touched, a bot does.
class PersonPilot final : public Pilot {
public:
    PersonPilot(const Map& map, const NavQuery& query) : bot_{{.level = kLevels}, map, query} {}
    void set(const Input& input, bool is_idle) {
        input_ = input;
        is_idle_ = is_idle;
    }
    [[nodiscard]] Input play(const Battle& screen, std::uint16_t own) override {
        return is_idle_ ? bot_.play(screen, own) : input_;
    }

private:
    BotPilot bot_;
    Input input_{};
    bool is_idle_ = false;
};

class LiveBattle {
public:
    /// Map, field and mesh must outlive the battle. Returns an error that a player understands.
    [[nodiscard]] static Result<std::unique_ptr<LiveBattle>> open(const Battlefield& field,
                                                                  const NavMesh& mesh,
                                                                  const LiveOptions& options);
    ~LiveBattle();
    LiveBattle(const LiveBattle&) = delete;
    LiveBattle& operator=(const LiveBattle&) = delete;

    /// Sends and receives, and runs the game; never waits. Call it at least once per frame.
    void pump(const Input& input, bool is_idle);
    [[nodiscard]] WatchedGame& game() { return *game_; }
    [[nodiscard]] Address address() const { return peer_->local_address(); }
    /// Why this battle cannot go on; empty: it can.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    /// A tank of its own, and known to the others.
    [[nodiscard]] bool has_joined() const { return game_->latest().own_tank() != nullptr; }
    /// The moment to show now, between the last two that the network tick has made.
    void show_now(Moment& moment) const;
    // For experiments, while the battle goes on. The bots of this program follow within a tenth of a second.
    /// Of the own peer and of the bots' peers.
    void tune(const Tuning& tuning);
    /// Of the own tank and of the bots' tanks.
    void set_consistency(const Consistency& consistency);
    /// Of the own socket only.
    void set_conditions(const UdpConditions& conditions) { peer_->set_conditions(conditions); }

    [[nodiscard]] std::uint32_t bots() const { return bots_.joinable() ? options_.bots : 0; }
    [[nodiscard]] const MatchOptions& match() const { return options_.match; }

    /// Says goodbye. Returns an error if a recording cannot be written.
    Result<void> leave();

private:
    LiveBattle(const Battlefield& field, const NavMesh& mesh, const LiveOptions& options);
    Result<void> open_seat();
    void start_bots();
    void find_trouble(Instant now);
    void try_other_number();

    const Battlefield* field_;
    const NavMesh* mesh_;
    LiveOptions options_;
    NavQuery query_;
    TankGuide guide_;
    PersonPilot pilot_;
    std::unique_ptr<ScreenRecorder> recorder_;
    std::optional<UdpPeer> peer_;
    std::unique_ptr<WatchedGame> game_;
    std::uint32_t number_ = 0;
    int attempts_ = 0;
    std::uint64_t seen_frames_ = 0;
    Instant opened_at_{};
    Instant now_{};
    Instant ticked_at_{};
    bool had_links_ = false;
    std::optional<Instant> alone_since_;
    bool has_left_ = false;
    std::string failure_;
    /// What the bots' peers are to change next.
    struct BotOrders {
        std::optional<Tuning> tuning{};
        std::optional<Consistency> consistency{};
    };
    void follow_orders(UdpMatch& crowd);
    std::mutex bots_mutex_;
    std::string bots_failure_;
    BotOrders bot_orders_;
    std::jthread bots_;  // ends before what it uses
};

/// The most players that a battle of this kind has room for on the map, at most 64.
[[nodiscard]] std::uint32_t seats_of(const Map& map, MatchOptions match);

}  // namespace fray::panzer::client
