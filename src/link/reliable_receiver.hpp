#pragma once
// Delivers each reliable message exactly once, and ordered ones in order.

#include <fray/event.hpp>
#include <fray/stats.hpp>

#include "link/reassembly.hpp"
#include "link/reliable_sender.hpp"
#include "wire/limits.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// Receives the messages of a link.
class MessageSink {
public:
    /// False if there is no room at the moment: the message is offered again.
    virtual bool handle_reliable(Delivery delivery, std::span<const std::uint8_t> bytes) = 0;

protected:
    ~MessageSink() = default;
};

class ReliableReceiver {
public:
    /// Takes one received message or fragment and delivers what is complete and in order. Returns why it was
    /// rejected.
    std::optional<Rejection> accept(const ReliableHeader& header, std::span<const std::uint8_t> bytes,
                                    MessageSink& sink);
    /// Offers messages again that are in order and were not taken.
    void release_held(MessageSink& sink);
    /// Whether a message that is in order was not taken.
    [[nodiscard]] bool stuck() const { return stuck_; }
    /// Whether anything has ever arrived.
    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    enum class Novelty : std::uint8_t { fresh, seen, impossible };
    struct Held {
        std::uint16_t order = 0;
        std::vector<std::uint8_t> bytes;
    };
    [[nodiscard]] Novelty judge(std::uint16_t id) const;
    void mark(std::uint16_t id);
    [[nodiscard]] std::size_t held_bytes() const;
    std::optional<Rejection> hand_up(const ReliableHeader& header, std::span<const std::uint8_t> bytes,
                                     MessageSink& sink);

    std::array<std::uint64_t, kReceiveSpan / 64> seen_{};  // by id modulo the span
    std::vector<Held> held_;
    // Large enough that nothing of a sender that follows the protocol is evicted: a fragmented message takes
    // at least two ids of the span.
    Reassembly pieces_{kReliableSpan / 2, kMaxReliablePieceBytes};
    std::uint16_t newest_ = 0xFFFF;
    std::uint16_t next_order_ = 0;
    bool any_ = false;
    bool stuck_ = false;
};

}  // namespace fray
