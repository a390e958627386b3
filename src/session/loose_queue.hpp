#pragma once
// Unreliable messages that wait for their datagram, one behind the other in memory that is used again.

#include <fray/ledger.hpp>

#include "link/message_type.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class LooseQueue {
public:
    struct Message {
        std::uint32_t begin = 0;  ///< its first byte
        std::uint16_t bits = 0;   ///< what is meant: no padding gets between two messages
        MessageType type{};
        Purpose purpose{};
        bool passing = false;  ///< of no use in a later frame
    };

    /// Where there are very many, the oldest gives way.
    void push(MessageType type, Purpose purpose, std::span<const std::uint8_t> bytes, std::size_t bits,
              bool passing);
    void pop(std::size_t count);
    void drop_passing();

    [[nodiscard]] bool empty() const { return messages_.empty(); }
    [[nodiscard]] std::span<const Message> messages() const { return messages_; }
    [[nodiscard]] std::span<const std::uint8_t> bytes(const Message& message) const {
        return std::span{bytes_}.subspan(message.begin, (message.bits + 7U) / 8);
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
