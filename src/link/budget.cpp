#include "link/budget.hpp"

#include <algorithm>

namespace fray {

UploadBudget UploadBudget::rate(std::uint32_t kbps) {
    UploadBudget budget;
    (void)budget.change_rate(kbps);
    return budget;
}

bool UploadBudget::change_rate(std::uint32_t kbps) {
    if (kind_ == Kind::round || bytes_per_second_ == kbps * 125) return false;
    kind_ = kbps == 0 ? Kind::unlimited : Kind::rate;
    bytes_per_second_ = kbps * 125;
    const std::uint32_t one_datagram = kMaxDatagram + kUdpIpv4Bytes;
    window_limit_ = std::max(bytes_per_second_ / 10, one_datagram);
    second_limit_ = bytes_per_second_ + one_datagram;
    return true;
}

UploadBudget UploadBudget::per_round(std::uint32_t bytes) {
    UploadBudget budget;
    budget.kind_ = Kind::round;
    budget.round_limit_ = bytes;
    budget.round_left_ = bytes;
    return budget;
}

void UploadBudget::advance_to(Instant now) {
    if (!started_) {
        started_ = true;
        credited_ = now;
        credit_micro_bytes_ = std::int64_t{window_limit_} * 1'000'000;
    }
    window_.advance(now);
    second_.advance(now);
    constexpr Duration kLongest{1s};  // a longer time fills the credit anyway and could overflow
    credit_micro_bytes_ += micros(std::clamp(now - credited_, Duration{0}, kLongest)) * bytes_per_second_;
    credit_micro_bytes_ = std::min(credit_micro_bytes_, std::int64_t{window_limit_} * 1'000'000);
    credited_ = now;
}

void UploadBudget::begin_round() { round_left_ = round_limit_; }

std::size_t UploadBudget::frame_bytes(Instant now, Duration frame) {
    if (kind_ == Kind::unlimited) return SIZE_MAX;
    if (kind_ == Kind::round) return round_left_;
    advance(now);
    const std::int64_t credit = credit_micro_bytes_ + micros(frame) * bytes_per_second_;
    return static_cast<std::size_t>(std::max<std::int64_t>(0, credit) / 1'000'000);
}

std::size_t UploadBudget::usual_bytes(Duration frame) const {
    if (kind_ == Kind::unlimited) return SIZE_MAX;
    if (kind_ == Kind::round) return round_limit_;
    return static_cast<std::size_t>(micros(frame) * bytes_per_second_ / 1'000'000);
}

Instant UploadBudget::next_chance(Instant now, std::size_t bytes) {
    if (kind_ == Kind::round) return kNever;
    if (allows(now, bytes)) return now;
    Duration wait{0};
    if (credit_micro_bytes_ <= 0) wait = Duration{-credit_micro_bytes_ / std::max(1U, bytes_per_second_) + 1};
    const auto room = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(limit - std::min<std::size_t>(bytes, limit));
    };
    // A datagram longer than a window's limit may leave only while the window is empty.
    wait = std::max({wait, window_.until(now, room(window_limit_)), second_.until(now, room(second_limit_))});
    return now + std::max(wait, Duration{1});
}

}  // namespace fray
