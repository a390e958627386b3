#include "lab/metrics/median_latency.hpp"

#include <fray/random.hpp>

#include "sim/network.hpp"

#include <algorithm>
#include <vector>

namespace fray::lab {
namespace {

constexpr PeerIndex kPeers = 64;
constexpr int kPerPair = 9;
constexpr sim::Micros kPairInterval = 200'000;  ///< between two datagrams of a pair
constexpr std::uint32_t kBytes = 100;

}  // namespace

Duration median_latency(const NetworkModel& model) {
    sim::Network network{model, Seed{1}, 0};
    for (PeerIndex peer = 0; peer < kPeers; ++peer) network.add_peer({});
    std::vector<sim::Micros> delays;
    for (int i = 0; i < kPerPair; ++i) {
        const sim::Micros now = i * kPairInterval;
        for (PeerIndex from = 0; from < kPeers; ++from) {
            for (PeerIndex to = 0; to < kPeers; ++to) {
                if (from == to) continue;
                const auto verdict = network.transmit(now, from, to, kBytes);
                if (!verdict.dropped) delays.push_back(verdict.arrival - now);
            }
        }
    }
    if (delays.empty()) return {};
    const auto middle = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 2);
    std::nth_element(delays.begin(), middle, delays.end());
    return Duration{*middle};
}

}  // namespace fray::lab
