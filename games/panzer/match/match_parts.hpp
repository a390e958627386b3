#pragma once
// What MatchGame is made of. The parts own their state; this class runs them in order, once per frame and for
// each event.

#include "games/panzer/match/judge.hpp"
#include "games/panzer/match/match_game.hpp"
#include "games/panzer/match/network_meter.hpp"
#include "games/panzer/match/pilot.hpp"
#include "games/panzer/match/scorekeeper.hpp"
#include "games/panzer/match/screen.hpp"
#include "games/panzer/match/things.hpp"
#include "games/panzer/rules/rules.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace fray::panzer {

/// Longer than a link timeout, after which a crashed player is gone.
inline constexpr Duration kMostClosing{12s};

class MatchGame::Parts {
public:
    Parts(const Battlefield& field, const NavQuery& query, const MatchOptions& match,
          const PlayerOptions& player, ScreenRecorder* recorder);

    void start(Commands& peer);
    void frame(Commands& peer);
    void event(Commands& peer, const Event& event);
    [[nodiscard]] bool is_over() const { return is_over_; }
    [[nodiscard]] double progress() const { return progress_; }
    [[nodiscard]] const std::optional<Refused>& refused() const { return refused_; }
    [[nodiscard]] const Battle& screen() const { return screen_.battle(); }
    [[nodiscard]] MatchReport report() const;
    void list_seats(std::vector<Seat>& seats) const;

private:
    [[nodiscard]] bool has_things() const { return match_.overlay == OverlayName::mesh; }
    [[nodiscard]] bool is_closing(const Commands& peer) const {
        return ends_at_ && peer.session_time() >= *ends_at_;
    }
    void set_end(SessionInstant end);

    /// Of our tank, as others get it.
    [[nodiscard]] State own_state();
    void take_replicas(Commands& peer);
    void step(Commands& peer);
    void cheat(Commands& peer, Input& input);
    void handle_happenings(Commands& peer);
    void claim_hit(Commands& peer, std::uint16_t target, Angle aim);
    void announce_launch(Commands& peer, const Happening& happening);
    void carry_flag();
    void close(Commands& peer);
    void record(const Commands& peer);

    void handle(Commands& peer, const JoinCompleted&) { (void)peer, is_waiting_ = false; }
    void handle(Commands&, const Refused& refused) { refused_ = refused; }
    void handle(Commands& peer, const PeerJoined& joined);
    void handle(Commands& peer, const Asked& asked);
    void handle(Commands& peer, const Answered& answered);
    void handle(Commands& peer, const Message& message);
    void handle(Commands& peer, const Acquired& acquired) { things_.acquired(acquired, !is_closing(peer)); }
    void handle(Commands&, const Relinquished& relinquished) { things_.relinquished(relinquished); }
    template <class Other>
    void handle(Commands&, const Other&) {}
    void judge_shot(Commands& peer, const Asked& asked);
    void take_credit(const Commands& peer, const PeerId& from);
    void take_launch(Commands& peer, const PeerId& from, const Launch& launch);
    void greet(Commands& peer, const Audience& audience, std::vector<Card> cards);

    Record& own_record() { return screen_.battle().records[kOwnTank]; }

    const Battlefield* field_;
    MatchOptions match_;
    PlayerOptions player_;
    ScreenRecorder* recorder_;
    Screen screen_;
    Rules rules_;
    Judge judge_;
    Things things_;
    Scorekeeper score_;
    NetworkMeter meter_;
    BotPilot bot_;
    Pilot* pilot_;  // the bot, or the one of PlayerOptions

    EntityId tank_{};
    Input input_{};
    std::uint8_t shots_ = 0;  // that our gun fired, modulo 256
    bool is_waiting_ = true;  // its tank enters when the join is completed
    std::optional<SessionInstant> ends_at_;
    std::optional<Refused> refused_;
    std::set<RequestId> open_requests_;
    std::uint64_t hits_claimed_ = 0;
    std::uint64_t hits_refused_ = 0;
    std::map<std::uint16_t, Instant> struck_;  // when a player last said that our shell destroyed its tank
    std::set<PeerId> seen_;
    std::optional<SessionInstant> complete_since_;
    bool is_finished_ = false;
    bool is_over_ = false;
    double progress_ = 0;
};

}  // namespace fray::panzer
