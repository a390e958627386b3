#include "games/panzer/match/match_game.hpp"

#include "games/panzer/match/judge.hpp"
#include "games/panzer/match/network_meter.hpp"
#include "games/panzer/match/pilot.hpp"
#include "games/panzer/match/scorekeeper.hpp"
#include "games/panzer/match/screen.hpp"
#include "games/panzer/match/screen_recording.hpp"
#include "games/panzer/match/things.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace fray::panzer {

namespace {

constexpr Duration kSettle{1s};        // after the end: decisions that are under way arrive
constexpr Duration kLinger{1500ms};    // after the last final card: others may need ours once more
constexpr Duration kMostClosing{12s};  // longer than a link timeout, after which a crashed player is gone
constexpr int kCheatedSpeed = 3;
/// A shell that is fired farther away (metres) cannot hurt a tank here, and its shooter is out of sight.
constexpr float kShellMatters = kShellSpeed * kShellLife * kStep + kBlastRadius + kTankRadius;

BotOptions seeded(const MatchOptions& match, const PlayerOptions& player) {
    BotOptions options = player.bot;
    options.seed = derive(match.seed, "bot", player.number);
    return options;
}

std::uint32_t steps_since(SessionInstant then, SessionInstant now) {
    const std::int64_t late = std::max<std::int64_t>(0, micros(now - then));
    return static_cast<std::uint32_t>(std::min<std::int64_t>(late * kStepsPerSecond / 1'000'000, kShellLife));
}

}  // namespace

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

private:
    [[nodiscard]] bool has_things() const { return match_.overlay == OverlayName::mesh; }
    [[nodiscard]] bool is_closing(const Commands& peer) const {
        return ends_at_ && peer.session_time() >= *ends_at_;
    }
    void set_end(SessionInstant end);

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
    BotPilot pilot_;

    EntityId tank_{};
    Input input_{};
    bool is_waiting_ = true;  // its tank enters when it knows who is there
    std::optional<SessionInstant> ends_at_;
    std::optional<Refused> refused_;
    std::set<RequestId> open_requests_;
    std::uint64_t hits_claimed_ = 0;
    std::uint64_t hits_refused_ = 0;
    std::set<PeerId> seen_;
    std::optional<SessionInstant> complete_since_;
    bool is_finished_ = false;
    bool is_over_ = false;
    double progress_ = 0;
};

MatchGame::Parts::Parts(const Battlefield& field, const NavQuery& query, const MatchOptions& match,
                        const PlayerOptions& player, ScreenRecorder* recorder)
    : field_{&field},
      match_{match},
      player_{player},
      recorder_{recorder},
      screen_{field, PeerId::from_number(player.number + std::uint64_t{1}), match.mode,
              derive(match.seed, "player", player.number)},
      rules_{field.map()},
      judge_{field, screen_.watch()},
      things_{field, judge_},
      score_{PeerId::from_number(player.number + std::uint64_t{1}), player.name, match},
      pilot_{seeded(match, player), field.map(), query} {
    Tank& tank = screen_.own();
    const auto& spawns = field.map().spawns;
    const std::size_t most = std::max<std::size_t>(match.players, 1);
    tank.position = spawns[player.number * spawns.size() / most % spawns.size()].position;
    if (match.mode == Mode::teams) tank.team = static_cast<std::uint8_t>(1 + player.number % 2);
}

void MatchGame::Parts::set_end(SessionInstant end) {
    ends_at_ = end;
    judge_.set_end(end);
}

void MatchGame::Parts::start(Commands& peer) {
    tank_ = peer.publish(state_of_tank(screen_.own(), input_, kTankType)).value();
    if (!player_.begins) return;
    is_waiting_ = false;
    set_end(peer.session_time() + match_.length);
    if (has_things()) things_.publish(peer, match_.mode, match_.seed);
}

// --- a frame: three steps of the rules ---

