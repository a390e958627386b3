#pragma once
// Messages about entities that may change their owner. All of them are sent reliably and in order, as one
// message kind: what it is (3 bits), then the fields.

#include <fray/event.hpp>
#include <fray/serialize.hpp>
#include <fray/world.hpp>

#include "core/lasting.hpp"
#include "wire/lists.hpp"
#include "wire/session_time.hpp"

#include <cstdint>
#include <tuple>
#include <vector>

namespace fray {

// --- bounds ---
inline constexpr std::size_t kMaxSpans = 32;    ///< of numbers, per asker
inline constexpr std::size_t kMaxAskers = 128;  ///< per entity
inline constexpr std::size_t kMaxListed = 256;  ///< askers, and decisions, in one message
inline constexpr std::size_t kMaxStateBytes = kMaxPayloadBytes + kMaxInputBytes + 64;
inline constexpr std::size_t kRecordBytes =
    16 * 1024;  ///< a record that is longer is sent in several messages
inline constexpr std::uint64_t kMostTerm = std::uint64_t{1} << 48U;
/// A claim whose term is higher than the known one by more than this is invalid. A peer cannot use up all
/// terms with a few claims.
inline constexpr std::uint64_t kMostTermStep = 65'536;

/// A peer that asks, in one of its stays; may be this peer.
struct Asker {
    PeerId peer;
    std::uint32_t incarnation = 0;
    friend auto operator<=>(const Asker&, const Asker&) = default;
};

/// Says which peer owns an entity. Of two claims the higher rank counts.
struct Claim {
    EntityId id;
    std::uint64_t term = 0;  ///< rises with each change of the owner or the deputy
    PeerId owner;
    std::uint32_t incarnation = 0;  ///< of the owner
    std::uint32_t body = 0;         ///< the owner's primary that stands for the entity
    bool shared = false;

    [[nodiscard]] auto rank() const { return std::tie(term, owner, incarnation, body); }
    [[nodiscard]] bool outranks(const Claim& other) const { return rank() > other.rank(); }
};

struct ToldClaim {
    Claim claim;
    bool lost = false;  ///< the sender has no link with that incarnation of the owner
};

struct Withdrawn {
    EntityId id;
    std::uint64_t term = 0;
};

struct Ask {
    EntityId target;
    /// Of the claim that the asker knows. An owner drops requests of other terms: the asker asks again when
    /// it learns of the present claim, unless the request was decided meanwhile.
    std::uint64_t term = 0;
    std::uint32_t number = 0;    ///< the asker counts its requests
    std::uint32_t previous = 0;  ///< the asker's last request about this entity, if known; less than `number`
    std::uint32_t oldest = 0;    ///< its oldest open one about this entity: replies before it have arrived
    std::uint32_t by = 0;        ///< primary of the asker
    std::uint64_t seen = 0;      ///< wire_time() of the moment that the asker saw
    std::vector<std::uint8_t> bytes{};
};

struct Decided {
    EntityId target;
    std::uint32_t number = 0;
    bool answered = false;
    std::vector<std::uint8_t> bytes{};
};

/// The asker has received all replies before this number.
struct Closed {
    EntityId target;
    std::uint32_t oldest = 0;
};

/// A decided request.
struct Decision {
    PeerId asker;
    std::uint32_t incarnation = 0;  ///< of the asker
    std::uint32_t number = 0;
    std::uint32_t previous = 0;
    EntityId by;
    std::vector<std::uint8_t> bytes{};
    std::vector<std::uint8_t> reply{};
    bool heard = false;  ///< not by an owner in whose place its keeper is: taken from another history

