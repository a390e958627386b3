#include "trade/trade_numbers.hpp"

#include <utility>

namespace fray {

/// The stay and a count. The count is permuted (Feistel, four rounds), so that numbers stay distinct.
std::uint64_t TradeNumbers::next() {
    ++counter_;
    std::uint64_t left = counter_ >> 16U;
    std::uint64_t right = counter_ & 0xFFFFU;
    for (std::uint64_t round = 0; round < 4; ++round) {
        const std::uint64_t index = std::uint64_t{stay_} << 32U | round << 16U | right;
        const std::uint64_t mixed = RandomStream{seed_, "trade number", index}.next() & 0xFFFFU;
        left = std::exchange(right, left ^ mixed);
    }
    return std::uint64_t{stay_} << 32U | left << 16U | right;
}

}  // namespace fray
