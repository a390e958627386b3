#include "overlay/crowd_fan_out.hpp"

#include "overlay/rendezvous.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace fray {

CrowdFanOut::CrowdFanOut(CrowdRoster& roster, const Self& self, std::uint32_t origin, std::uint8_t feeds)
    : slots_{std::size_t{feeds} * kStripes} {
    std::vector<std::tuple<std::uint8_t, std::uint64_t, std::uint32_t>> ranks;
    const auto add = [&](std::uint32_t name, std::uint8_t weight) {
        if (name != origin) ranks.emplace_back(weight, rank_of(origin, name, 1), name);
    };
    for (const KnownPeer& peer : roster.row(roster.row_of(origin))) add(peer.name, peer.weight);
    if (roster.in_own_row(origin)) add(self.name, self.weight);
    std::ranges::sort(ranks, std::greater{});
    if (ranks.size() > slots_) ranks.resize(slots_);
    for (const auto& rank : ranks) relays_.push_back(std::get<std::uint32_t>(rank));
}

unsigned CrowdFanOut::stripes(std::uint32_t name) const {
    unsigned bits = 0;
    for (std::size_t slot = 0; slot < slots_ && !relays_.empty(); ++slot) {
        if (at(slot) == name) bits |= 1U << (slot % kStripes);
    }
    return bits;
}

std::vector<std::uint32_t> CrowdFanOut::relays(unsigned stripe) const {
    std::vector<std::uint32_t> names;
    for (std::size_t slot = stripe; slot < slots_ && !relays_.empty(); slot += kStripes)
        names.push_back(at(slot));
    return names;
}

}  // namespace fray
