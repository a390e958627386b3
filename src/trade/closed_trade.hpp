#pragma once
// A trade that is over and whose late messages are still recognised. An old offer is not shown twice, and a
// witness that was away learns the decision. Safety does not depend on it.

#include "trade/trade_packet.hpp"

#include <cstddef>

namespace fray {

inline constexpr std::size_t kMostClosed = 64;  // per desk

struct ClosedTrade {
    TradeName name;
    bool committed = false;
};

template <class Stream>
void serialize(Stream& s, ClosedTrade& closed) {
    serialize(s, closed.name);
    s.boolean(closed.committed);
}

}  // namespace fray
