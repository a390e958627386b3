#include "sim/pair_table.hpp"

#include <utility>

namespace fray::sim {

namespace {
constexpr unsigned kFirstBits = 6;
}

void PairTable::grow() {
    shift_ = slots_.empty() ? 64 - kFirstBits : shift_ - 1;
    std::vector<PairState> old(std::size_t{1} << (64 - shift_));
    std::swap(old, slots_);
    for (const PairState& state : old) {
        if (state.key != PairState::kUnused) slots_[place(state.key)] = state;
    }
}

}  // namespace fray::sim
