#pragma once
// Which requests about an entity were decided, and how. The owner and its deputy keep the same: a request
// that comes again, to whichever of them owns the entity then, gets the recorded reply.

#include "ownership/messages.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace fray {

/// A set of numbers as ascending spans. Beyond kMaxSpans, the gap between the two lowest counts as included.
class NumberSet {
public:
    void add(std::uint32_t first, std::uint32_t last);
    void merge(const NumberSet& other);
    [[nodiscard]] bool contains(std::uint32_t number) const;
    [[nodiscard]] bool contains(const NumberSet& other) const;
    [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }

private:
    std::vector<Span> spans_;
};

/// A decision is open until its asker has confirmed the reply (close()). The details of an open decision are
/// kept, so that a repeated request gets the same reply. Details of closed ones are kept for other histories,
/// up to kHistoryBytes. Decisions that were taken from another history have a budget of their own, beyond
/// which the oldest are dropped: no history can use up the room of askers.
class Decisions {
public:
    static constexpr std::size_t kHistoryBytes = 16 * 1024;
    /// Beyond this size of open decisions no further request is accepted, heard ones not counted.
    static constexpr std::size_t kMaxOpenBytes = 64 * 1024;
    static constexpr std::size_t kMaxOpenBytesOfAsker = 16 * 1024;
    /// An honest history has at most kMaxOpenBytes + kHistoryBytes, and what waited for an answer meanwhile.
    static constexpr std::size_t kMaxHeardBytes = 96 * 1024;

    /// Whether this request was decided.
    [[nodiscard]] bool contains(const Asker& asker, std::uint32_t number) const;
    /// The decision, if its details are still kept.
    [[nodiscard]] const Decision* find(const Asker& asker, std::uint32_t number) const;
    /// Whether another request of this asker can be accepted.
    [[nodiscard]] bool has_room(const Asker& asker) const;
    /// How many are open, heard ones not counted.
    [[nodiscard]] std::size_t open_of(const Asker& asker) const;
    /// Askers with open decisions, heard ones included.
    [[nodiscard]] std::vector<Asker> open_askers() const;

    void add(const Decision& decision);
    /// The asker knows the replies of its requests before this one, or gave them up. False: nothing changed.
    bool close(const Asker& asker, std::uint32_t oldest);
    /// The asker asks for none of its replies any more.
    void close_all(const Asker& asker) { close(asker, 0xFFFF'FFFF); }
    /// Adds what a record holds.
    void add(const Record& record);

    struct Merged {
        std::vector<Decision> added;
        bool complete = true;  ///< false: the other side decided requests whose details it did not keep
    };
    /// Adds the decisions of another history, as heard.
    [[nodiscard]] Merged merge(const Decisions& other);

    [[nodiscard]] std::size_t size() const { return list_.size(); }
    [[nodiscard]] std::vector<AskerRecord> askers() const;
    /// Those of these askers that are known.
    [[nodiscard]] std::vector<AskerRecord> askers(const std::set<Asker>& among) const;
    /// All that are kept, in the order in which they were added. Valid until the next change.
    [[nodiscard]] std::vector<const Decision*> list() const;
    [[nodiscard]] std::size_t heap_bytes() const;
    /// Askers and decisions that were looked at so far, besides searches in maps: the cost of all changes.
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
    using Age = std::uint64_t;
    struct Known {
        std::uint32_t oldest = 0;  // those before are closed
        NumberSet decided;
        std::map<std::uint32_t, Age> kept;  // by number
        std::size_t open = 0;               // heard ones not counted
        std::size_t open_bytes = 0;
        std::uint64_t used = 0;  // when; the least recently used is evicted

        [[nodiscard]] bool has_open() const { return !kept.empty() && kept.rbegin()->first >= oldest; }
    };
    [[nodiscard]] const Known* known(const Asker& asker) const;
    /// Makes it the most recent one; evicts another if there are too many.
    Known& use(const Asker& asker);
    void evict();
    /// Counts an open decision, or ceases to.
    void book_open(Known& known, Age age, const Decision& decision, bool add);
    void drop(Age age);
    void trim();

    std::map<Asker, Known> askers_;
    std::map<Age, Decision> list_;
    std::set<Age> heard_;  // open ones
    std::set<Age> closed_;
    std::size_t open_bytes_ = 0;
    std::size_t heard_bytes_ = 0;
    std::size_t closed_bytes_ = 0;
    Age next_age_ = 0;
    std::uint64_t uses_ = 0;
    std::uint64_t steps_ = 0;
};

/// Splits a record into messages of about kRecordBytes each. `header` has neither decisions nor askers.
[[nodiscard]] std::vector<Record> split_record(const Record& header, std::vector<AskerRecord> askers,
                                               std::span<const Decision* const> decisions);

}  // namespace fray
