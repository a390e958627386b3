#include "sim/pair_table.hpp"

#include <utility>

namespace fray::sim {

namespace {
constexpr unsigned kFirstBits = 6;
}

PairState& PairTable::find(PeerIndex from, PeerIndex to) {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
    const std::uint64_t key = (static_cast<std::uint64_t>(from) << 32U) | to;
    PairState& slot = slots_[place(key)];
    if (slot.key != key) {
        slot.key = key;
        ++used_;
    }
    return slot;
}

std::size_t PairTable::place(std::uint64_t key) const {
    auto at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> shift_);
    while (slots_[at].key != key && slots_[at].key != PairState::kUnused) at = (at + 1) & (slots_.size() - 1);
    return at;
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
