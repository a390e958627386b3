#pragma once
// One link: everything between this peer and one other, from the handshake to the last acknowledgement.
//
//   data datagram
//   | kind 2 | link varint | acks 1 | [newest 16, delay 8, all 1, [earlier 32]] | messages | padding |
//   seal 20 B, which holds the sequence number |
//
// A link does not decide what is sent when, and knows nothing of entities.

#include <fray/ids.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/message.hpp"
#include "link/datagram.hpp"
#include "link/hello.hpp"
#include "link/receive_window.hpp"
#include "link/reliable_receiver.hpp"
#include "link/reliable_sender.hpp"
#include "link/send_window.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace fray {

/// The peer at the other end, and the number and token of each side.
struct LinkEnds {
    PeerId peer;
    Incarnation incarnation{};
    Address address;
    std::uint16_t local_number = 0;
    std::uint16_t remote_number = 0;
    Token local_token{};
    Token remote_token{};
    bool remote_known = false;  ///< we know its number and token, so it can be answered
    bool proven = false;        ///< it has echoed our token, which proves its address
};

/// The reliable messages between two incarnations. Outlives the link: when they meet again, the channel
/// continues.
struct Channel {
    ReliableSender out;
    ReliableReceiver in;
    std::uint32_t id = 0;  ///< drawn when the channel is created
    /// Id of the other side's channel; if it changes, the other side has lost its state.
    std::uint32_t remote_id = 0;
};

/// How long an acknowledgement waits for a datagram that leaves anyway.
enum class AckWait : std::uint8_t {
    soon,     ///< until the next frame
    usual,    ///< some frames
    updates,  ///< until the next update, which may be seldom
};

class Link {
public:
    Link(const LinkEnds& both_ends, Instant now)
        : ends{both_ends}, born{now}, last_heard{now}, last_acked{now} {}

    /// Both sides have proved their address: data may flow.
    [[nodiscard]] bool open() const { return ends.remote_known && ends.proven; }

    /// Sets the sequence number and writes acknowledgements: the start of data and of early data.
    void write_header(Instant now, DatagramBuilder& datagram) const {
        write_header(now, window.next_sequence(), acknowledges() ? &arrivals : nullptr, datagram);
    }
    /// arrivals: nullptr leaves the acknowledgements out.
    static void write_header(Instant now, std::uint16_t sequence, const ReceiveWindow* arrivals,
                             DatagramBuilder& datagram);
    /// Adds the prompt messages that fit; write_reliable() then adds the others.
    void write_prompt(DatagramBuilder& datagram, SentRecord& record) {
        channel.out.write_prompt(datagram, static_cast<std::uint64_t>(MessageKind::reliable),
                                 kMessageKindBits, record);
    }
    /// Adds the pending reliable messages that fit.
    void write_reliable(DatagramBuilder& datagram, SentRecord& record, const ReliableSender::Share& share) {
        repeats_ = share.repeats || channel.out.all_unsent();
        channel.out.write(datagram, static_cast<std::uint64_t>(MessageKind::reliable), kMessageKindBits,
                          record, share);
    }
    /// Call when the datagram leaves.
    void sent(Instant now, const SentRecord& record) {
        window.sent(now, record);
        channel.out.sent(record);
        if (std::exchange(repeats_, false)) repeated_at = now;
        last_sent = now;
        acks.last = acknowledges();
        if (acks.last && acks.copies != 0) --acks.copies;
        ack_owed_since = kNever;
        acks.due = false;
        acks_owed = 0;
    }

    struct Received {
        std::uint16_t sequence = 0;
        std::optional<AckHeader> ack;
    };
    /// Reads what write_header() wrote, with the counter of the seal; nothing if it is malformed.
    [[nodiscard]] static std::optional<Received> read_header(std::uint32_t counter, BitReader& in);
    /// Returns what the acknowledgement says of sent datagrams; completes their reliable messages.
    [[nodiscard]] std::optional<Fates> acknowledge(Instant now, const AckHeader& ack);
    struct ReadReliable {
        std::optional<Rejection> refused;
        AckWait ack{};
    };
    /// Reads one reliable message.
    ReadReliable read_reliable(BitReader& in, MessageSink& sink);
    /// The datagram was read to its end.
    void accept(Instant now, std::uint16_t sequence) {
        arrivals.accept(now, sequence);
        acks.copies = kAckCopies;
        last_heard = now;
    }
    /// The other side waits for an acknowledgement.
    void owe_ack(Instant now, AckWait wait) {
        ack_wait = ack_owed_since == kNever ? wait : std::min(ack_wait, wait);
        if (ack_owed_since == kNever) ack_owed_since = now;
        if (wait == AckWait::soon) ++acks_owed;
    }
    /// An acknowledgement names as many datagrams as kAckBits: of a burst, each must be named in time.
    [[nodiscard]] bool owes_many_acks() const { return acks_owed >= kAckBits / 2; }

    /// Reliable messages that do not ride are pending, and nothing was sent for longer than the
    /// retransmit timeout. `more`: by how much the other side delays acknowledgements.
    [[nodiscard]] bool resend_due(Instant now, Duration more) const {
        return channel.out.waits() && now - last_sent >= window.rtt().patience() + more;
    }
    /// The queue of reliable messages is full, and its oldest one has been unacknowledged for longer than
    /// `timeout`. To be called once per frame.
    [[nodiscard]] bool is_stuck(Instant now, Duration timeout);
    [[nodiscard]] LinkStats stats() const;
    [[nodiscard]] std::size_t memory_bytes() const;

    LinkEnds ends;
    SendWindow window;
    ReceiveWindow arrivals;
    Channel channel;
    Reassembly loose_pieces{kMaxPartials, kMaxLoosePieceBytes};  ///< fragments of unreliable messages

    Instant born;
    Instant last_heard;
    Instant last_sent{};
    Instant last_acked;            ///< when the other side last acknowledged anything
    Instant repeated_at{};         ///< when pending reliable messages were last sent anew
    Instant stuck_since = kNever;  ///< since when stuck_id is the oldest message of a full queue
    std::uint16_t stuck_id = 0;
    bool overloaded = false;          ///< reliable messages are discarded: the link will be dropped
    Instant ack_owed_since = kNever;  ///< since when a received message waits for its acknowledgement
    unsigned acks_owed = 0;           ///< datagrams whose sender waits for it
    AckWait ack_wait{};
    struct Acks {
        bool due = false;         ///< the next datagram leaves for its acknowledgement
        bool rare = false;        ///< the upload is short
        bool last = false;        ///< the last datagram acknowledged
        std::uint8_t copies = 0;  ///< of the newest arrivals, that are still to be sent
    };
    Acks acks;

private:
    // Of the same acknowledgement: one may be lost. More would fill the datagrams of a side that hears
    // seldom.
    static constexpr std::uint8_t kAckCopies = 2;

    /// Whether the next datagram acknowledges. If acknowledgements are rare, every second one, unless a
    /// message waits for it.
    [[nodiscard]] bool acknowledges() const {
        if (!acks.rare) return true;
        const bool is_awaited = ack_owed_since != kNever && ack_wait != AckWait::updates;
        return acks.copies != 0 && (acks.due || is_awaited || !acks.last);
    }

    bool repeats_ = false;  // the datagram that is written: messages that were sent before
};

}  // namespace fray
