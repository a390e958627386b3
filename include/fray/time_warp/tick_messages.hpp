#pragma once
// The messages of a game of parts by tick, in the order of their stamps. Tick n begins at start + n * step; a
// message belongs to the tick in which its time lies. One sorted array whose memory is reused: most messages
// belong near its end.

#include <fray/time_warp/inner_queue.hpp>
#include <fray/time_warp/parts.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace fray {

template <class Message>
class TickMessages {
public:
    using Entry = Stamped<Message>;

    TickMessages(SessionInstant start, Duration step, std::size_t most)
        : start_{start}, step_{step}, most_{most} {}

    [[nodiscard]] SessionInstant begin_of(Tick tick) const { return start_ + tick * step_; }
    /// `at` is not before the start.
    [[nodiscard]] Tick tick_of(SessionInstant at) const { return (at - start_) / step_; }

    /// in_time, duplicate or no_room.
    Arrival add(const Stamp& stamp, Message message) {
        const auto at = lower_bound(stamp);
        if (at != entries_.end() && at->stamp == stamp) return Arrival::duplicate;
        if (size() >= most_) return Arrival::no_room;
        entries_.insert(at, Entry{stamp, std::move(message)});
        return Arrival::in_time;
    }
    /// Valid until the next add().
    [[nodiscard]] std::span<const Entry> of(Tick tick) const {
        return {lower_bound(first_at(begin_of(tick))), lower_bound(first_at(begin_of(tick + 1)))};
    }
    void forget_before(Tick tick) {
        const auto first = lower_bound(first_at(begin_of(tick)));
        first_ = static_cast<std::size_t>(first - entries_.begin());
        if (2 * first_ < entries_.size()) return;  // moving the rest is worth it once it is the smaller part
        entries_.erase(entries_.begin(), first);
        first_ = 0;
    }
    [[nodiscard]] std::size_t size() const { return entries_.size() - first_; }

private:
    [[nodiscard]] auto lower_bound(const Stamp& stamp) const {
        return std::lower_bound(entries_.begin() + static_cast<std::ptrdiff_t>(first_), entries_.end(), stamp,
                                [](const Entry& entry, const Stamp& s) { return entry.stamp < s; });
    }

    SessionInstant start_;
    Duration step_;
    std::size_t most_;
    std::vector<Entry> entries_;
    std::size_t first_ = 0;  // entries before it are forgotten
};

}  // namespace fray
