#include "link/budget.hpp"

#include <algorithm>

namespace fray {

UploadBudget UploadBudget::rate(std::uint32_t kbps) {
    UploadBudget budget;
    budget.kind_ = Kind::rate;
    budget.bytes_per_second_ = kbps * 125;
    const std::uint32_t one_datagram = kMaxDatagram + kUdpIpv4Bytes;
    budget.window_limit_ = std::max(budget.bytes_per_second_ / 10, one_datagram);
    return budget;
}

UploadBudget UploadBudget::per_round(std::uint32_t bytes) {
    UploadBudget budget;
    budget.kind_ = Kind::round;
    budget.round_limit_ = bytes;
    budget.round_left_ = bytes;
    return budget;
}

std::uint64_t UploadBudget::slot_of(Instant now) const {
    const std::int64_t t = micros(now.time_since_epoch());
    // Local clocks may be negative; flooring division keeps slots in order.
    const std::int64_t slot = t >= 0 ? t / kSlotMicros : -((-t + kSlotMicros - 1) / kSlotMicros);
    return static_cast<std::uint64_t>(slot + (std::int64_t{1} << 60));
}

void UploadBudget::advance(Instant now) {
    if (started_ && now == credited_) return;
    const std::uint64_t slot = slot_of(now);
    if (!started_) {
        started_ = true;
        newest_slot_ = slot;
        credited_ = now;
        credit_micro_bytes_ = std::int64_t{window_limit_} * 1'000'000;
    }
    for (std::size_t i = 0; newest_slot_ < slot && i < kSlots; ++i) {
        std::uint32_t& reused = slots_[++newest_slot_ % kSlots];
        in_window_ -= reused;
        reused = 0;
    }
    newest_slot_ = slot;
    constexpr Duration kLongest{1s};  // longer fills the credit anyway, and must not overflow
    credit_micro_bytes_ += micros(std::min(now - credited_, kLongest)) * bytes_per_second_;
    credit_micro_bytes_ = std::min(credit_micro_bytes_, std::int64_t{window_limit_} * 1'000'000);
    credited_ = now;
}

bool UploadBudget::allows(Instant now, std::size_t bytes) {
    if (kind_ == Kind::unlimited) return true;
    if (kind_ == Kind::round) return bytes <= round_left_;
    advance(now);
    return credit_micro_bytes_ > 0 && (in_window_ == 0 || in_window_ + bytes <= window_limit_);
}

void UploadBudget::spend(Instant now, std::size_t bytes) {
    if (kind_ == Kind::unlimited) return;
    if (kind_ == Kind::round) {
        round_left_ -= static_cast<std::uint32_t>(std::min<std::size_t>(bytes, round_left_));
        return;
    }
    advance(now);
    slots_[newest_slot_ % kSlots] += static_cast<std::uint32_t>(bytes);
    in_window_ += static_cast<std::uint32_t>(bytes);
    credit_micro_bytes_ -= static_cast<std::int64_t>(bytes) * 1'000'000;
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
    std::size_t in_window = in_window_;
    for (std::size_t age = kSlots; age-- > 0 && in_window != 0 && in_window + bytes > window_limit_;) {
        const std::uint64_t slot = newest_slot_ - age;
        in_window -= slots_[slot % kSlots];
        const auto leaves = static_cast<std::int64_t>(slot + kSlots) - (std::int64_t{1} << 60);
        wait = std::max(wait, Instant{Duration{leaves * kSlotMicros}} - now);
    }
    return now + std::max(wait, Duration{1});
}

}  // namespace fray
