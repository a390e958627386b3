#pragma once
// Tells linked peers how much attention our player pays to theirs, and keeps what they tell us. The messages
// go into datagrams that leave anyway; they are not acknowledged, but repeated.

#include "core/message.hpp"
#include "interest/attention.hpp"
#include "wire/part_context.hpp"

#include <cstddef>
#include <cstdint>

namespace fray {

class AttentionExchange {
public:
    /// Of a message in a datagram: kind, length and value.
    static constexpr std::size_t kMessageBytes = 3;

    AttentionExchange(const PartContext& context, const Attention& attention);

    /// Once per frame, when our attention has been estimated.
    void run_frame();
    /// Whether the next datagram to this link is to tell our attention.
    [[nodiscard]] bool is_due(LinkNumber link) const;
    /// Our attention has risen so much that the other side probably counts us out wrongly.
    [[nodiscard]] bool is_urgent(LinkNumber link) const;
    void tell(LinkNumber link);
    /// What was told in this frame did not leave.
    void undo(LinkNumber link);

    [[nodiscard]] Receipt handle_message(const Arrival& arrival, BitReader& in);
    /// The attention that the other side says it pays to us, in steps.
    [[nodiscard]] std::uint8_t heard(LinkNumber link) const {
        const Other* other = others_.find(link);
        return other == nullptr ? std::uint8_t{0} : other->heard;
    }

    [[nodiscard]] std::uint64_t told_count() const { return told_count_; }
    [[nodiscard]] std::uint64_t heard_count() const { return heard_count_; }
    void forget_link(LinkNumber link) { others_.erase(link); }
    void reset() { others_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const { return others_.heap_bytes(); }

private:
    struct Other {
        std::uint8_t heard = 0;
        std::uint8_t told = 0;
        bool was_told = false;
        std::uint32_t told_in = 0;  // frame
    };
    [[nodiscard]] std::uint32_t frames_since(const Other& other) const { return frame_ - other.told_in; }

    const PartContext& context_;
    const Attention& attention_;
    std::uint32_t repeat_;  // frames
    std::uint32_t pause_;   // frames between two urgent messages to a link
    std::uint32_t frame_ = 0;
    PerLink<Other> others_;
    std::uint64_t told_count_ = 0;
    std::uint64_t heard_count_ = 0;
};

}  // namespace fray
