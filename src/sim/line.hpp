#pragma once
// One direction of a peer's line: a first-in-first-out queue in front of a rate, or of a recorded capacity.

#include <fray/network_model.hpp>

#include "sim/event_queue.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fray::sim {

/// Prefix sums of a CapacityTrace, so that "when have n more bytes passed" is one search. Shared by all its
/// lines.
class CapacityIndex {
public:
    explicit CapacityIndex(const CapacityTrace& trace);
    /// Bytes that could have passed up to this time.
    [[nodiscard]] std::int64_t bytes_until(Micros at) const;
    /// The first time at which that many bytes could have passed.
    [[nodiscard]] Micros time_for(std::int64_t bytes) const;

private:
    std::vector<std::int64_t> bytes_after_;  // [i]: at the end of millisecond i
};

class Line {
public:
    Line() = default;
    Line(const LineOptions& options, std::shared_ptr<const CapacityIndex> capacity);

    [[nodiscard]] bool limited() const { return kbps_ != 0 || capacity_ != nullptr; }
    /// Queues a datagram of this many bytes, headers included; `left` is when its last bit has passed. False
    /// if the queue has no room.
    [[nodiscard]] bool enter(Micros now, std::uint32_t bytes, Micros& left);

private:
    [[nodiscard]] bool enter_rate(Micros now, std::uint32_t bytes, Micros& left);
    [[nodiscard]] bool enter_trace(Micros now, std::uint32_t bytes, Micros& left);

    std::uint32_t kbps_ = 0;
    std::uint32_t queue_bytes_ = 0;
    std::shared_ptr<const CapacityIndex> capacity_;
    // Rate: time at which the line becomes idle, in nanoseconds, since a fast line may carry a datagram in a
    // microsecond. Trace: bytes of capacity that are used.
    std::int64_t busy_ = 0;
};

}  // namespace fray::sim
