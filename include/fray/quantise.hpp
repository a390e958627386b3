#pragma once
// Real numbers in few bits, with stated precision.

#include <fray/bits.hpp>

#include <cstdint>

namespace fray {

/// The floats low, low + precision, ... up to high. A zero extent has one value and costs zero bits.
struct Range {
    float low = 0;
    float high = 0;
    float precision = 1;

    /// Largest quantised value.
    [[nodiscard]] std::uint32_t steps() const;
    [[nodiscard]] unsigned bits() const { return bits_for(steps()); }
    /// Nearest step; values outside are clamped, NaN becomes low.
    [[nodiscard]] std::uint32_t quantise(float value) const;
    [[nodiscard]] float restore(std::uint32_t step) const;
};

/// Degrees to steps of 360/2^bits, wrapped into one turn; NaN and infinities become 0. bits 1..16.
[[nodiscard]] std::uint32_t quantise_angle(float degrees, unsigned bits);
/// Degrees in [0, 360).
[[nodiscard]] float restore_angle(std::uint32_t step, unsigned bits);

}  // namespace fray
