#pragma once
// How parts send. A message is queued in the outbox at once. What must be computed when a datagram leaves (a
// clock reading, the newest state) is written by a DatagramWriter at that moment.

#include <fray/event.hpp>
#include <fray/ledger.hpp>
#include <fray/serialize.hpp>

#include "core/message.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// How a message is sent, and which purpose its bytes are booked to.
struct Sending {
    Delivery delivery{};
    Purpose purpose{};
    bool this_frame_only = false;  ///< unreliable: dropped if it has not left by the end of the frame
    /// Reliable: replaces an unsent message of the same kind about the same subject, and is never refused: a
    /// link with too many of them is dropped. At most one fragment long.
    std::optional<std::uint32_t> replaces{};
    /// Reliable: another player waits for it. It leaves before all other messages, and what is kept of the
    /// upload for such messages is for it.
    bool prompt = false;
};

class Outbox {
public:
    /// Queues one message. False, and nothing is queued, if the queue of reliable messages is full.
    template <class T>
    bool send(LinkNumber link, MessageKind kind, const T& value, const Sending& how) {
        std::vector<std::uint8_t> bytes((measure(value) + 7) / 8);
        BitWriter out{bytes};
        write(out, value);
        const std::size_t bits = out.bit_count();
        out.finish();
        return send_bits(link, kind, bytes, bits, how);
    }
    /// The same for a message that is encoded already.
    virtual bool send_bits(LinkNumber link, MessageKind kind, std::span<const std::uint8_t> bytes,
                           std::size_t bits, const Sending& how) = 0;
    /// Whether a reliable message of this many bytes would be accepted.
    [[nodiscard]] virtual bool has_room(LinkNumber link, std::size_t bytes) const = 0;
    /// The queue of this link stays full, and others must not wait for it: what is sent to it from now on is
    /// discarded, and the link is dropped in the next frame.
    virtual void give_up(LinkNumber link) = 0;
    /// A DatagramWriter has a message for this link: sends a datagram as soon as the upload allows. Without
    /// this call, the writer may not be asked to write.
    virtual void wake(LinkNumber link) = 0;
    /// Bytes, headers included; a larger datagram never fits the budget.
    [[nodiscard]] virtual std::size_t largest_datagram() const = 0;

protected:
    ~Outbox() = default;
};

/// Writes messages into datagrams when they leave.
class DatagramWriter {
public:
    [[nodiscard]] virtual bool has_messages(LinkNumber link) const = 0;
    /// Appends whole messages, kind included, as many as fit. `sequence` is the datagram's.
    virtual void write_messages(Instant now, LinkNumber link, std::uint16_t sequence, BitWriter& out) = 0;
    /// The datagram that write_messages() wrote into last has left. Returns whether more messages wait for
    /// this link.
    [[nodiscard]] virtual bool handle_sent(Instant now, LinkNumber link) = 0;
    /// A datagram that was sent in this frame was acknowledged; `age` datagrams were sent after it.
    virtual void handle_delivered(LinkNumber, std::uint32_t /*frame*/, std::uint16_t /*sequence*/,
                                  unsigned /*age*/) {}

protected:
    ~DatagramWriter() = default;
};

}  // namespace fray
