#include "clock/peer_clock.hpp"

namespace fray {

namespace {

constexpr std::uint32_t kHalf = PeerClock::kEnough / 2;
constexpr Duration kMostAge{8s};  // an older sample counts only if there is none that is newer
constexpr Duration kAging{15s};   // a sample counts as if its round trip grew by 1 ms per kAging

/// Of two samples the one with the shorter round trip, aged by the time between them.
const ClockSample& better(const ClockSample& earlier, const ClockSample& later) {
    return earlier.rtt + (later.at - earlier.at) / (kAging / 1ms) < later.rtt ? earlier : later;
}

}  // namespace

void PeerClock::add(const ClockSample& sample) {
    if (exchanges_ % kHalf == 0) former_ = current_;
    const bool is_first = exchanges_ % kHalf == 0 || sample.at - current_.at > kMostAge;
    current_ = is_first ? sample : better(current_, sample);
    ++exchanges_;
}

std::optional<ClockSample> PeerClock::best(Instant since) const {
    if (exchanges_ == 0 || current_.at < since) return std::nullopt;
    const bool has_former = exchanges_ > kHalf && current_.at - former_.at <= kMostAge;
    return has_former ? better(former_, current_) : current_;
}

}  // namespace fray
