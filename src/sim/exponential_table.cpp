#include "sim/exponential_table.hpp"

#include "core/math.hpp"

namespace fray::sim {

ExponentialTable::ExponentialTable() {
    quantiles_.reserve(kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
        quantiles_.push_back(-math::log(1 - static_cast<double>(i) / static_cast<double>(kSize)));
    }
}

double ExponentialTable::tail(std::uint64_t bits) {
    return -math::log(1 - static_cast<double>(bits >> 11U) * 0x1.0p-53);
}

}  // namespace fray::sim
