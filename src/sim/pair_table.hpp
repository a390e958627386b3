#pragma once
// The network's state of one direction between two peers, created with the first datagram in that direction.
// An open-addressing table: at 100,000 peers only the few million directions in use take memory.

#include <fray/network_model.hpp>

#include "sim/event_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray::sim {

struct PairState {
    std::uint64_t key = kUnused;
    Micros last_arrival = 0;           ///< of those in order
    std::uint32_t trace_at = 0;        ///< next sample of a trace
    std::uint32_t shift_slot = kNone;  ///< the slot of time that `shift` is for
    std::int32_t shift = 0;            ///< microseconds
    std::uint16_t rule = 0xFFFF;       ///< a PathRule, or none
    bool fresh = true;                 ///< no datagram was sent yet
    bool bad = false;                  ///< the state of Gilbert's model: everything is lost

    static constexpr std::uint64_t kUnused = ~0ULL;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

class PairTable {
public:
    /// The state of this direction; valid until the next call.
    PairState& find(PeerIndex from, PeerIndex to) {
        if ((used_ + 1) * 4 > slots_.size() * 3) grow();
        const std::uint64_t key = (static_cast<std::uint64_t>(from) << 32U) | to;
        PairState& slot = slots_[place(key)];
        if (slot.key != key) {
            slot.key = key;
            ++used_;
        }
        return slot;
    }
    [[nodiscard]] std::size_t size() const { return used_; }
    [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(PairState); }

private:
    void grow();
    [[nodiscard]] std::size_t place(std::uint64_t key) const {
        auto at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> shift_);
        while (slots_[at].key != key && slots_[at].key != PairState::kUnused)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    std::vector<PairState> slots_;
    std::size_t used_ = 0;
    unsigned shift_ = 64;  // 64 - log2(slots)
};

}  // namespace fray::sim
