#pragma once
// What a repair of the past still has to do: parts that begin a tick with another value than the one it was
// executed with, or whose messages of that tick have changed. Ordered by tick; the earliest is done first.

#include <fray/time_warp/parts.hpp>

#include <algorithm>
#include <vector>

namespace fray {

template <class Part>
class PendingParts {
public:
    struct Entry {
        Tick tick = 0;
        PartNumber part = 0;
        bool has_message = false;
        bool has_value = false;
        Part value{};
    };

    /// A message for this part was added to a tick that was executed.
    void add_message(Tick tick, PartNumber part) { entry(tick, part).has_message = true; }
    /// The part's value at the start of the tick is this one, not that of the history.
    void set_value(Tick tick, PartNumber part, const Part& value) {
        Entry& pending = entry(tick, part);
        pending.has_value = true;
        pending.value = value;
    }
    /// The part's value at the start of the tick is that of the history.
    void drop_value(Tick tick, PartNumber part) {
        const auto at = lower_bound(tick, part);
        if (at == entries_.end() || at->tick != tick || at->part != part) return;
        at->has_value = false;
        if (!at->has_message) entries_.erase(at);
    }

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    /// Not if empty.
    [[nodiscard]] Tick earliest() const { return entries_.back().tick; }
    /// Moves the entries of `tick` to `to`. There are none before it.
    void take(Tick tick, std::vector<Entry>& to) {
        to.clear();
        for (; !entries_.empty() && entries_.back().tick == tick; entries_.pop_back())
            to.push_back(entries_.back());
    }
    void clear() { entries_.clear(); }

private:
    auto lower_bound(Tick tick, PartNumber part) {
        return std::lower_bound(entries_.begin(), entries_.end(), 0, [&](const Entry& entry, int) {
            return entry.tick != tick ? entry.tick > tick : entry.part > part;
        });
    }
    Entry& entry(Tick tick, PartNumber part) {
        auto at = lower_bound(tick, part);
        if (at == entries_.end() || at->tick != tick || at->part != part)
            at = entries_.insert(at, Entry{.tick = tick, .part = part});
        return *at;
    }

    std::vector<Entry> entries_;  // the latest tick first: repairs work at the end
};

}  // namespace fray
