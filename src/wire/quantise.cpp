#include <fray/quantise.hpp>

#include <algorithm>
#include <cmath>

namespace fray {

// Everything is computed in double: floats convert exactly, so both ends of a link get the same steps.

std::uint32_t Range::steps() const {
    const double steps = (double{high} - double{low}) / double{precision} + 0.5;
    if (!(steps >= 1)) return 0;
    return static_cast<std::uint32_t>(std::min(steps, 4294967295.0));
}

std::uint32_t Range::quantise(float value) const {
    const double step = (double{value} - double{low}) / double{precision} + 0.5;
    if (!(step >= 1)) return 0;
    const std::uint32_t most = steps();
    return step >= most ? most : static_cast<std::uint32_t>(step);
}

float Range::restore(std::uint32_t step) const {
    return static_cast<float>(std::min(double{low} + step * double{precision}, double{high}));
}

std::uint32_t quantise_angle(float degrees, unsigned bits) {
    if (!std::isfinite(degrees)) return 0;
    const double turns = double{degrees} / 360.0;
    const double part = turns - std::floor(turns);
    const auto count = std::uint32_t{1} << bits;
    return static_cast<std::uint32_t>(part * count + 0.5) & (count - 1);
}

float restore_angle(std::uint32_t step, unsigned bits) {
    return static_cast<float>(step * (360.0 / static_cast<double>(std::uint32_t{1} << bits)));
}

}  // namespace fray
