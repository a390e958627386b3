#pragma once
// Reliable messages ride along in every datagram until one of those is acknowledged.
//
//   reliable message on the wire
//   | id 16 | ordered 1 | [order 16] | in pieces 1 | [index 6, last 6] | length varint | bytes |
//
// Where not all of them fit, datagrams take turns, so that a long message does not starve the others.

#include <fray/event.hpp>
#include <fray/ledger.hpp>
#include <fray/serialize.hpp>

#include "link/datagram.hpp"
#include "link/reassembly.hpp"
#include "link/send_window.hpp"
#include "wire/limits.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// What stands before the bytes of a reliable message.
struct ReliableHeader {
    std::uint16_t id = 0;
    bool ordered = false;
    std::uint16_t order = 0;
    bool in_pieces = false;
    FragmentPlace place{};
    std::uint32_t length = 0;
};

template <class Stream>
void serialize(Stream& s, ReliableHeader& h) {
    s.whole(h.id);
    s.boolean(h.ordered);
    if (h.ordered) s.whole(h.order);
    s.boolean(h.in_pieces);
    if (h.in_pieces) {
        s.integer(h.place.index, 0, kMaxFragments - 1);
        s.integer(h.place.last, 0, kMaxFragments - 1);
    }
    s.varint(h.length);
}

class ReliableSender {
public:
    /// False where the backlog is full; nothing is queued then.
    bool queue(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose);
    /// What must not be lost, even where the backlog is full, but of which only the last word counts: it
    /// takes the place of one about the same that was never sent. So at most one about each waits, and at
    /// most kReliableSpan of them are under way. One piece, unordered.
    void queue_latest(std::uint32_t about, std::span<const std::uint8_t> bytes, Purpose purpose);
    [[nodiscard]] bool has_room(std::size_t bytes) const;
    /// Appends what fits, each piece announced by `type` in kTypeBits bits, and notes it in the record.
    void write(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, SentRecord& record) {
        if (!empty()) write_pending(datagram, type, type_bits, record);
    }
    /// The datagram was sent: what rode in it is no longer new.
    void sent(const SentRecord& record) {
        if (record.reliable_count != 0) advance(record);
    }
    /// A datagram with this record arrived.
    void delivered(const SentRecord& record);

    [[nodiscard]] bool empty() const { return pending_.empty(); }
    /// Nothing was ever acknowledged.
    [[nodiscard]] bool unheard() const { return !any_acked_; }
    /// Something was never sent yet and may be.
    [[nodiscard]] bool has_unsent() const {
        return !empty() && static_cast<std::uint16_t>(unsent_ - oldest_) < sendable();
    }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Pending {
        std::vector<std::uint8_t> bytes;
        ReliableHeader header;
        Purpose purpose{};
        bool acked = false;
        std::optional<std::uint32_t> about{};  // the last word counts
    };
    [[nodiscard]] std::size_t sendable() const;
    void append(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose);
    void write_pending(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, SentRecord& record);
    void advance(const SentRecord& record);
    bool write_one(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, const Pending& message);

    std::vector<Pending> pending_;  // ids oldest_ ... next_ - 1
    std::uint16_t oldest_ = 0;
    std::uint16_t next_ = 0;
    std::uint16_t next_order_ = 0;
    std::uint16_t unsent_ = 0;  // ids from here on were never sent
    std::uint16_t cursor_ = 0;  // id with which the next datagram goes on
    bool any_acked_ = false;
};

}  // namespace fray
