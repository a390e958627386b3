#pragma once
// The state that a desk must not lose, as bytes for the game to store:
//
//   | version 16 | fingerprint of the rest 64 | owner 128 | seed 64 | stay 32 |
//   items | trades | closed | forgotten |

#include <fray/trade.hpp>

#include "trade/trade.hpp"
#include "trade/trade_packet.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

/// Trades that are over and whose late messages are still recognised. An old offer is not shown twice, and a
/// witness that was away learns the decision. Safety does not depend on it.
inline constexpr std::size_t kMostClosed = 64;

struct ClosedTrade {
    TradeName name;
    bool committed = false;
};

template <class Stream>
void serialize(Stream& s, ClosedTrade& closed) {
    serialize(s, closed.name);
    s.boolean(closed.committed);
}

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

/// The count of an item that undecided trades lock, and the count that they may bring.
[[nodiscard]] std::uint64_t locked(const std::vector<Trade>& trades, ItemId item);
[[nodiscard]] std::uint64_t incoming(const std::vector<Trade>& trades, ItemId item);
/// The number of different items that we may come to own: present ones, incoming ones, and `more`.
[[nodiscard]] std::size_t kinds(const Items& owned, const std::vector<Trade>& trades, const Items& more = {});

}  // namespace fray
