#include "sim/event_queue.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <bit>

namespace fray::sim {

void EventHeap::push(const QueuedEvent& event) {
    std::size_t hole = events_.size();
    events_.push_back(event);
    while (hole > 0) {
        const std::size_t parent = (hole - 1) / 4;
        if (!earlier(event, events_[parent])) break;
        events_[hole] = events_[parent];
        hole = parent;
    }
    events_[hole] = event;
}

void EventHeap::pop() {
    const QueuedEvent last = events_.back();
    events_.pop_back();
    const std::size_t size = events_.size();
    if (size == 0) return;
    std::size_t hole = 0;
    for (;;) {
        const std::size_t first = hole * 4 + 1;
        if (first >= size) break;
        const std::size_t end = std::min(first + 4, size);
        std::size_t best = first;
        for (std::size_t child = first + 1; child < end; ++child) {
            if (earlier(events_[child], events_[best])) best = child;
        }
        if (!earlier(events_[best], last)) break;
        events_[hole] = events_[best];
        hole = best;
    }
    events_[hole] = last;
}

EventQueue::EventQueue() : wheel_(static_cast<std::size_t>(kSlots)) {}

void EventQueue::push(Micros time, EventKind kind, std::uint32_t subject, std::uint32_t group) {
    constexpr std::uint32_t kGroups = 1U << (64 - kOrderBits);
    FRAY_ASSERT(time >= 0 && group < kGroups && order_ >> kOrderBits == 0);
    const std::uint64_t order = (std::uint64_t{group} << kOrderBits) | order_++;
    place(QueuedEvent{.time = time, .order = order, .subject = subject, .kind = kind});
    groups_ = std::max<std::size_t>(groups_, group + std::size_t{1});
    ++size_;
}

inline void EventQueue::place(const QueuedEvent& event) {
    const std::int64_t slot = event.time >> kSlotShift;
    if (slot <= open_slot_) return late_.push(event);
    if (slot >= open_slot_ + kSlots) return far_.push(event);
    append(slot, event);
}

inline void EventQueue::append(std::int64_t slot, const QueuedEvent& event) {
    const std::uint32_t node = new_node();
    nodes_[node] = Node{.event = event, .next = kEnd};
    const auto position = static_cast<std::size_t>(slot & (kSlots - 1));
    List& list = wheel_[position];
    if (list.head == kEnd) {
        list.head = node;
        occupied_[position / 64] |= 1ULL << (position % 64);
    } else {
        nodes_[list.tail].next = node;
    }
    list.tail = node;
    ++in_wheel_;
}

inline std::uint32_t EventQueue::new_node() {
    if (free_ == kEnd) {
        nodes_.emplace_back();
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t node = free_;
    free_ = nodes_[node].next;
    return node;
}

bool EventQueue::pop(Micros limit, QueuedEvent& out) {
    if (open_next_ == open_.size() && late_.empty() && !open_next(limit)) return false;
    const bool from_late =
        !late_.empty() && (open_next_ == open_.size() || earlier(late_.top(), open_[open_next_]));
    const QueuedEvent& next = from_late ? late_.top() : open_[open_next_];
    if (next.time > limit) return false;
    out = next;
    if (from_late) {
        late_.pop();
    } else {
        ++open_next_;
    }
    --size_;
    return true;
}

/// Opens the next slot that is not empty, unless it lies after the limit: events that are added before it
/// must still go into the wheel.
bool EventQueue::open_next(Micros limit) {
    if (size_ == 0) return false;
    const std::int64_t slot = in_wheel_ > 0 ? next_occupied() : far_.top().time >> kSlotShift;
    if ((slot << kSlotShift) > limit) return false;
    open(slot);
    return true;
}

inline void EventQueue::open(std::int64_t slot) {
    // Moves far events into the wheel first, so that those of this slot are opened with it.
    open_slot_ = slot - 1;
    while (!far_.empty() && (far_.top().time >> kSlotShift) < open_slot_ + kSlots) {
        append(far_.top().time >> kSlotShift, far_.top());
        far_.pop();
    }
    open_slot_ = slot;
    const auto position = static_cast<std::size_t>(slot & (kSlots - 1));
    List& list = wheel_[position];
    sort_into_open(list.head);
    nodes_[list.tail].next = free_;
    free_ = list.head;
    list = List{};
    occupied_[position / 64] &= ~(1ULL << (position % 64));
    in_wheel_ -= open_.size();
}

/// A list is in the order of insertion (far events first), so a stable sort by time is enough if there are no
/// groups.
void EventQueue::sort_into_open(std::uint32_t head) {
    std::size_t size = 0;
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next) ++size;
    open_.resize(size);
    open_next_ = 0;
    if (groups_ > 1) return size < groups_ ? sort_by_comparing(head) : sort_by_group(head);
    size <= kFew ? sort_few(head) : sort_many(head);
}

void EventQueue::sort_by_comparing(std::uint32_t head) {
    std::size_t size = 0;
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next)
        open_[size++] = nodes_[node].event;
    std::ranges::sort(open_, [](const QueuedEvent& a, const QueuedEvent& b) { return earlier(a, b); });
}

