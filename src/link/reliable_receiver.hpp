#pragma once
// Exactly once, and in order where that was asked for.

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

/// Takes what a link hands up.
class MessageSink {
public:
    /// False where there is no room at the moment: it is offered again.
    virtual bool handle_reliable(Delivery delivery, std::span<const std::uint8_t> bytes) = 0;

protected:
    ~MessageSink() = default;
};

class ReliableReceiver {
public:
    /// One reliable message as it came; hands up what is complete and due. Says why it was refused.
    std::optional<Rejection> accept(const ReliableHeader& header, std::span<const std::uint8_t> bytes,
                                    MessageSink& sink);
    /// Offers again what is in order and was not taken.
    void release_held(MessageSink& sink);
    /// There is such a message.
    [[nodiscard]] bool stuck() const { return stuck_; }
    /// Something arrived, ever.
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
    std::optional<Rejection> hand_up(const ReliableHeader& header, std::span<const std::uint8_t> bytes,
                                     MessageSink& sink);

    std::array<std::uint64_t, kReceiveSpan / 64> seen_{};  // by id modulo the span
    std::vector<Held> held_;
    Reassembly pieces_{kReliableSpan /
                       2};  // the span has no more messages of two pieces: none is ever evicted
    std::uint16_t newest_ = 0xFFFF;
    std::uint16_t next_order_ = 0;
    bool any_ = false;
    bool stuck_ = false;
};

}  // namespace fray
