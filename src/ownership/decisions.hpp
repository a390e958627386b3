#pragma once
// Which requests about an entity were decided, and how. The owner and its deputy keep the same: a request
// that comes again, to whichever of them owns the entity then, gets the recorded reply.

#include "ownership/messages.hpp"

#include <cstdint>
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

class Decisions {
public:
    /// Details of decisions that their askers know already are kept up to this size.
    static constexpr std::size_t kHistoryBytes = 16 * 1024;
    /// Decisions that their askers may not know yet are kept in any case; beyond this size no further request
    /// is accepted.
    static constexpr std::size_t kMaxOpenBytes = 64 * 1024;

    /// Whether this request was decided.
    [[nodiscard]] bool contains(const PeerId& asker, std::uint32_t incarnation, std::uint32_t number) const;
    /// The asker knows the reply of this request, or gave it up.
    [[nodiscard]] bool is_closed(const PeerId& asker, std::uint32_t incarnation, std::uint32_t number) const;
    /// The decision, if its details are still kept.
    [[nodiscard]] const Decision* find(const PeerId& asker, std::uint32_t incarnation,
                                       std::uint32_t number) const;
    /// Whether another request of this asker can be accepted.
    [[nodiscard]] bool has_room(const PeerId& asker, std::uint32_t incarnation) const;
    [[nodiscard]] std::size_t open_of(const PeerId& asker, std::uint32_t incarnation) const;

    void add(const Decision& decision);
    void close(const PeerId& asker, std::uint32_t incarnation, std::uint32_t oldest);
    /// Adds what a record holds.
    void add(const Record& record);

    struct Merged {
        std::vector<Decision> added;
        bool complete = true;  ///< false: the other side decided requests whose details it did not keep
    };
    /// Adds the decisions of another history.
    [[nodiscard]] Merged merge(const Decisions& other);

    [[nodiscard]] std::vector<AskerRecord> askers() const;
    [[nodiscard]] const std::vector<Decision>& list() const { return list_; }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Asker {
        PeerId peer;
        std::uint32_t incarnation = 0;
        std::uint32_t oldest = 0;  // replies to requests before this one have arrived
        NumberSet decided;
    };
    [[nodiscard]] const Asker* asker(const PeerId& peer, std::uint32_t incarnation) const;
    /// Makes it the most recent one; evicts the least recent one without open decisions if there are too
    /// many.
    Asker& use_asker(const PeerId& peer, std::uint32_t incarnation);
    [[nodiscard]] bool is_open(const Decision& decision) const;
    void trim();

    std::vector<Asker> askers_;   // least recently used first
    std::vector<Decision> list_;  // oldest first
};

/// Splits a record into messages of about kRecordBytes each. `header` has neither decisions nor askers.
[[nodiscard]] std::vector<Record> split_record(const Record& header, std::vector<AskerRecord> askers,
                                               std::span<const Decision> decisions);

}  // namespace fray
