// The part of the streams that carries whole states, and compares them.

#include "time_warp/stream_log.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kAskAgain{5s};
constexpr Duration kVotePatience{3s};

}  // namespace

void StreamLog::ask_state(const PeerId& from, Tick tick, bool exact) {
    const auto hash = exact ? votes_.hash_of(from, tick) : std::nullopt;
    receiver_.ask({from, tick, exact, hash, now_});
    note(from, {.kind = StreamNote::Kind::wanted, .tick = tick, .flag = exact});
}

/// Another member is asked if the state does not come.
void StreamLog::ask_again() {
    const auto& wish = receiver_.wish();
    if (!wish || now_ - wish->asked_at < kAskAgain || !is_member_) return;
    if (wish->exact) return receiver_.stop();  // the next checkpoint shows whether it is still needed
    auto next = members_.upper_bound(wish->from);
    for (std::size_t i = 0; i <= members_.size(); ++i, ++next) {
        if (next == members_.end()) next = members_.begin();
        if (next != members_.end() && next->second.is_active() && next->second.linked)
            return ask_state(next->first, wish->tick, false);
    }
}

void StreamLog::take_wanted(const PeerId& from, const StreamNote& note) {
    const Member* member = find(from);
    if (!is_member_ || member == nullptr || !member->is_active()) return;
    events_.push_back(StateAsked{from, note.tick, note.flag});
}

void StreamLog::offer_state(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes) {
    sender_.add(to, tick, std::move(bytes));
}

void StreamLog::take_piece(const PeerId& from, const StreamNote& note) {
    const StateReceiver::Taken taken = receiver_.add(from, note);
    if (taken == StateReceiver::Taken::refused) ++counts_.bad_states;
    if (taken != StateReceiver::Taken::complete) return;
    events_.push_back(StateArrived{from, note.tick, receiver_.take()});
}

// --- hashes ---

void StreamLog::set_hash(Instant now, Tick tick, std::uint64_t hash) {
    if (tick % options_.checkpoint == 0 && tick <= horizon_) votes_.set_own(self_, tick, hash, now);
}

void StreamLog::take_hash(const PeerId& from, Tick tick, std::uint64_t hash) {
    if (tick % options_.checkpoint == 0) votes_.set(from, tick, hash);
}

void StreamLog::vote() {
    if (receiver_.wish()) return;  // a repair is under way
    std::vector<CheckpointVotes::Voter> voters;
    if (seat_ != kNoSeat) voters.push_back({self_, since_});
    for (const auto& [peer, member] : members_) {
        if (member.is_active() && !member.watches()) voters.push_back({peer, member.since});
    }
    const auto lost = votes_.lost_by(self_, voters, now_, kVotePatience);
    if (!lost) return;
    ++counts_.divergences;
    events_.push_back(StateDiffers{lost->tick, lost->oldest});
    ask_state(lost->oldest, lost->tick, true);
}

void StreamLog::report_desync(Tick tick, std::vector<std::uint8_t> text) {
    text.resize(std::min(text.size(), kMostGreetingBytes));
    events_.push_back(DesyncReport{self_, tick, text});
    for (const auto& [peer, member] : members_) {
        if (!member.is_active()) continue;
        StreamNote report{.kind = StreamNote::Kind::desync, .tick = tick};
        report.bytes = text;
        note(peer, std::move(report));
    }
}

}  // namespace fray
