#pragma once
// Events in virtual time, ordered by time, then by group, then by insertion.
//
// Near events are in a wheel of short time slots, far ones in a heap. A slot is sorted only when its time has
// come, so adding and removing cost a few dozen instructions, however many events there are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray::sim {

/// True time in microseconds since the start of the run.
using Micros = std::int64_t;
inline constexpr Micros kNeverMicros = INT64_MAX;

enum class EventKind : std::uint8_t {
    deliver,  ///< subject: a datagram of the pool
    arrive,   ///< subject: the same, in front of the receiver's download queue
    due,      ///< subject: a peer that asked to be woken
    action,   ///< subject: a scheduled action
};

struct QueuedEvent {
    Micros time = 0;
    std::uint64_t order = 0;  ///< its group, and the number of events added before
    std::uint32_t subject = 0;
    EventKind kind{};
};

[[nodiscard]] constexpr bool earlier(const QueuedEvent& a, const QueuedEvent& b) {
    return a.time != b.time ? a.time < b.time : a.order < b.order;
}

/// A four-ary heap, the earliest on top: shallower than a binary one, and its children share a cache line or
/// two.
class EventHeap {
public:
    [[nodiscard]] bool empty() const { return events_.empty(); }
    [[nodiscard]] const QueuedEvent& top() const { return events_.front(); }
    [[nodiscard]] std::size_t capacity() const { return events_.capacity(); }
    void push(const QueuedEvent& event);
    void pop();

private:
    std::vector<QueuedEvent> events_;
};

class EventQueue {
public:
    EventQueue();

    void push(Micros time, EventKind kind, std::uint32_t subject, std::uint32_t group = 0);
    /// Removes the next event not later than `limit`; false if there is none.
    bool pop(Micros limit, QueuedEvent& out);
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    static constexpr unsigned kSlotShift = 6;  // a slot is 64 us long
    static constexpr std::size_t kSlotMicros = std::size_t{1} << kSlotShift;
    static constexpr std::int64_t kSlots = 16384;  // the wheel reaches 1.05 s ahead
    static constexpr std::size_t kFew = 16;
    static constexpr unsigned kOrderBits = 40;         // of an event's order; its group is above them
    static constexpr std::uint32_t kEnd = 0xFFFFFFFF;  // of a list
    struct Node {
        QueuedEvent event;
        std::uint32_t next = kEnd;
    };
    struct List {
        std::uint32_t head = kEnd;
        std::uint32_t tail = kEnd;
    };

    void place(const QueuedEvent& event);
    void append(std::int64_t slot, const QueuedEvent& event);
    std::uint32_t new_node();
    bool open_next(Micros limit);
    void open(std::int64_t slot);
    void sort_into_open(std::uint32_t head);
    void sort_by_group(std::uint32_t head);
    void sort_few(std::uint32_t head);
    void sort_many(std::uint32_t head);
    void sort_by_comparing(std::uint32_t head);
    static std::size_t group_of(const QueuedEvent& event) {
        return static_cast<std::size_t>(event.order >> kOrderBits);
    }
    static std::size_t time_in_slot(const QueuedEvent& event) {
        return static_cast<std::size_t>(event.time) & (kSlotMicros - 1);
    }
    [[nodiscard]] std::int64_t next_occupied() const;

    std::vector<Node> nodes_;
    std::uint32_t free_ = kEnd;
    std::vector<List> wheel_;
    std::array<std::uint64_t, kSlots / 64> occupied_{};
    std::vector<QueuedEvent> open_;  // the slot whose time has come, sorted
    std::size_t open_next_ = 0;
    EventHeap late_;  // for the open slot, added after it was opened
    EventHeap far_;   // beyond the wheel
    std::int64_t open_slot_ = -1;
    std::uint64_t order_ = 0;
    std::size_t groups_ = 1;                  // upper bound
    std::vector<std::uint32_t> group_begin_;  // scratch: where in by_group_ each group's next one goes
    std::vector<std::uint32_t> by_group_;     // scratch: nodes
    std::size_t size_ = 0;
    std::size_t in_wheel_ = 0;
};

}  // namespace fray::sim
