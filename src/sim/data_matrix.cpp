#include "sim/data_matrix.hpp"

#include "sim/data_text.hpp"
#include "sim/file.hpp"

#include <algorithm>

namespace fray::sim {

namespace {

constexpr std::uint32_t kMostHosts = 10'000;

/// The number of rows of an "index,..." file, whose first column must count from 0.
Result<std::uint32_t> count_rows(const std::string& path, std::string_view header) {
    Result<CsvFile> csv = CsvFile::load(path, header);
    if (!csv) return csv.error();
    std::uint32_t rows = 0;
    while (csv->next()) {
        if (csv->whole(0, kMostHosts) != rows) csv->fail("expected index " + std::to_string(rows));
        ++rows;
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    if (rows == 0) return Error{path + ": expected at least one row"};
    return rows;
}

Result<RttSlices> load_slices(const std::string& path, std::uint32_t size, Duration unit) {
    Result<std::vector<std::uint8_t>> bytes = read_file(path);
    if (!bytes) return bytes.error();
    const std::size_t slice_bytes = std::size_t{size} * size * 2;
    if (bytes->empty() || bytes->size() % slice_bytes != 0) {
        return Error{path + ": cut off at byte " + std::to_string(bytes->size()) +
                     ": expected a multiple of " + std::to_string(slice_bytes) + " bytes (" +
                     std::to_string(size) + " x " + std::to_string(size) + " values of 16 bit)"};
    }
    RttSlices result{
        .slices = static_cast<std::uint32_t>(bytes->size() / slice_bytes), .size = size, .rtt = {}};
    result.rtt.reserve(bytes->size() / 2);
    for (std::size_t i = 0; i < bytes->size(); i += 2) {
        result.rtt.push_back(unit * ((*bytes)[i] | ((*bytes)[i + 1] << 8)));
    }
    return result;
}

std::uint32_t number_of(std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
    names.emplace_back(name);
    return static_cast<std::uint32_t>(names.size() - 1);
}

struct CloudLink {
    std::uint32_t from;
    std::uint32_t to;
    Duration rtt;
};

Result<CloudRegions> fill(CloudRegions regions, const std::vector<CloudLink>& links,
                          const std::string& file) {
    const std::size_t size = regions.names.size();
    regions.one_way.size = static_cast<std::uint32_t>(size);
    regions.one_way.one_way.assign(size * size, Duration{-1});
    for (std::size_t i = 0; i < size; ++i) regions.one_way.one_way[i * size + i] = Duration{};
    for (const CloudLink& link : links) regions.one_way.one_way[link.from * size + link.to] = link.rtt / 2;
    for (std::size_t i = 0; i < size * size; ++i) {
        if (regions.one_way.one_way[i].count() >= 0) continue;
        return Error{file + ": expected a link from " + regions.names[i / size] + " to " +
                     regions.names[i % size]};
    }
    return regions;
}

}  // namespace

PairMatrix RttSlices::one_way(std::uint32_t slice) const {
    PairMatrix matrix{.size = size, .one_way = {}};
    const std::size_t count = std::size_t{size} * size;
    matrix.one_way.reserve(count);
    for (std::size_t i = 0; i < count; ++i) matrix.one_way.push_back(rtt[slice * count + i] / 2);
    return matrix;
}

PairMatrix RttSlices::median_one_way() const {
    PairMatrix matrix{.size = size, .one_way = {}};
    const std::size_t count = std::size_t{size} * size;
    matrix.one_way.reserve(count);
    std::vector<Duration> values(slices);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t slice = 0; slice < slices; ++slice) values[slice] = rtt[slice * count + i];
        std::sort(values.begin(), values.end());
        matrix.one_way.push_back((values[(slices - 1) / 2] + values[slices / 2]) / 4);
    }
    return matrix;
}

Result<RttSlices> load_planetlab(const std::string& folder) {
    const Result<std::uint32_t> hosts = count_rows(folder + "/nodes.csv", "index,source_node");
    if (!hosts) return hosts.error();
    return load_slices(folder + "/rtt_u16.bin", *hosts, 100us);
}

Result<RttSlices> load_seattle(const std::string& folder) {
    const Result<std::uint32_t> hosts = count_rows(folder + "/nodes.csv", "index,source_node");
    if (!hosts) return hosts.error();
    const Result<std::uint32_t> slices = count_rows(folder + "/slices.csv", "index,source_slice");
    if (!slices) return slices.error();
    Result<RttSlices> result = load_slices(folder + "/rtt_u16.bin", *hosts, 10ms);
    if (result && result->slices != *slices) {
        return Error{folder + "/rtt_u16.bin: cut off: expected " + std::to_string(*slices) +
                     " slices, found " + std::to_string(result->slices)};
    }
    return result;
}

Result<CloudRegions> load_cloud_regions(const std::string& file) {
    Result<CsvFile> csv = CsvFile::load(file, "src,dst,rtt_avg_ms,tcp_bitrate_bps");
    if (!csv) return csv.error();
    CloudRegions regions;
    std::vector<CloudLink> links;
    while (csv->next()) {
        const std::uint32_t from = number_of(regions.names, csv->text(0));
        const std::uint32_t to = number_of(regions.names, csv->text(1));
        if (from == to) csv->fail("expected two different regions");
        (void)csv->number(3, 0, 1e15);
        links.push_back({from, to, from_millis(csv->number(2, 0, 100'000))});
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    if (links.empty()) return Error{file + ": expected at least one link"};
    if (links.size() != regions.names.size() * (regions.names.size() - 1)) {
        return Error{file + ": expected every ordered pair of its " + std::to_string(regions.names.size()) +
                     " regions once, found " + std::to_string(links.size()) + " links"};
    }
    return fill(std::move(regions), links, file);
}

}  // namespace fray::sim
