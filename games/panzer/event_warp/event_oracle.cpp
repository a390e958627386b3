#include "games/panzer/event_warp/event_oracle.hpp"

namespace fray::panzer {

namespace {
constexpr Tick kDoubtful = 300;
}

void EventOracle::see(const PeerId& peer, std::uint64_t stay, EventWarp<EventBattle>& match) {
    if (match.game() == nullptr) return;
    times_ = *match.times();
    Own& own = own_[peer];
    if (own.stay != stay) own = {stay, {}};
    for (StreamLine& line : match.take_final_lines()) {
        if (line.author == peer && line.kind == StreamLine::Kind::game)
            own.lines.push_back(std::move(line));
        else
            gather(line);
    }
    for (; !own.lines.empty() && own.lines.front().tick + kDoubtful < match.streams().horizon();
         own.lines.pop_front())
        gather(own.lines.front());
    const auto newest = match.checkpoints().newest();
    if (newest) states_[{*newest, peer}] = *match.checkpoints().find(*newest);
}

void EventOracle::gather(const StreamLine& line) {
    using Warp = EventWarp<EventBattle>;
    if (line.seat == kNoSeat) return;
    if (line.kind != StreamLine::Kind::game) {
        const bool enters = line.kind == StreamLine::Kind::enter;
        messages_.try_emplace(stamp_of_seat(times_, line),
                              enters ? EventBattle::enter(line.seat) : EventBattle::leave(line.seat));
        return;
    }
    const auto said = value_of<Warp::Line>(line.bytes);
    if (!said || said->kind == Warp::Line::Kind::executed) return;
    const Stamp stamp = stamp_of(times_, line, *said);
    if (said->kind == Warp::Line::Kind::null) {
        voided_.insert(stamp);
        return;
    }
    EventMessage message = said->message;
    EventBattle::set_seat(message, line.seat);
    messages_.try_emplace(stamp, message);
}

void EventOracle::execute_before(SessionInstant time) {
    for (; next_ != messages_.end() && next_->first < first_at(time); ++next_)
        (void)battle_.execute(next_->first, next_->second);
}

EventOracle::Verdict EventOracle::judge(SessionInstant end) {
    Verdict verdict;
    verdict.messages = messages_.size();
    verdict.voided = voided_.size();
    for (const Stamp& stamp : voided_) messages_.erase(stamp);
    next_ = messages_.begin();
    for (const auto& [at, state] : states_) {
        const auto& [tick, peer] = at;
        const SessionInstant time = times_.begin_of(tick);
        if (time > end) break;
        execute_before(time);
        ++verdict.compared;
        const auto theirs = value_of<EventWarp<EventBattle>::WholeState>(state);
        if (theirs && theirs->state == battle_.save()) continue;
        if (verdict.different++ == 0)
            verdict.first = "tick " + std::to_string(tick) + ", peer " + to_string(peer);
    }
    execute_before(end);
    verdict.last = battle_.save();
    for (const EventTank& tank : verdict.last) {
        verdict.hits += tank.hits;
        verdict.deaths += tank.deaths;
    }
    return verdict;
}

}  // namespace fray::panzer
