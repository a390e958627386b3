#pragma once
// The parts of an update body other than pose and payload, as primaries write and replicas read them.

#include <fray/bits.hpp>
#include <fray/world.hpp>

#include "wire/session_time.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

inline constexpr unsigned kInputLengthBits = bits_for(kMaxInputBytes);

/// Time between two states in whole milliseconds, from their stamps, which both ends know.
[[nodiscard]] inline Duration stamp_difference(std::uint16_t from, std::uint16_t to) {
    return std::chrono::milliseconds{static_cast<std::int16_t>(to - from)};
}
[[nodiscard]] inline Duration stamp_difference(SessionInstant from, SessionInstant to) {
    return stamp_difference(stamp_of(from), stamp_of(to));
}

/// Most entities have no payload, and many no input: then nothing is to be done.
inline void copy_bytes(std::span<const std::uint8_t> from, std::vector<std::uint8_t>& to) {
    if (from.empty())
        to.clear();
    else
        to.assign(from.begin(), from.end());
}

/// Takes one bit if the input equals the baseline's.
inline void write_input(BitWriter& out, std::span<const std::uint8_t> baseline,
                        std::span<const std::uint8_t> input) {
    const bool changed = !std::ranges::equal(baseline, input);
    out.boolean(changed);
    if (!changed) return;
    out.bits(input.size(), kInputLengthBits);
    out.copy(input, input.size() * 8);
}

inline void read_input(BitReader& in, std::span<const std::uint8_t> baseline,
                       std::vector<std::uint8_t>& input) {
    if (!in.boolean()) return copy_bytes(baseline, input);
    const auto length = static_cast<std::size_t>(in.bits(kInputLengthBits));
    if (length > kMaxInputBytes || length * 8 > in.bits_left()) return in.fail();
    input.resize(length);
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(in.bits(8));
}

}  // namespace fray
