#pragma once
// Measured capacities of access lines, as in the folders cellular_capacity and mlab_ndt_percentiles.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fray::sim {

/// file: cellular_capacity/NAME.up.u8 or NAME.down.u8.
[[nodiscard]] Result<CapacityTrace> load_capacity(const std::string& file);

enum class AccessMetric : std::uint8_t { upload_mbps, download_mbps, min_rtt_ms, loss_fraction };

/// Quantiles of one metric over the users of one country.
struct CountryPercentiles {
    static constexpr std::array<double, 9> kShares{0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99};

    std::string country;  ///< ISO code
    AccessMetric metric{};
    std::uint32_t samples = 0;
    std::array<double, 9> values{};  ///< at kShares

    /// The value of the user at share u in [0, 1): interpolated between the logarithms of the quantiles,
    /// constant outside.
    [[nodiscard]] double at(double u) const;
};
/// file: mlab_ndt_percentiles/country_percentiles.csv.
[[nodiscard]] Result<std::vector<CountryPercentiles>> load_country_percentiles(const std::string& file);

}  // namespace fray::sim