void MatchGame::Parts::frame(Commands& peer) {
    take_replicas(peer);
    if (has_things()) things_.show_owned(peer, screen_);
    if (is_waiting_) screen_.own().respawn_wait = kStepsPerTick + 1;
    for (std::uint32_t i = 0; i < kStepsPerTick; ++i) step(peer);
    (void)peer.update(tank_, state_of_tank(screen_.own(), input_, kTankType));
    if (is_closing(peer)) close(peer);
    score_.frame(peer, own_record());
    record(peer);
}

void MatchGame::Parts::take_replicas(Commands& peer) {
    const SessionInstant now = peer.session_time();
    const bool is_measured = !is_waiting_ && !is_closing(peer);
    const std::span<const Replica> replicas = peer.replicas();  // computed anew by every call
    screen_.take_replicas(replicas);
    if (has_things()) things_.take_replicas(replicas, now, screen_);
    if (!is_measured) return;
    meter_.frame(peer, replicas, screen_.own().position);
    for (std::uint16_t slot = 1; slot < screen_.players(); ++slot) {
        if (screen_.entity_of(slot)) seen_.insert(screen_.player_of(slot));
    }
    if (ends_at_) progress_ = std::clamp(1 - seconds(*ends_at_ - now) / seconds(match_.length), 0.0, 1.0);
}

void MatchGame::Parts::step(Commands& peer) {
    input_ = is_closing(peer) ? Input{.aim = screen_.own().turret} : pilot_.play(screen_.battle(), kOwnTank);
    if (player_.cheat != Cheat::none && !is_closing(peer)) cheat(peer, input_);
    rules_.step_own(screen_.battle(), kOwnTank, input_,
                    has_things() ? ThingsAre::elsewhere : ThingsAre::here);
    handle_happenings(peer);
    carry_flag();
}

void MatchGame::Parts::cheat(Commands& peer, Input& input) {
    Tank& own = screen_.own();
    if (!own.alive()) return;
    if (player_.cheat == Cheat::speed) {
        for (int i = 1; i < kCheatedSpeed; ++i) drive(field_->ground(), own, input);
    }
    if (player_.cheat == Cheat::fire) {
        input.gun = true;
        own.gun_wait = 0;
    }
    if (player_.cheat != Cheat::walls || screen_.battle().step % kGunSteps != 0) return;
    for (std::uint16_t slot = 1; slot < screen_.players(); ++slot) {
        const Tank& target = screen_.battle().tanks[slot];
        if (target.alive()) claim_hit(peer, slot, angle_of(target.position - own.position));
    }
}

void MatchGame::Parts::handle_happenings(Commands& peer) {
    using Kind = Happening::Kind;
    for (const Happening& happening : rules_.happenings()) {
        switch (happening.kind) {
            case Kind::shot:
                if (happening.other != kNone) claim_hit(peer, happening.other, screen_.own().turret);
                break;
            case Kind::launch:
                announce_launch(peer, happening);
                break;
            case Kind::death:
                // By a shell: the shooter does not know yet. Of a shot it hears in the answer to its claim.
                if (happening.tank != kOwnTank)
                    (void)peer.send(Note{.kind = Note::Kind::struck},
                                    Audience::only(screen_.player_of(happening.tank)));
                break;
            case Kind::at_item:
            case Kind::at_door:
            case Kind::at_flag:
                if (is_closing(peer)) break;
                if (const auto request = things_.ask(peer, tank_, happening)) open_requests_.insert(*request);
                break;
            default:
                break;
        }
    }
}

void MatchGame::Parts::claim_hit(Commands& peer, std::uint16_t target, Angle aim) {
    const Tank& own = screen_.own();
    const Tank& other = screen_.battle().tanks[target];
    const auto entity = screen_.entity_of(target);
    if (!entity || (own.team != 0 && own.team == other.team)) return;
    const auto request = peer.interact(tank_, *entity, ShotClaim{peer.session_time(), own.position, aim});
    if (!request) return;
    ++hits_claimed_;
    open_requests_.insert(*request);
}

