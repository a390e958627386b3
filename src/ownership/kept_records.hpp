#pragma once
// Records of other peers' entities: those that this peer keeps as deputy, and those that are arriving.

#include "ownership/decisions.hpp"
#include "ownership/messages.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fray {

/// A record as far as it has arrived.
struct KeptRecord {
    Claim claim;
    std::uint64_t stream = 0;
    std::uint32_t serial = 0;  ///< of the last complete record
    bool complete = false;     ///< at least one record is complete
    std::vector<std::uint8_t> state{};
    Decisions decisions{};
    std::vector<Record> pending{};  ///< messages of a record whose last one has not arrived
    bool interrupted = false;       ///< a message found no room: only a whole record can follow
    /// Another peer claimed the entity, with a lower rank than this record gives: the record is used if its
    /// owner is lost before this moment.
    std::optional<Instant> displaced_until{};

    /// Whether its holder, if it took over, would outrank this claim.
    [[nodiscard]] bool outranks(const Claim& other, const PeerId& holder) const {
        return std::pair{stream, holder} > std::pair{other.term, other.owner};
    }
    std::size_t bytes = 0;  ///< of the sender's share that it uses
    [[nodiscard]] std::size_t heap_bytes() const;
};

class KeptRecords {
public:
    // Of one sender.
    static constexpr std::size_t kMaxOfOne = 1024;
    static constexpr std::size_t kMaxBytesOfOne = 4 * 1024 * 1024;

    enum class Progress : std::uint8_t {
        ignored,   ///< it does not continue a record: something is missing before it
        no_room,   ///< the sender has used up its share
        partial,   ///< further messages follow
        complete,  ///< the record is complete
    };
    /// Takes one message of a record.
    [[nodiscard]] Progress accept(const PeerId& from, Record&& record);
    /// This peer holds the record of this owner's entity from now on.
    void put(const PeerId& owner, KeptRecord record);
    [[nodiscard]] KeptRecord* find(const EntityId& id, RecordUse use, const PeerId& from);
    void erase(const EntityId& id, RecordUse use, const PeerId& from);
    /// From any sender.
    void erase(const EntityId& id, RecordUse use);
    /// Likewise the records to keep, except those that were displaced.
    void erase_superseded(const EntityId& id);
    /// Drops displaced records whose owners had time to give way.
    void expire(Instant now);
    /// Drops what this peer sent but did not complete, and everything it sent but records to keep.
    void drop_partial(const PeerId& from);
    /// The entities of this peer of which we keep the record, in the order of ids.
    [[nodiscard]] std::vector<EntityId> kept_for(const PeerId& owner) const;
    [[nodiscard]] std::size_t kept() const;
    void clear() {
        records_.clear();
        shares_.clear();
    }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Key {
        EntityId id;
        RecordUse use{};
        PeerId from;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    using Records = std::map<Key, KeptRecord>;
    /// What one sender makes us keep.
    struct Share {
        std::size_t count = 0;
        std::size_t bytes = 0;
    };
    KeptRecord& create(const Key& key);
    Records::iterator erase(Records::iterator at);
    template <class Condition>
    void erase_if(Condition condition);
    /// Books how large the record is now.
    void book(const PeerId& from, KeptRecord& kept, std::size_t bytes);
    [[nodiscard]] bool has_room(const Key& key, std::size_t bytes) const;
    void interrupt(const Key& key);
    void complete(const PeerId& from, KeptRecord& kept);

    Records records_;
    std::map<PeerId, Share> shares_;
};

}  // namespace fray
