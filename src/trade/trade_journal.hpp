#pragma once
// The state that a desk must not lose, as bytes for the game to store:
//
//   | version 16 | fingerprint of the rest 64 | owner 128 | seed 64 | stay 32 |
//   items | trades | closed | forgotten |

#include <fray/trade.hpp>

#include "trade/closed_trade.hpp"
#include "trade/trade.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

struct TradeJournal {
    PeerId owner;
    Seed seed{};             // of the numbers it draws
    std::uint32_t stay = 0;  // times the desk was opened: the upper half of every number it draws
    Items items{};
    std::vector<Trade> trades{};
    std::vector<ClosedTrade> closed{};  // oldest first
    std::vector<PeerId> forgotten{};    // ascending
};

[[nodiscard]] std::vector<std::uint8_t> encode(const TradeJournal& journal);
/// Returns an error if the journal is damaged, invalid, or of another version or owner.
[[nodiscard]] Result<TradeJournal> decode_journal(std::span<const std::uint8_t> bytes, const PeerId& owner);

}  // namespace fray
