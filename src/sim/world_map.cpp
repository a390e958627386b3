#include "sim/world_map.hpp"

#include "sim/quantile_table.hpp"

#include <cmath>
#include <cstddef>

namespace fray::sim {

namespace {

// Fitted to the round-trip times between 340 PlanetLab hosts (NetLatency-Data, R. Zhu et al., IEEE/ACM Trans.
// Networking 25, 2017; median of 12 slices per pair). The hosts were laid into a plane, each with a height
// above it, so that plane distance plus both heights comes close to the measured time (median ratio 1.01, 90
// % of pairs between 0.85 and 1.33). What is kept of it: regions of the plane, the distribution of heights,
// and that of the ratio. The ratio is drawn per pair at half of its measured spread: in the data it is alike
// for neighbouring hosts, and independent draws of full spread would make half as many violated triangles
// again.
//                        measured   this map
//   p5, p25 (ms)         19   62    20    61
//   p50                  136        136
//   p75, p95             206  331   216   329
//   violated triangles   17 %       18 %
struct Region {
    double weight;  // hosts
    double x;       // centre and spread, milliseconds of round-trip time
    double y;
    double spread_x;
    double spread_y;
};
constexpr std::array<Region, 7> kRegions{{
    {150, -62.0, 7.2, 14.6, 21.1},   // Europe
    {87, 43.5, -28.1, 11.0, 11.5},   // North America, east
    {48, 98.3, -7.1, 16.2, 12.8},    // North America, west
    {18, 187.0, 132.0, 15.8, 25.7},  // East Asia
    {18, 94.0, 200.0, 14.2, 22.8},   // East Asia, by another way
    {10, 258.0, -64.0, 15.3, 7.7},   // Oceania
    {9, 86.0, -208.0, 9.4, 32.6},    // South America
}};
constexpr QuantileTable<9> kHeight{{0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1},
                                   {0, 0, 0.4, 1.5, 4.0, 10.5, 30, 82, 100}};
constexpr QuantileTable<11> kDetour{
    {0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1},
    {0.784, 0.85, 0.926, 0.945, 0.973, 1.005, 1.043, 1.096, 1.157, 1.351, 1.576}};

constexpr double kOneWayMicros = 500;  // of a millisecond of round-trip time

const Region& choose_region(double u) {
    double sum = 0;
    for (const Region& region : kRegions) sum += region.weight;
    u *= sum;
    for (const Region& region : kRegions) {
        u -= region.weight;
        if (u < 0) return region;
    }
    return kRegions.back();
}

/// Mixes a pair's two numbers, in either order, into 64 bits.
std::uint64_t mix_pair(std::uint64_t salt, PeerIndex a, PeerIndex b) {
    const std::uint64_t low = a < b ? a : b;
    const std::uint64_t high = a < b ? b : a;
    std::uint64_t mixed = (salt ^ ((high << 32U) | low)) * 0xBF58476D1CE4E5B9ULL;
    mixed ^= mixed >> 29U;
    return mixed * 0x94D049BB133111EBULL;
}

}  // namespace

WorldMap::WorldMap(const WorldLatency& options, Seed seed)
    : options_{options}, seed_{seed}, pair_salt_{derive(seed, "world pairs").value} {
    for (std::size_t i = 0; i < detour_.size(); ++i) {
        detour_[i] =
            static_cast<float>(kDetour((static_cast<double>(i) + 0.5) / static_cast<double>(detour_.size())));
    }
}

Micros WorldMap::one_way(PeerIndex a, PeerIndex b) {
    if (a == b) return 0;
    const PeerIndex last = a > b ? a : b;
    if (last >= sites_.size()) make_sites(last);
    const Site& from = sites_[a];
    const Site& to = sites_[b];
    const float x = from.x - to.x;
    const float y = from.y - to.y;
    const float direct = std::sqrt(x * x + y * y) + (from.height + to.height);
    const float path = direct * detour_[mix_pair(pair_salt_, a, b) >> 56U];
    return static_cast<Micros>(path + (from.last_mile + to.last_mile));
}

void WorldMap::make_sites(PeerIndex last) {
    while (sites_.size() <= last) sites_.push_back(make_site(static_cast<PeerIndex>(sites_.size())));
}

WorldMap::Site WorldMap::make_site(PeerIndex peer) const {
    RandomStream random{seed_, "world site", peer};
    const Region& region = choose_region(random.uniform());
    const double unit = kOneWayMicros * options_.scale;
    Site site;
    site.x = static_cast<float>(random.normal(region.x, region.spread_x) * unit);
    site.y = static_cast<float>(random.normal(region.y, region.spread_y) * unit);
    site.height = static_cast<float>(kHeight(random.uniform()) * unit);
    const auto last_mile = static_cast<double>(options_.last_mile_median.count());
    site.last_mile = static_cast<float>(random.log_normal(last_mile, options_.last_mile_sigma));
    return site;
}

}  // namespace fray::sim
