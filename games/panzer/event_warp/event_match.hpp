#pragma once
// Panzer in event mode, as Panzer Battalion was built: every peer simulates the whole battle by Time Warp
// (EventBattle), and sends a message when its player's input changes. One player's peer, as a Game.
//
// A frame: the inner queue executes, and saves, what is due: it is asynchronous with the render loop (3.2).
// At the end of a pass of that loop, the outer queue, which is synchronous with it, is emptied into the
// middle queue, and from there into the inner one; the pilot presses keys; the own tank is driven by the
// rules at once; what has changed is sent. Runs over Peer messages and the session clock. Players that join
// late, are lost, and come back are the matter of EventWarp.

#include <fray/game.hpp>
#include <fray/time_warp/event_warp.hpp>

#include "games/panzer/bots/bot.hpp"
#include "games/panzer/bots/nav_mesh.hpp"
#include "games/panzer/event_warp/event_battle.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace fray::panzer {

struct EventMatchOptions {
    std::uint32_t players = 2;
    Duration length{300s};
    /// Of the middle queue. Several: each for an equal part of the match.
    std::vector<Duration> lags{Duration{}};
    enum class Behaviour : std::uint8_t {
        adapting,   ///< players move less as the lag grows (Table 3)
        unchanged,  ///< always as without lag
        free,       ///< as bots like
    };
    Behaviour behaviour = Behaviour::adapting;
    BotOptions bot{};  ///< of every player; seed and dynamic share are set by the match
    /// Mean length of a pass of the render loop, and the largest error of a peer's clock. Both are fitted to
    /// the lateness at lag 0 (Figure 7): over 50 % of the rollbacks below 50 ms, nearly 90 % below 100 ms.
    Duration render_pass{20ms};
    Duration clock_error{10ms};
    Duration ignored_lateness{};
    // What the paper leaves open, and the counts depend on. The lab measures the effect of each.
    /// The turret is told if the others see it this wrong, in degrees: where it has come to rest, and on its
    /// way. Every move and shot tells it as well.
    float told_angle = 10;
    float told_turning = 45;
    bool late_by_state = true;  ///< TimeWarpOptions
    bool keys_first = false;    ///< in a frame, keys are read before the outer queue is emptied, not after
    /// The last players, this many, join at half-time.
    std::uint32_t late_joiners = 0;
    /// The lag of each peer changes every second, between 0 and the lag of the phase.
    bool lag_changes = false;
    bool keeps_lines = false;  ///< for an EventOracle
    Seed seed{};
};

inline constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventMessage::kLastKind) + 1;

/// What one peer measured during a match.
struct EventReport {
    struct Phase {  ///< of one lag
        std::uint64_t living_frames = 0;
        std::uint64_t dynamic_frames = 0;  ///< of them, with a key of motion held down
        std::uint64_t rollbacks = 0;
    };
    std::vector<Phase> phases;  ///< by EventMatchOptions::lags
    TimeWarpCounts counts;
    std::vector<Rollback> rollbacks;
    std::uint64_t visible_rollbacks = 0;  ///< frames with a rollback in which a tank jumped (JumpMeter)
    std::uint64_t jumps = 0;              ///< of tanks, also without a rollback
    std::uint64_t deaths_shown = 0;
    std::uint64_t reversed_deaths = 0;              ///< of them, taken back (ShownDeaths)
    std::array<std::uint64_t, kEventKinds> sent{};  ///< by EventMessage::Kind
    std::uint64_t sent_moving = 0;    ///< of the player's own, while the tank moved or a key was held
    std::uint64_t sent_standing = 0;  ///< otherwise
    std::uint64_t moving_frames = 0;
    std::uint64_t frames = 0;
    double upload_kbps = 0;        ///< headers included
    std::uint64_t desyncs = 0;     ///< checkpoints at which this peer's state was not that of the others
    std::vector<EventTank> tanks;  ///< at the end of the match; empty if that is not final
};

class EventMatch final : public Game {
public:
    /// number: from 0. founds: begins the match when the others are there that do not join late; one player
    /// does. Field and query must outlive the game.
    EventMatch(const Battlefield& field, const NavQuery& query, const EventMatchOptions& options,
               std::uint32_t number, bool founds);
    ~EventMatch() override;

    void started(Commands& peer) override;
    void frame(Commands& peer) override;
    void event(Commands& peer, const Event& event) override;

    /// The match has ended, and its end is final.
    [[nodiscard]] bool is_over() const;
    [[nodiscard]] double progress() const;
    [[nodiscard]] EventReport report() const;
    /// nullptr until the match has begun.
    [[nodiscard]] EventWarp<EventBattle>* match() const;

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

/// The battle before any player has entered.
[[nodiscard]] EventBattle event_battle(const Battlefield& field, const EventMatchOptions& options);
/// The peer of this player.
[[nodiscard]] PeerOptions event_peer_options(const Battlefield& field, std::uint32_t number);

}  // namespace fray::panzer
