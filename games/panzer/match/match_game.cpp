#include "games/panzer/match/match_game.hpp"

#include "games/panzer/match/match_parts.hpp"
#include "games/panzer/match/screen_recording.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fray::panzer {

namespace {

constexpr Duration kSettle{1s};      // after the end: decisions that are under way arrive
constexpr Duration kLinger{1500ms};  // after the last final card: others may need ours once more
constexpr int kCheatedSpeed = 3;

BotOptions seeded(const MatchOptions& match, const PlayerOptions& player) {
    BotOptions options = player.bot;
    options.seed = derive(match.seed, "bot", player.number);
    return options;
}

}  // namespace

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
      things_{field, judge_, match.mode, match.seed},
      score_{PeerId::from_number(player.number + std::uint64_t{1}), player.name, match},
      bot_{seeded(match, player), field.map(), query},
      pilot_{player.pilot != nullptr ? player.pilot : &bot_} {
    Tank& tank = screen_.own();
    const auto& spawns = field.map().spawns;
    const std::size_t most = std::max<std::size_t>(match.players, 1);
    tank.position = spawns[player.number * spawns.size() / most % spawns.size()].position;
    if (match.mode == Mode::teams) tank.team = static_cast<std::uint8_t>(1 + player.number % 2);
}

void MatchGame::Parts::set_end(SessionInstant end) {
    ends_at_ = end;
    judge_.set_end(end);
    score_.set_start(end - match_.length);
}

void MatchGame::Parts::start(Commands& peer) {
    tank_ = peer.publish(own_state()).value();
    if (!player_.begins) return;
    is_waiting_ = false;
    set_end(peer.session_time() + match_.length);
    if (has_things()) things_.publish(peer);
}

State MatchGame::Parts::own_state() {
    if (match_.guidance) return counted_state_of_tank(screen_.own(), input_, shots_, kTankType);
    return state_of_tank(screen_.own(), input_, kTankType);
}

// --- a frame: three steps of the rules ---

void MatchGame::Parts::frame(Commands& peer) {
    take_replicas(peer);
    if (has_things() && !is_waiting_ && !is_closing(peer)) things_.maintain(peer, screen_);
    if (is_waiting_) screen_.own().respawn_wait = kStepsPerTick + 1;
    for (std::uint32_t i = 0; i < kStepsPerTick; ++i) step(peer);
    (void)peer.update(tank_, own_state());
    // The player looks along the gun.
    if (match_.interest == InterestName::focus)
        (void)peer.set_attention({.look = Look{.yaw = in_degrees(screen_.own().turret)}});
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
    input_ = is_closing(peer) ? Input{.aim = screen_.own().turret} : pilot_->play(screen_.battle(), kOwnTank);
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
                ++shots_;
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

void MatchGame::Parts::list_seats(std::vector<Seat>& seats) const {
    seats.resize(screen_.players());
    for (std::uint16_t slot = 0; slot < screen_.players(); ++slot) {
        Seat& seat = seats[slot];
        seat.player = screen_.player_of(slot);
        const Card* card = score_.standings().find(seat.player);
        seat.name = card == nullptr ? std::string{} : card->name;
        seat.record = card == nullptr ? Record{} : card->record;
    }
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
    report.created = things_.created();
    report.doors_opened = things_.doors_opened();
    report.flags_taken = things_.flags_taken();
    report.finished = is_finished_;
    return report;
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
void MatchGame::list_seats(std::vector<Seat>& seats) const { parts_->list_seats(seats); }

}  // namespace fray::panzer
