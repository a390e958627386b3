#include "sim/line.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <utility>

namespace fray::sim {

namespace {
constexpr std::int64_t kPacketBytes = 1500;  // the unit of a capacity trace
constexpr std::int64_t kMicrosPerSlot = 1000;
}  // namespace

CapacityIndex::CapacityIndex(const CapacityTrace& trace) {
    std::int64_t sum = 0;
    bytes_after_.reserve(trace.packets_per_ms.size());
    for (const std::uint8_t packets : trace.packets_per_ms) {
        sum += packets * kPacketBytes;
        bytes_after_.push_back(sum);
    }
    FRAY_ASSERT(sum > 0);
}

std::int64_t CapacityIndex::bytes_until(Micros at) const {
    const auto slots = static_cast<std::int64_t>(bytes_after_.size());
    const std::int64_t slot = at / kMicrosPerSlot;
    const std::int64_t within = slot % slots;
    return slot / slots * bytes_after_.back() +
           (within == 0 ? 0 : bytes_after_[static_cast<std::size_t>(within - 1)]);
}

Micros CapacityIndex::time_for(std::int64_t bytes) const {
    const std::int64_t total = bytes_after_.back();
    const std::int64_t rounds = (bytes - 1) / total;
    const auto found = std::lower_bound(bytes_after_.begin(), bytes_after_.end(), bytes - rounds * total);
    const std::int64_t slot = rounds * static_cast<std::int64_t>(bytes_after_.size()) +
                              static_cast<std::int64_t>(found - bytes_after_.begin());
    return (slot + 1) * kMicrosPerSlot;
}

Line::Line(const LineOptions& options, std::shared_ptr<const CapacityIndex> capacity)
    : kbps_{options.kbps}, queue_bytes_{options.queue_bytes}, capacity_{std::move(capacity)} {}

bool Line::enter(Micros now, std::uint32_t bytes, Micros& left) {
    return capacity_ ? enter_trace(now, bytes, left) : enter_rate(now, bytes, left);
}

bool Line::enter_rate(Micros now, std::uint32_t bytes, Micros& left) {
    constexpr std::int64_t kNanosTimesKbpsPerByte = 8'000'000;
    const std::int64_t now_ns = now * 1000;
    const std::int64_t waiting = busy_ > now_ns ? (busy_ - now_ns) * kbps_ / kNanosTimesKbpsPerByte : 0;
    if (waiting + bytes > queue_bytes_) return false;
    busy_ = std::max(busy_, now_ns) + bytes * kNanosTimesKbpsPerByte / kbps_;
    left = (busy_ + 999) / 1000;
    return true;
}

bool Line::enter_trace(Micros now, std::uint32_t bytes, Micros& left) {
    const std::int64_t passed = capacity_->bytes_until(now);
    if (std::max<std::int64_t>(busy_ - passed, 0) + bytes > queue_bytes_) return false;
    busy_ = std::max(busy_, passed) + bytes;
    left = std::max(capacity_->time_for(busy_), now);
    return true;
}

}  // namespace fray::sim
