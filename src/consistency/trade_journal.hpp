#pragma once
// What a desk must not forget, as bytes for the game to store:
//
//   | version 16 | fingerprint of the rest 64 | owner 128 | seed 64 | stay 32 |
//   items | trades | closed | forgotten |

#include <fray/trade.hpp>

#include "consistency/trade.hpp"
#include "consistency/trade_packet.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

/// Trades that are over and whose late messages are still recognised. It spares the game an old offer shown
/// twice, and tells a witness that was away how it ended; that nothing happens twice does not depend on it.
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
    Seed seed{};             // of the numbers it gives
    std::uint32_t stay = 0;  // how often the desk was opened: the upper half of every number it gives
    Items items{};
    std::vector<Trade> trades{};
    std::vector<ClosedTrade> closed{};  // oldest first
    std::vector<PeerId> forgotten{};    // ascending
};

[[nodiscard]] std::vector<std::uint8_t> encode(const TradeJournal& journal);
/// Refuses what is damaged, of another version or another owner, or cannot be.
[[nodiscard]] Result<TradeJournal> decode_journal(std::span<const std::uint8_t> bytes, const PeerId& owner);

/// What the undecided trades hold of an item, and what they may bring.
[[nodiscard]] std::uint64_t locked(const std::vector<Trade>& trades, ItemId item);
[[nodiscard]] std::uint64_t incoming(const std::vector<Trade>& trades, ItemId item);
/// How many different items we may come to own: what we do, what they may bring, and `more`.
[[nodiscard]] std::size_t kinds(const Items& owned, const std::vector<Trade>& trades, const Items& more = {});

}  // namespace fray
