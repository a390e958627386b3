#pragma once
// A distribution given by some of its quantiles, interpolated linearly.

#include <array>
#include <cstddef>

namespace fray::sim {

template <std::size_t N>
struct QuantileTable {
    std::array<double, N> shares;  ///< rising, from 0 to 1
    std::array<double, N> values;

    /// The value below which the share u, [0, 1), of all lies.
    [[nodiscard]] constexpr double operator()(double u) const {
        std::size_t i = 0;
        while (i + 2 < N && shares[i + 1] <= u) ++i;
        return values[i] + (values[i + 1] - values[i]) * (u - shares[i]) / (shares[i + 1] - shares[i]);
    }
};

}  // namespace fray::sim
