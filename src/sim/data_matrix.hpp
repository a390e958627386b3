#pragma once
// Round-trip times between many hosts, as in the folders netlatency_planetlab, netlatency_seattle and
// cloud_regions.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace fray::sim {

/// All pairs, at several times.
struct RttSlices {
    std::uint32_t slices = 0;
    std::uint32_t size = 0;
    std::vector<Duration> rtt;  ///< [slice][from][to]

    [[nodiscard]] Duration at(std::uint32_t slice, std::uint32_t from, std::uint32_t to) const {
        return rtt[(static_cast<std::size_t>(slice) * size + from) * size + to];
    }
    /// Half the round-trip times of one slice, one way.
    [[nodiscard]] PairMatrix one_way(std::uint32_t slice) const;
    /// Half the median over all slices.
    [[nodiscard]] PairMatrix median_one_way() const;
};

/// folder: netlatency_planetlab (rtt_u16.bin in 0.1 ms, nodes.csv).
[[nodiscard]] Result<RttSlices> load_planetlab(const std::string& folder);
/// folder: netlatency_seattle (rtt_u16.bin in 10 ms, nodes.csv, slices.csv). Not symmetric; 0 means below 5
/// ms.
[[nodiscard]] Result<RttSlices> load_seattle(const std::string& folder);

struct CloudRegions {
    std::vector<std::string> names;
    PairMatrix one_way;  ///< half the mean RTT; zero within a region
};
/// file: cloud_regions/links.csv. Every ordered pair of regions must be there, once.
[[nodiscard]] Result<CloudRegions> load_cloud_regions(const std::string& file);

}  // namespace fray::sim
