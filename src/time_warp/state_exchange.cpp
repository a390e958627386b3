#include "time_warp/state_exchange.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kAskAgain{5s};
constexpr Duration kVotePatience{3s};

}  // namespace

void StateExchange::ask(Instant now, const PeerId& from, Tick tick, bool exact) {
    const auto hash = exact ? votes_.hash_of(from, tick) : std::nullopt;
    receiver_.ask({from, tick, exact, hash, now});
    out_.note(from, {.kind = StreamNote::Kind::wanted, .tick = tick, .flag = exact});
}

void StateExchange::tend(Instant now) {
    if (roster_.is_member()) {
        vote(now);
        ask_again(now);
    }
    if (auto piece = sender_.next()) out_.note(piece->first, std::move(piece->second));
}

/// Another member is asked if no piece of the state has come for a while. A large state takes longer.
void StateExchange::ask_again(Instant now) {
    const auto& wish = receiver_.wish();
    if (!wish || now - wish->progressed < kAskAgain) return;
    if (wish->exact) return receiver_.stop();  // the next checkpoint shows whether it is still needed
    const auto& others = roster_.others();
    auto next = others.upper_bound(wish->from);
    for (std::size_t i = 0; i < others.size(); ++i, ++next) {
        if (next == others.end()) next = others.begin();
        if (next->second.is_active() && next->second.linked) return ask(now, next->first, wish->tick, false);
    }
}

void StateExchange::take_wanted(const PeerId& from, const StreamNote& note) {
    const StreamMember* member = roster_.find(from);
    if (member != nullptr && member->is_active()) out_.event(StateAsked{from, note.tick, note.flag});
}

void StateExchange::offer(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes) {
    sender_.add(to, tick, std::move(bytes));
}

void StateExchange::take_piece(Instant now, const PeerId& from, const StreamNote& note) {
    const StateReceiver::Taken taken = receiver_.add(now, from, note);
    if (taken == StateReceiver::Taken::refused) ++counts_.bad_states;
    if (taken == StateReceiver::Taken::complete) out_.event(StateArrived{from, note.tick, receiver_.take()});
}

void StateExchange::set_own_hash(Instant now, Tick tick, std::uint64_t hash) {
    votes_.set_own(roster_.self(), tick, hash, now);
}

void StateExchange::write_hash(StreamPacket& packet) const {
    const std::optional<Tick> newest = votes_.newest_of(roster_.self());
    if (!newest || *newest > packet.through) return;
    packet.hash_at = *newest;
    packet.hash = votes_.hash_of(roster_.self(), *newest).value_or(0);
}

void StateExchange::vote(Instant now) {
    if (receiver_.wish()) return;  // a repair is under way
    const auto lost = votes_.lost_by(roster_.self(), roster_.voters(), now, kVotePatience);
    if (!lost) return;
    ++counts_.divergences;
    out_.event(StateDiffers{lost->tick, lost->oldest});
    ask(now, lost->oldest, lost->tick, true);
}

void StateExchange::report_desync(Tick tick, std::vector<std::uint8_t> text) {
    text.resize(std::min(text.size(), kMostGreetingBytes));
    out_.event(DesyncReport{roster_.self(), tick, text});
    for (const auto& [peer, member] : roster_.others()) {
        if (!member.is_active()) continue;
        StreamNote report{.kind = StreamNote::Kind::desync, .tick = tick};
        report.bytes = text;
        out_.note(peer, std::move(report));
    }
}

void StateExchange::forget_all() {
    votes_.forget();
    receiver_.stop();
}

}  // namespace fray
