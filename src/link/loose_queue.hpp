#pragma once
// Unsent unreliable messages, one after the other in reused memory.

#include <fray/ledger.hpp>

#include "core/outbox.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class LooseQueue {
public:
    struct Message {
        std::uint32_t begin = 0;  ///< offset of its first byte
        std::uint16_t bits = 0;   ///< messages follow each other in a datagram without padding
        MessageKind kind{};
        Purpose purpose{};
        bool this_frame_only = false;  ///< dropped if it is unsent when the frame ends
    };

    /// Queues a message: with its length if the kind is framed, in fragments if it is too long for one
    /// datagram. False, and nothing is queued, if `largest_datagram` has no room for it. Drops the oldest
    /// message if the queue is full.
    bool queue(MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits, const Sending& how,
               std::size_t largest_datagram);
    /// Removes the oldest messages.
    void pop(std::size_t count);
    void drop_frame_messages();

    [[nodiscard]] bool empty() const { return messages_.empty(); }
    [[nodiscard]] std::span<const Message> messages() const { return messages_; }
    [[nodiscard]] std::span<const std::uint8_t> bytes(const Message& message) const {
        return std::span{bytes_}.subspan(message.begin, (message.bits + 7U) / 8);
    }
    /// Bytes of all messages, each rounded up.
    [[nodiscard]] std::size_t bytes_waiting() const {
        std::size_t sum = 0;
        for (const Message& m : messages_) sum += m.bits / 8 + 1U;
        return sum;
    }
    [[nodiscard]] std::size_t heap_bytes() const {
        return messages_.capacity() * sizeof(Message) + bytes_.capacity();
    }

private:
    bool queue_framed(MessageKind kind, std::span<const std::uint8_t> body, const Sending& how,
                      std::size_t largest_datagram);
    bool queue_fragments(MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits,
                         const Sending& how, std::size_t largest_datagram);
    bool push(MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits, const Sending& how,
              std::size_t largest_datagram);
    void close_gaps();

    std::vector<Message> messages_;
    std::vector<std::uint8_t> bytes_;
    std::uint8_t next_group_ = 0;  // of fragments
};

}  // namespace fray
