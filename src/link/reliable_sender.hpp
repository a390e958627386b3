#pragma once
// Sends reliable messages in every datagram until one of those datagrams is acknowledged.
//
//   reliable message on the wire
//   | id 16 | ordered 1 | [order 16] | in pieces 1 | [index 6, last 6] | length varint | bytes |
//
// Prompt messages go first in datagrams that leave for them. If not all others fit, datagrams take turns, so
// that a long message does not starve the others.

#include <fray/event.hpp>
#include <fray/ledger.hpp>
#include <fray/serialize.hpp>

#include "link/datagram.hpp"
#include "link/reassembly.hpp"
#include "link/send_window.hpp"
#include "wire/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// The header of a reliable message or fragment.
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

/// In which order messages of one link are sent, and whether they cause datagrams.
enum class Haste : std::uint8_t { rides, usual, prompt };

class ReliableSender {
public:
    /// False if the backlog is full; nothing is queued then.
    bool queue(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose,
               Haste haste = Haste::usual);
    /// Queues a message of which only the newest version matters, even if the backlog is full: it replaces an
    /// unsent message with the same `about`. So at most one per `about` is unsent, and at most kReliableSpan
    /// are in flight. Unordered, not fragmented. False if there are twice as many as the backlog may have.
    bool queue_latest(std::uint64_t about, std::span<const std::uint8_t> bytes, Purpose purpose);
    [[nodiscard]] bool has_room(std::size_t bytes) const;
    /// The id of the oldest unacknowledged message.
    [[nodiscard]] std::uint16_t oldest() const { return oldest_; }
    /// What goes into one datagram.
    struct Share {
        bool repeats = true;               ///< also what was sent before
        std::size_t most_bits = SIZE_MAX;  ///< no further message begins after these
    };
    /// Appends the messages that fit, each after its `type` in `type_bits` bits, and records them.
    void write(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, SentRecord& record) {
        write(datagram, type, type_bits, record, Share{});
    }
    void write(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, SentRecord& record,
               const Share& share) {
        if (!empty()) write_pending(datagram, type, type_bits, record, share);
    }
    /// The same for prompt messages alone: write() then adds the others.
    void write_prompt(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, SentRecord& record);
    /// The datagram left: its messages are not unsent any more.
    void sent(const SentRecord& record) {
        if (record.reliable_count != 0 || record.prompt_span != 0) advance(record);
    }
    /// The datagram with this record was acknowledged.
    void delivered(const SentRecord& record);
    /// It got lost: its prompt messages leave again before others. Newer ones may fill all datagrams, so that
    /// what waits for a turn of the repeats would wait for long.
    void lost(const SentRecord& record);
    /// It continues on another link: what was on its way on the former one counts as lost.
    void lost_all();

    [[nodiscard]] bool empty() const { return pending_.empty(); }
    /// Whether nothing was ever acknowledged.
    [[nodiscard]] bool unheard() const { return !any_acked_; }
    /// Whether a message that does not ride was never sent and may be sent now.
    [[nodiscard]] bool has_unsent() const { return !empty() && has_unsent_of(Haste::usual); }
    [[nodiscard]] bool has_unsent_prompt() const { return !empty() && has_unsent_of(Haste::prompt); }
    /// Whether none of the messages that are pending was sent.
    [[nodiscard]] bool all_unsent() const { return unsent_ == oldest_; }
    /// Whether a prompt message is not acknowledged.
    [[nodiscard]] bool has_prompt() const {
        return !empty() && std::ranges::any_of(pending_, [](const Pending& p) {
            return p.haste == Haste::prompt && !p.acked;
        });
    }
    /// Whether a message that does not ride is not acknowledged.
    [[nodiscard]] bool waits() const { return driving_ != 0; }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Pending {
        std::vector<std::uint8_t> bytes;
        ReliableHeader header;
        Purpose purpose{};
        Haste haste{};
        bool sent = false;
        bool acked = false;
        std::optional<std::uint64_t> about{};  // set by queue_latest()
    };
    [[nodiscard]] std::size_t sendable() const;
    void append(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose, Haste haste);
    /// With this haste or more.
    [[nodiscard]] bool has_unsent_of(Haste haste) const;
    void acknowledge(Pending& message);
    void write_pending(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, SentRecord& record,
                       const Share& share);
    void advance(const SentRecord& record);
    bool write_one(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits, const Pending& message);

    std::vector<Pending> pending_;  // ids oldest_ ... next_ - 1
    std::uint16_t oldest_ = 0;
    std::uint16_t next_ = 0;
    std::uint16_t next_order_ = 0;
    std::uint16_t unsent_ = 0;      // ids from here on were never sent
    std::uint16_t cursor_ = 0;      // id with which the next datagram continues
    std::uint16_t prompt_end_ = 0;  // an acknowledgement may name the prompt ones of the ids before
    std::uint16_t driving_ = 0;     // unacknowledged messages that do not ride
    bool any_acked_ = false;
};

}  // namespace fray
