#include "link/joining.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMaxKnown = 32;
constexpr Duration kOneAddress{2s};  // before a silent address is given up for another one
constexpr Duration kFirstBackOff{100ms};
constexpr unsigned kMostDoublings = 5;

bool is_permanent(Reason reason) {
    return reason == Reason::version_mismatch || reason == Reason::world_mismatch ||
           reason == Reason::overlay_mismatch || reason == Reason::own_id;
}

}  // namespace

void Joining::begin(Instant now, const Address& address) {
    known_.assign(1, {address});
    current_ = 0;
    link_ = kNoLink;
    since_ = now;
    call_again_at_ = now;
    failures_ = 0;
    again_ = false;
}

void Joining::begin_again(Instant now, Duration pause) {
    if (known_.empty()) return;
    for (Known& known : known_) known.is_useless = false;
    move_on();
    link_ = kNoLink;
    since_ = now;
    call_again_at_ = known_.size() > 1 ? now : now + pause;
    failures_ = 0;
    again_ = true;
}

void Joining::end() {
    since_.reset();
    link_ = kNoLink;
}

void Joining::learn(std::span<const Address> addresses) {
    for (const Address& address : addresses) {
        if (known_.empty() || known_.size() >= kMaxKnown) return;
        if (std::ranges::find(known_, address, &Known::address) == known_.end()) known_.push_back({address});
    }
}

std::optional<Address> Joining::next_call(Instant now) const {
    if (!since_ || link_ != kNoLink || now < call_again_at_) return std::nullopt;
    return known_[current_].address;
}

void Joining::called(Instant now, LinkNumber link) {
    link_ = link;
    called_at_ = now;
    timed_ = false;
}

bool Joining::should_move_on(Instant now) const {
    return since_ && link_ != kNoLink && known_.size() > 1 && now - called_at_ > kOneAddress;
}

std::optional<Reason> Joining::fail(Instant now, Reason reason) {
    link_ = kNoLink;
    // An address that we only learnt may be of another session by now, or our own.
    if (is_permanent(reason) && current_ == 0) return reason;
    const bool answered = reason == Reason::full || reason == Reason::busy;
    if (answered) since_ = now;
    if (answered || reason == Reason::left)
        call_again_at_ = now + kFirstBackOff * (1U << std::min(failures_++, kMostDoublings));
    if (reason == Reason::full || is_permanent(reason)) known_[current_].is_useless = true;
    if (std::ranges::all_of(known_, &Known::is_useless)) return Reason::full;
    move_on();
    return is_hopeless(now) ? std::optional{Reason::timed_out} : std::nullopt;
}

void Joining::move_on() {
    do {
        current_ = (current_ + 1) % known_.size();
    } while (known_[current_].is_useless);
}

std::optional<Instant> Joining::hello_sent(std::uint8_t attempt, std::uint8_t next_attempt) const {
    const unsigned age = next_attempt - attempt;
    if (age == 0 || age > kHelloTimes) return std::nullopt;
    return hello_sent_[attempt % kHelloTimes];
}

bool Joining::take_time() { return !std::exchange(timed_, true); }

}  // namespace fray