void MatchGame::Parts::announce_launch(Commands& peer, const Happening& happening) {
    const Launch launch{peer.session_time(), happening.at, screen_.own().turret};
    (void)peer.send(Note{.kind = Note::Kind::launch, .launch = launch});
}

/// The carrier gets a point per second.
void MatchGame::Parts::carry_flag() {
    Flag& flag = screen_.battle().flag;
    if (match_.mode != Mode::flag || flag.carrier != kOwnTank || !screen_.own().alive()) {
        flag.held = 0;
        return;
    }
    if (++flag.held < kStepsPerSecond) return;
    flag.held = 0;
    ++own_record().score;
}

void MatchGame::Parts::record(const Commands& peer) {
    if (recorder_ == nullptr || !ends_at_ || score_.is_final()) return;
    std::vector<std::string> names;
    for (std::uint16_t slot = 0; slot < screen_.players(); ++slot) {
        const Card* card = score_.standings().find(screen_.player_of(slot));
        names.push_back(card == nullptr ? std::string{} : card->name);
        if (card != nullptr && slot != kOwnTank) screen_.battle().records[slot] = card->record;
    }
    recorder_->add(peer.session_time() - (*ends_at_ - match_.length), screen_.battle(), names);
}

// --- the end ---

void MatchGame::Parts::close(Commands& peer) {
    progress_ = 1;
    const SessionInstant now = peer.session_time();
    const Duration since = now - *ends_at_;
    if (since < kSettle) return;
    if (!score_.is_final() && (open_requests_.empty() || since > kMostClosing / 2))
        score_.finish(peer, own_record());
    const bool is_complete = has_things() ? score_.has_final(peer.peers())
                                          : score_.is_final() && score_.finals() >= match_.players;
    if (!is_complete) complete_since_.reset();
    if (is_complete && !complete_since_) complete_since_ = now;
    is_finished_ = is_complete || (!has_things() && score_.has_final(peer.peers()));
    is_over_ = is_over_ || since > kMostClosing || (complete_since_ && now - *complete_since_ > kLinger);
}

MatchReport MatchGame::Parts::report() const {
    MatchReport report;
    report.player = screen_.player_of(kOwnTank);
    report.standings = score_.standings();
    // With pSense only final cards reach every player.
    if (!has_things()) report.standings.keep_final();
    report.network = meter_.report();
    report.players_seen = static_cast<std::uint32_t>(seen_.size());
    report.hits_claimed = hits_claimed_;
    report.hits_refused = hits_refused_;
    report.refused = judge_.refused();
    report.impossible_moves = screen_.watch().impossible_moves();
    report.taken_over = things_.taken_over();
    report.doors_opened = things_.doors_opened();
    report.flags_taken = things_.flags_taken();
    report.finished = is_finished_;
    return report;
}

// --- events ---

void MatchGame::Parts::event(Commands& peer, const Event& event) {
    std::visit([&](const auto& one) { handle(peer, one); }, event);
}

void MatchGame::Parts::greet(Commands& peer, const Audience& audience, std::vector<Card> cards) {
    Note note{.kind = ends_at_ ? Note::Kind::greeting : Note::Kind::cards,
              .ends_at = ends_at_.value_or(SessionInstant{}),
              .cards = std::move(cards)};
    (void)peer.send(note, audience);
}

void MatchGame::Parts::handle(Commands& peer, const PeerJoined& joined) {
    greet(peer, Audience::only(joined.peer), score_.cards_for(joined.peer));
}

void MatchGame::Parts::handle(Commands& peer, const Asked& asked) {
    if (asked.target == tank_)
        judge_shot(peer, asked);
    else
        things_.asked(peer, asked, screen_);
}

