// The part of a match that responds to events: other players' claims, decisions and notes.

#include "games/panzer/match/match_parts.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace fray::panzer {

namespace {

/// A shell that is fired farther away (metres) cannot hurt a tank here, and its shooter is out of sight.
constexpr float kShellMatters = kShellSpeed * kShellLife * kStep + kBlastRadius + kTankRadius;

constexpr Duration kMostAhead{5s};               // of the end that a greeting names
constexpr Duration kLeastBetweenDeaths{2500ms};  // the respawn time, less what the network may shift

std::uint32_t steps_since(SessionInstant then, SessionInstant now) {
    const std::int64_t late = std::max<std::int64_t>(0, micros(now - then));
    return static_cast<std::uint32_t>(std::min<std::int64_t>(late * kStepsPerSecond / 1'000'000, kShellLife));
}

}  // namespace

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
    else {
        if (const auto news = peer.peer().replica(peer.now(), asked.by)) screen_.see(*news);
        things_.asked(peer, asked, screen_);
    }
}

/// A guide drives what is updated seldom. It errs by what a tank can drive meanwhile; nobody decides more.
float MatchGame::Parts::shown_aside(const Commands& peer, const PeerId& asker) {
    constexpr Duration kMostGap{1500ms};
    const Stats stats = peer.peer().stats();
    const auto link = std::ranges::find(stats.links, asker, &LinkStats::peer);
    if (link == stats.links.end() || stats.focus.best_effort_gap == Duration{}) return 0;
    const Duration gap = std::min(stats.focus.best_effort_gap, kMostGap);
    return 2 * kTankRadius + (link->in_focus ? 0 : kTopSpeed * static_cast<float>(seconds(gap)));
}

void MatchGame::Parts::judge_shot(Commands& peer, const Asked& asked) {
    const auto claim = asked.as<ShotClaim>();
    if (const auto news = peer.peer().replica(peer.now(), asked.by)) screen_.see(*news);
    const std::uint16_t shooter = screen_.slot_of(asked.request.asker);
    const Vec2 then{asked.then.pose.position.x, asked.then.pose.position.y};
    const Refusal refusal = claim ? judge_.shot(peer.session_time(), shooter, *claim, screen_.own(),
                                                {then, shown_aside(peer, asked.request.asker)})
                                  : judge_.count(Refusal::malformed);
    if (refusal != Refusal::none) {
        (void)peer.answer(asked.request, ShotReply{refusal, false});
        return;
    }
    const std::int16_t damage = gun_damage(screen_.watch().find(shooter)->tank);
    Tank after = screen_.own();
    take_damage(after, damage);
    // That it hit is what the shooter expects: no more than that is said. That it destroyed is news.
    const auto answered = after.alive() ? peer.answer(asked.request, std::span<const std::uint8_t>{})
                                        : peer.answer(asked.request, ShotReply{Refusal::none, true});
    if (!answered) return;
    rules_.hit_own(screen_.battle(), shooter, kOwnTank, damage);
}

void MatchGame::Parts::handle(Commands&, const Answered& answered) {
    open_requests_.erase(answered.request);
    if (things_.has_asked(answered.request)) {
        if (const auto item = things_.answered(answered))
            rules_.give_own(screen_.battle(), kOwnTank, item->number, item->kind);
        return;
    }
    const bool is_as_expected = answered.answered && answered.bytes.empty();
    const auto reply = is_as_expected ? ShotReply{} : answered.as<ShotReply>();
    if (!reply) return;
    if (reply->refusal != Refusal::none) {
        ++hits_refused_;
        return;
    }
    Record& record = own_record();
    ++record.hits;
    if (!reply->destroyed) return;
    ++record.kills;
    record.score += match_.points_for(answered.target.owner);
}

void MatchGame::Parts::handle(Commands& peer, const Message& message) {
    const auto note = message.as<Note>();
    if (!note) return;
    switch (note->kind) {
        case Note::Kind::greeting: {
            const Duration left = note->ends_at - peer.session_time();
            const bool is_news = !ends_at_ && left <= match_.length + kMostAhead && left > -kMostClosing;
            if (is_news) set_end(note->ends_at);
            // A neighbour may be linked with no other peer that knows it.
            if (is_news) greet(peer, Audience::everyone(), {});
            score_.take(peer, message.from, note->cards);
            break;
        }
        case Note::Kind::cards:
            score_.take(peer, message.from, note->cards);
            break;
        case Note::Kind::score:
            score_.take_score(peer, message.from, note->score);
            break;
        case Note::Kind::launch:
            take_launch(peer, message.from, note->launch);
            break;
        case Note::Kind::struck:
            take_credit(peer, message.from);
            break;
    }
}

/// A tank that was destroyed cannot be destroyed again before it has entered.
void MatchGame::Parts::take_credit(const Commands& peer, const PeerId& from) {
    const std::uint16_t slot = screen_.slot_of(from);
    if (slot == kNone || own_record().shells == 0) return;
    const auto last = struck_.find(slot);
    if (last != struck_.end() && peer.now() - last->second < kLeastBetweenDeaths) return;
    struck_[slot] = peer.now();
    ++own_record().kills;
    own_record().score += match_.points_for(from);
}

void MatchGame::Parts::take_launch(Commands& peer, const PeerId& from, const Launch& launch) {
    const std::uint16_t shooter = screen_.slot_of(from);
    const SessionInstant now = peer.session_time();
    if (square_length(launch.from - screen_.own().position) > kShellMatters * kShellMatters) return;
    // The screen does not show where it comes from.
    if (screen_.watch().find(shooter) != nullptr && !judge_.has_seen(shooter, launch.at)) return;
    if (judge_.launch(now, shooter, launch) != Refusal::none) return;
    const Shell shell{shooter, kShellLife, launch.from, direction(launch.aim) * kShellSpeed};
    rules_.add_shell(screen_.battle(), shell, steps_since(launch.at, now), kOwnTank);
    handle_happenings(peer);
}

}  // namespace fray::panzer
