#pragma once
// Real numbers in few bits, with a stated precision.

#include <fray/bits.hpp>

#include <cstdint>

namespace fray {

/// The values low, low + precision, ... up to high. An empty extent has one value and takes no bits.
struct Range {
    float low = 0;
    float high = 0;
    float precision = 1;

    /// The largest quantised value.
    [[nodiscard]] std::uint32_t steps() const;
    [[nodiscard]] unsigned bits() const { return bits_for(steps()); }
    /// Whether restore(quantise(value)) is as exact as the precision promises: false for values more than
    /// half a step outside, and for NaN.
    [[nodiscard]] bool contains(float value) const {
        const double half = double{precision} / 2;
        return double{value} >= double{low} - half && double{value} <= double{high} + half;
    }
    /// The nearest step. Values outside are clamped; NaN becomes low.
    [[nodiscard]] std::uint32_t quantise(float value) const;
    [[nodiscard]] float restore(std::uint32_t step) const;
};

/// Quantises degrees to steps of 360/2^bits within one turn; NaN and infinities become 0. bits is 1 to 16.
[[nodiscard]] std::uint32_t quantise_angle(float degrees, unsigned bits);
/// Returns degrees in [0, 360).
[[nodiscard]] float restore_angle(std::uint32_t step, unsigned bits);

}  // namespace fray