void MatchGame::Parts::judge_shot(Commands& peer, const Asked& asked) {
    const auto claim = asked.as<ShotClaim>();
    const std::uint16_t shooter = screen_.slot_of(asked.request.asker);
    const Vec2 then{asked.then.pose.position.x, asked.then.pose.position.y};
    const Refusal refusal = claim ? judge_.shot(peer.session_time(), shooter, *claim, screen_.own(), then)
                                  : judge_.count(Refusal::malformed);
    if (refusal != Refusal::none) {
        (void)peer.answer(asked.request, ShotReply{refusal, false});
        return;
    }
    const std::int16_t damage = gun_damage(screen_.watch().find(shooter)->tank);
    Tank after = screen_.own();
    take_damage(after, damage);
    if (!peer.answer(asked.request, ShotReply{Refusal::none, !after.alive()})) return;
    rules_.hit_own(screen_.battle(), shooter, kOwnTank, damage);
}

void MatchGame::Parts::handle(Commands&, const Answered& answered) {
    open_requests_.erase(answered.request);
    if (things_.knows(answered.target)) {
        if (const auto item = things_.answered(answered))
            rules_.give_own(screen_.battle(), kOwnTank, item->number, item->kind);
        return;
    }
    const auto reply = answered.as<ShotReply>();
    if (!reply) return;
    if (reply->refusal != Refusal::none) {
        ++hits_refused_;
        return;
    }
    Record& record = own_record();
    ++record.hits;
    if (!reply->destroyed) return;
    ++record.kills;
    ++record.score;
}

void MatchGame::Parts::handle(Commands& peer, const Message& message) {
    const auto note = message.as<Note>();
    if (!note) return;
    switch (note->kind) {
        case Note::Kind::greeting: {
            const Duration left = note->ends_at - peer.session_time();
            const bool is_news = !ends_at_ && left <= kMostMatch && left > -kMostClosing;
            if (is_news) set_end(note->ends_at);
            // With pSense a neighbour may be linked with no other peer that knows it.
            if (is_news && !has_things()) greet(peer, Audience::everyone(), {});
            score_.take(peer, message.from, note->cards);
            break;
        }
        case Note::Kind::cards:
            score_.take(peer, message.from, note->cards);
            break;
        case Note::Kind::launch:
            take_launch(peer, message.from, note->launch);
            break;
        case Note::Kind::struck:
            if (own_record().shells == 0) break;  // it cannot be true
            ++own_record().kills;
            ++own_record().score;
            break;
    }
}

void MatchGame::Parts::take_launch(Commands& peer, const PeerId& from, const Launch& launch) {
    const std::uint16_t shooter = screen_.slot_of(from);
    const SessionInstant now = peer.session_time();
    if (square_length(launch.from - screen_.own().position) > kShellMatters * kShellMatters) return;
    if (judge_.launch(now, shooter, launch) != Refusal::none) return;
    const Shell shell{shooter, kShellLife, launch.from, direction(launch.aim) * kShellSpeed};
    rules_.add_shell(screen_.battle(), shell, steps_since(launch.at, now), kOwnTank);
    handle_happenings(peer);
}

// --- MatchGame ---

MatchGame::MatchGame(const Battlefield& field, const NavQuery& query, const MatchOptions& match,
                     const PlayerOptions& player, ScreenRecorder* recorder)
    : parts_{std::make_unique<Parts>(field, query, match, player, recorder)} {}
MatchGame::~MatchGame() = default;

void MatchGame::started(Commands& peer) { parts_->start(peer); }
void MatchGame::frame(Commands& peer) { parts_->frame(peer); }
void MatchGame::event(Commands& peer, const Event& event) { parts_->event(peer, event); }
bool MatchGame::is_over() const { return parts_->is_over(); }
double MatchGame::progress() const { return parts_->progress(); }
const std::optional<Refused>& MatchGame::refused() const { return parts_->refused(); }
MatchReport MatchGame::report() const { return parts_->report(); }
const Battle& MatchGame::screen() const { return parts_->screen(); }

}  // namespace fray::panzer