/// First by group, then by time, both stable counting sorts: this slot holds a round of all peers, and a
/// comparison sort would take ten times as long.
void EventQueue::sort_by_group(std::uint32_t head) {
    std::array<std::uint32_t, kSlotMicros + 1> time_begin{};
    group_begin_.assign(groups_ + 1, 0);
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next) {
        ++time_begin[time_in_slot(nodes_[node].event) + 1];
        ++group_begin_[group_of(nodes_[node].event) + 1];
    }
    for (std::size_t i = 1; i < kSlotMicros; ++i) time_begin[i] += time_begin[i - 1];
    for (std::size_t i = 1; i < groups_; ++i) group_begin_[i] += group_begin_[i - 1];
    by_group_.resize(open_.size());
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next) {
        by_group_[group_begin_[group_of(nodes_[node].event)]++] = node;
    }
    for (const std::uint32_t node : by_group_) {
        open_[time_begin[time_in_slot(nodes_[node].event)]++] = nodes_[node].event;
    }
}

void EventQueue::sort_few(std::uint32_t head) {
    std::size_t size = 0;
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next, ++size) {
        std::size_t hole = size;
        for (; hole > 0 && open_[hole - 1].time > nodes_[node].event.time; --hole)
            open_[hole] = open_[hole - 1];
        open_[hole] = nodes_[node].event;
    }
}

/// A slot has few different times: counting them is enough.
void EventQueue::sort_many(std::uint32_t head) {
    std::array<std::uint32_t, kSlotMicros + 1> begin{};
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next) {
        ++begin[time_in_slot(nodes_[node].event) + 1];
    }
    for (std::size_t i = 1; i < kSlotMicros; ++i) begin[i] += begin[i - 1];
    for (std::uint32_t node = head; node != kEnd; node = nodes_[node].next) {
        open_[begin[time_in_slot(nodes_[node].event)]++] = nodes_[node].event;
    }
}

std::int64_t EventQueue::next_occupied() const {
    const std::int64_t first = open_slot_ + 1;
    const auto start = static_cast<std::size_t>(first & (kSlots - 1));
    const std::size_t words = occupied_.size();
    std::uint64_t word = occupied_[start / 64] & (~0ULL << (start % 64));
    // One word more than there are: the first one's lower bits are the wheel's far end.
    for (std::size_t i = 0; i <= words; ++i) {
        const std::size_t at = (start / 64 + i) % words;
        if (i > 0) word = occupied_[at];
        if (word == 0) continue;
        const auto position = static_cast<std::int64_t>(at * 64) + std::countr_zero(word);
        return first + ((position - static_cast<std::int64_t>(start)) & (kSlots - 1));
    }
    FRAY_ASSERT(false && "the wheel says it holds something");
    return first;
}

std::size_t EventQueue::memory_bytes() const {
    return nodes_.capacity() * sizeof(Node) + wheel_.capacity() * sizeof(List) +
           (group_begin_.capacity() + by_group_.capacity()) * sizeof(std::uint32_t) +
           (open_.capacity() + late_.capacity() + far_.capacity()) * sizeof(QueuedEvent);
}

}  // namespace fray::sim
