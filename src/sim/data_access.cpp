#include "sim/data_access.hpp"

#include "core/math.hpp"
#include "sim/data_text.hpp"
#include "sim/file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fray::sim {

namespace {

constexpr std::array<std::string_view, 4> kMetrics{"upload_mbps", "download_mbps", "min_rtt_ms",
                                                   "loss_fraction"};

std::optional<AccessMetric> metric_of(std::string_view name) {
    const auto found = std::find(kMetrics.begin(), kMetrics.end(), name);
    if (found == kMetrics.end()) return std::nullopt;
    return static_cast<AccessMetric>(found - kMetrics.begin());
}

/// Interpolates between two values; if both are positive, between their logarithms.
double interpolate(double low, double high, double share) {
    if (low <= 0) return low + (high - low) * share;
    return low * math::exp(math::log(high / low) * share);
}

}  // namespace

Result<CapacityTrace> load_capacity(const std::string& file) {
    Result<std::vector<std::uint8_t>> bytes = read_file(file);
    if (!bytes) return bytes.error();
    if (std::all_of(bytes->begin(), bytes->end(), [](std::uint8_t packets) { return packets == 0; })) {
        return Error{file + ": expected packets per millisecond, one byte each, not all of them zero"};
    }
    return CapacityTrace{.packets_per_ms = std::move(*bytes)};
}

double CountryPercentiles::at(double u) const {
    if (u <= kShares.front()) return values.front();
    if (u >= kShares.back()) return values.back();
    std::size_t i = 0;
    while (kShares[i + 1] <= u) ++i;
    return interpolate(values[i], values[i + 1], (u - kShares[i]) / (kShares[i + 1] - kShares[i]));
}

Result<std::vector<CountryPercentiles>> load_country_percentiles(const std::string& file) {
    Result<CsvFile> csv = CsvFile::load(file, "country,metric,samples,p1,p5,p10,p25,p50,p75,p90,p95,p99");
    if (!csv) return csv.error();
    std::vector<CountryPercentiles> all;
    while (csv->next()) {
        CountryPercentiles row;
        row.country = csv->text(0);
        if (row.country.size() != 2) csv->fail("expected a country code of two letters");
        const std::optional<AccessMetric> metric = metric_of(csv->text(1));
        if (!metric) csv->fail("expected upload_mbps, download_mbps, min_rtt_ms or loss_fraction as metric");
        row.metric = metric.value_or(AccessMetric::upload_mbps);
        row.samples = csv->whole(2, 2'000'000'000);
        for (std::size_t i = 0; i < row.values.size(); ++i) row.values[i] = csv->number(3 + i, 0, 1e9);
        if (!std::is_sorted(row.values.begin(), row.values.end())) csv->fail("expected percentiles to rise");
        all.push_back(std::move(row));
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    if (all.empty()) return Error{file + ": expected at least one row"};
    return all;
}

}  // namespace fray::sim
