#include "games/panzer/rules/crowd.hpp"

#include <algorithm>
#include <bit>

namespace fray::panzer {

void Crowd::clear(std::size_t tanks) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(2 * tanks, 16));
    heads_.assign(slots, kNobody);
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(slots));
    entries_.resize(4 * tanks);
    used_ = 0;
}

}  // namespace fray::panzer
