#pragma once
// Which peers relay the updates of an origin that more others watch than its upload serves: the strongest
// members of its row, by announced upload and then by hash, so everybody who knows the row and the announced
// number finds the same ones without a message.
//
// Updates are striped: each relay gets every fourth update or so, and a watcher asks one relay per stripe. So
// four times as many relays share the load at the same cost for the origin, and a relay that fails or lies
// holds a quarter of the updates.

#include "overlay/roster.hpp"

#include <cstdint>
#include <vector>

namespace fray {

inline constexpr unsigned kStripes = 4;

class CrowdFanOut {
public:
    /// What others know of us as well.
    struct Self {
        std::uint32_t name = 0;
        std::uint8_t weight = 1;
    };
    /// `feeds`: relays that the origin feeds in one frame. 0: none.
    CrowdFanOut(CrowdRoster& roster, const Self& self, std::uint32_t origin, std::uint8_t feeds);

    /// The stripes that this peer relays, as bits; 0: it is no relay.
    [[nodiscard]] unsigned stripes(std::uint32_t name) const;
    /// The relays of one stripe.
    [[nodiscard]] std::vector<std::uint32_t> relays(unsigned stripe) const;

private:
    /// A row with few members has several slots for each.
    [[nodiscard]] std::uint32_t at(std::size_t slot) const { return relays_[slot % relays_.size()]; }

    std::size_t slots_;
    std::vector<std::uint32_t> relays_;  // names, the strongest first
};

}  // namespace fray
