#include "link/send_window.hpp"

#include <algorithm>
#include <bit>

namespace fray {

namespace {

constexpr std::size_t kFirstCapacity = 16;
constexpr double kLossWeight = 1.0 / 32;
constexpr std::uint64_t kAckable = (std::uint64_t{1} << (kAckBits + 1)) - 1;

std::uint32_t low_micros(Instant t) { return static_cast<std::uint32_t>(micros(t.time_since_epoch())); }

/// All bits at and above the n-th.
std::uint64_t from_bit(unsigned n) { return n >= 64 ? 0 : ~std::uint64_t{0} << n; }

}  // namespace

void SendWindow::sent(Instant now, const SentRecord& record) {
    const auto unacked = static_cast<std::uint16_t>(next_ - newest_acked_);
    // Those that newer ones may still show to be lost are needed then: what they carried is sent again.
    const std::size_t unjudged = unacked + std::size_t{kReorderTolerance};
    if (ring_.empty() || (unjudged >= ring_.size() && ring_.size() < kMaxInFlight)) grow();
    ring_[next_ & (ring_.size() - 1)] = record;
    ring_[next_ & (ring_.size() - 1)].sent_us = low_micros(now);
    held_ = std::min(held_ + 1, ring_.size());
    if (++next_ == 0) wrapped_ = true;
}

void SendWindow::grow() {
    const std::size_t old_size = ring_.size();
    std::vector<SentRecord> wider(std::max(kFirstCapacity, old_size * 2));
    for (std::size_t i = 1; i <= old_size; ++i) {
        const auto sequence = static_cast<std::uint16_t>(next_ - i);
        wider[sequence & (wider.size() - 1)] = ring_[sequence & (old_size - 1)];
    }
    ring_ = std::move(wider);
}

std::optional<Fates> SendWindow::acknowledge(Instant now, const AckHeader& ack) {
    if (!wrapped_ && ack.newest >= next_) return std::nullopt;
    const SentRecord* newest = record(ack.newest);
    if (newest == nullptr) return Fates{.newest = newest_acked_};  // too old: no longer recorded
    std::uint64_t acked = (std::uint64_t{ack.earlier} << 1U) | 1U;
    const auto ahead = static_cast<std::int16_t>(ack.newest - newest_acked_);
    if (any_acked_ && ahead < 0) {  // an acknowledgement overtaken by a newer one
        if (-ahead >= 64) return Fates{.newest = newest_acked_};
        acked = (acked & kAckable) << static_cast<unsigned>(-ahead);
    } else {
        const unsigned shift = any_acked_ ? static_cast<unsigned>(ahead) : 64;
        acked_ = shift >= 64 ? 0 : acked_ << shift;
        given_up_ = shift >= 64 ? 0 : given_up_ << shift;
        newest_acked_ = ack.newest;
        any_acked_ = true;
        if (shift != 0 && ack.delay_known) {
            const std::uint32_t away = low_micros(now) - newest->sent_us;
            rtt_.sample(Duration{away} - ack.delay);
        }
    }
    Fates fates{.delivered = acked & ~acked_, .lost = 0, .newest = newest_acked_};
    acked_ |= acked;
    const std::uint64_t remembered = ~from_bit(static_cast<unsigned>(std::min<std::size_t>(held_, 64)));
    const std::uint64_t ever_sent =
        wrapped_ || newest_acked_ >= 63 ? ~std::uint64_t{0} : ~from_bit(newest_acked_ + 1U);
    fates.delivered &= remembered & ever_sent;
    fates.lost = ~acked_ & ~given_up_ & from_bit(kReorderTolerance) & remembered & ever_sent;
    count_fates(fates);
    given_up_ |= fates.lost;
    return fates;
}

void SendWindow::count_fates(const Fates& fates) {
    for (std::uint64_t left = fates.delivered; left != 0; left &= left - 1) {
        ++delivered_;
        const bool given_up_too_early = (left & (~left + 1) & given_up_) != 0;
        loss_ -= given_up_too_early ? std::min(loss_, kLossWeight) : loss_ * kLossWeight;
        if (given_up_too_early) --lost_;
    }
    for (std::uint64_t left = fates.lost; left != 0; left &= left - 1) {
        ++lost_;
        loss_ += (1 - loss_) * kLossWeight;
    }
    given_up_ &= ~fates.delivered;
}

}  // namespace fray
