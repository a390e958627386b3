#pragma once
// The message by which a peer tells another one its attention on it, in one byte. Every byte is a value: an
// attention above the largest one cannot be claimed.

#include <fray/serialize.hpp>

#include <algorithm>
#include <cstdint>

namespace fray {

inline constexpr double kAttentionSteps = 32;  ///< per unit of attention

struct AttentionMessage {
    std::uint8_t steps = 0;
};
template <class Stream>
void serialize(Stream& stream, AttentionMessage& message) {
    stream.whole(message.steps);
}

/// The nearest step; at most 255.
[[nodiscard]] inline std::uint8_t attention_steps(double attention) {
    return static_cast<std::uint8_t>(std::clamp(attention * kAttentionSteps + 0.5, 0.0, 255.0));
}

}  // namespace fray
