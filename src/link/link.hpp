#pragma once
// One link: everything between this peer and one other, from the handshake to the last acknowledgement.
//
//   data datagram
//   | kind 2 | link varint | sequence 16 | acks 1 | [newest 16, delay 8, all 1, [earlier 32]] | messages |
//   padding | seal 20 B |
//
// A link composes: it owns no policy about what to send when, and knows nothing of entities.

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

#include <cstdint>
#include <memory>
#include <optional>

namespace fray {

/// Who is at the other end, and how each side names this link.
struct LinkEnds {
    PeerId peer;
    Incarnation incarnation{};
    Address address;
    std::uint16_t local_number = 0;
    std::uint16_t remote_number = 0;
    Token local_token{};
    Token remote_token{};
    bool remote_known = false;  ///< we know its number and token: it may be answered
    bool proven = false;        ///< it showed that it knows our token: it is where it says it is
};

/// Exactly-once survives a link: the same two incarnations go on where they were when they meet again.
struct Channel {
    ReliableSender out;
    ReliableReceiver in;
    std::uint32_t id = 0;         ///< drawn when it is made
    std::uint32_t remote_id = 0;  ///< of the other side's; another one there means that it forgot
};

class Link {
public:
    Link(const LinkEnds& both_ends, Instant now)
        : ends{both_ends}, born{now}, last_heard{now}, last_acked{now} {}

    /// Both sides have proved themselves: data may flow.
    [[nodiscard]] bool open() const { return ends.remote_known && ends.proven; }

    /// Link number, sequence and acknowledgements: how every data datagram and early data begins.
    void write_header(Instant now, DatagramBuilder& datagram) const;
    /// Reliable messages that ride along.
    void write_reliable(DatagramBuilder& datagram, SentRecord& record) {
        channel.out.write(datagram, static_cast<std::uint64_t>(MessageKind::reliable), kMessageKindBits,
                          record);
    }
    /// The datagram leaves now.
    void sent(Instant now, const SentRecord& record) {
        window.sent(now, record);
        channel.out.sent(record);
        last_sent = now;
        ack_owed_since = kNever;
    }

    struct Received {
        std::uint16_t sequence = 0;
        std::optional<AckHeader> ack;
    };
    /// Reads what write_header() wrote after the link number; nothing where it is malformed.
    [[nodiscard]] static std::optional<Received> read_header(BitReader& in);
    /// What an acknowledgement says; reliable messages are settled here.
    [[nodiscard]] std::optional<Fates> acknowledge(Instant now, const AckHeader& ack);
    /// One reliable message from the wire.
    std::optional<Rejection> read_reliable(BitReader& in, MessageSink& sink);
    /// The datagram was read whole.
    void accept(Instant now, std::uint16_t sequence, bool wants_ack) {
        arrivals.accept(now, sequence);
        last_heard = now;
        if (wants_ack && ack_owed_since == kNever) ack_owed_since = now;
    }

    /// Reliable messages wait and nothing was sent for longer than a round trip.
    [[nodiscard]] bool resend_due(Instant now) const {
        return !channel.out.empty() && now - last_sent >= window.rtt().patience();
    }
    [[nodiscard]] LinkStats stats() const;
    [[nodiscard]] std::size_t memory_bytes() const;

    LinkEnds ends;
    SendWindow window;
    ReceiveWindow arrivals;
    Channel channel;
    Reassembly loose_pieces{kMaxPartials};  ///< of unreliable messages

    Instant born;
    Instant last_heard;
    Instant last_sent{};
    Instant last_acked;               ///< when the other side last acknowledged anything
    Instant ack_owed_since = kNever;  ///< something arrived that wants an acknowledgement
};

}  // namespace fray
