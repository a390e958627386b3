#pragma once
// Places any number of peers on a map of the world, so that the delays between them resemble measured ones.

#include <fray/network_model.hpp>
#include <fray/random.hpp>

#include "sim/event_queue.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fray::sim {

class WorldMap {
public:
    WorldMap(const WorldLatency& options, Seed seed);
    /// Symmetric; the last miles of both ends included.
    [[nodiscard]] Micros one_way(PeerIndex a, PeerIndex b);

private:
    struct Site {
        float x = 0;  // coordinates in microseconds of one-way delay
        float y = 0;
        float height = 0;     // added to every path of this peer
        float last_mile = 0;  // the home line
    };

    Site make_site(PeerIndex peer) const;
    void make_sites(PeerIndex last);

    WorldLatency options_;
    Seed seed_;
    std::uint64_t pair_salt_;
    std::array<float, 256> detour_{};  // path length over direct distance, equally likely factors
    std::vector<Site> sites_;
};

}  // namespace fray::sim