    [[nodiscard]] Asker of() const { return {asker, incarnation}; }
    [[nodiscard]] std::size_t size() const { return sizeof(*this) + bytes.size() + reply.size(); }
};

/// From `first` to `last`, both included.
struct Span {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

struct AskerRecord {
    PeerId asker;
    std::uint32_t incarnation = 0;
    std::uint32_t oldest = 0;     ///< replies to requests before this one have arrived
    std::vector<Span> decided{};  ///< ascending, with gaps between them
};

/// What the receiver of a record is to do.
enum class RecordUse : std::uint8_t {
    keep,    ///< as deputy: take over if the owner is lost
    take,    ///< own the entity from now on (Peer::hand_over)
    history  ///< what a peer did that owned the entity at the same time
};

/// State and decisions of an entity, or what was added to them. Several messages may form one record; the
/// receiver uses none of them before the last has arrived.
struct Record {
    Claim claim;               ///< of the sender
    std::uint64_t stream = 0;  ///< keep, take: the term in which the receiver would own the entity
    std::uint32_t serial = 0;  ///< of the record in its stream
    RecordUse use{};
    bool whole = false;                 ///< replaces everything before
    bool last = false;                  ///< the last message of this record
    std::vector<std::uint8_t> state{};  ///< empty: unchanged
    std::vector<AskerRecord> askers{};
    std::vector<Decision> decisions{};
};

/// The receiver has the record, and all records before it. Serial 0: it does not take the entity that it was
/// given.
struct Recorded {
    EntityId id;
    std::uint64_t stream = 0;
    std::uint32_t serial = 0;
};

enum class OwnerMessage : std::uint8_t { claim, withdrawn, ask, decided, closed, record, recorded };
inline constexpr OwnerMessage kLastOwnerMessage = OwnerMessage::recorded;

template <class Stream>
void serialize(Stream& s, EntityId& id) {
    s.object(id.owner);
    s.whole(id.number);
}
template <class Stream>
void serialize(Stream& s, Claim& claim) {
    s.object(claim.id);
    s.integer(claim.term, 0, kMostTerm);
    s.object(claim.owner);
    s.whole(claim.incarnation);
    s.whole(claim.body);
    s.boolean(claim.shared);
}
template <class Stream>
void serialize(Stream& s, ToldClaim& told) {
    s.object(told.claim);
    s.boolean(told.lost);
}
template <class Stream>
void serialize(Stream& s, Withdrawn& withdrawn) {
    s.object(withdrawn.id);
    s.integer(withdrawn.term, 0, kMostTerm);
}
template <class Stream>
void serialize(Stream& s, Ask& ask) {
    s.object(ask.target);
    s.integer(ask.term, 0, kMostTerm);
    s.whole(ask.number);
    s.whole(ask.previous);
    s.whole(ask.oldest);
    s.varint(ask.by);
    s.integer(ask.seen, 0, kMaxWireTime);
    s.bytes(ask.bytes, kMaxRequestBytes);
}
template <class Stream>
void serialize(Stream& s, Decided& decided) {
    s.object(decided.target);
    s.whole(decided.number);
    s.boolean(decided.answered);
    s.bytes(decided.bytes, kMaxRequestBytes);
}
template <class Stream>
void serialize(Stream& s, Closed& closed) {
    s.object(closed.target);
    s.whole(closed.oldest);
}
template <class Stream>
void serialize(Stream& s, Decision& decision) {
    s.object(decision.asker);
    s.whole(decision.incarnation);
    s.whole(decision.number);
    s.whole(decision.previous);
    s.object(decision.by);
    s.bytes(decision.bytes, kMaxRequestBytes);
    s.bytes(decision.reply, kMaxRequestBytes);
    s.boolean(decision.heard);
}
template <class Stream>
void serialize(Stream& s, Span& span) {
    s.whole(span.first);
    s.whole(span.last);
}
template <class Stream>
void serialize(Stream& s, AskerRecord& record) {
    s.object(record.asker);
    s.whole(record.incarnation);
    s.whole(record.oldest);
    s.list(record.decided, kMaxSpans);
}
template <class Stream>
void serialize(Stream& s, Record& record) {
    s.object(record.claim);
    s.integer(record.stream, 0, kMostTerm);
    s.varint(record.serial);
    s.enumeration(record.use, RecordUse::history);
    s.boolean(record.whole);
    s.boolean(record.last);
    s.bytes(record.state, kMaxStateBytes);
    s.list(record.askers, kMaxListed);
    s.list(record.decisions, kMaxListed);
}
template <class Stream>
void serialize(Stream& s, Recorded& recorded) {
    s.object(recorded.id);
    s.integer(recorded.stream, 0, kMostTerm);
    s.varint(recorded.serial);
}

/// A message as it is sent: what it is, and its fields.
template <class T>
struct Enveloped {
    OwnerMessage what{};
    const T* message = nullptr;
};
template <class Stream, class T>
void serialize(Stream& s, Enveloped<T>& enveloped) {
    s.enumeration(enveloped.what, kLastOwnerMessage);
    s.object(const_cast<T&>(*enveloped.message));  // writing does not change it
}

}  // namespace fray
