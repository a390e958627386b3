#pragma once
// Unsent unreliable messages, one after the other in reused memory.

#include <fray/ledger.hpp>

#include "core/message.hpp"

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

    /// Drops the oldest message if the queue is full.
    void push(MessageKind kind, Purpose purpose, std::span<const std::uint8_t> bytes, std::size_t bits,
              bool this_frame_only);
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
    void close_gaps();

    std::vector<Message> messages_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace fray
