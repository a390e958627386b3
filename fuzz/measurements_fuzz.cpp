// Any bytes as files of measurements: refused with one line that names the file, or valid. The first byte
// selects the loader; if it reads several files, a byte 0xFF separates them.

#include <fray/assert.hpp>
#include <fray/network_model.hpp>

#include "lab/workloads/tracks.hpp"
#include "sim/data_access.hpp"
#include "sim/data_matrix.hpp"
#include "sim/data_ping.hpp"
#include "sim/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

namespace {

using Bytes = std::span<const std::uint8_t>;

/// A folder of this process, removed at its end.
class Folder {
public:
    Folder() : path_{std::filesystem::temp_directory_path() / ("fray_fuzz_" + std::to_string(::getpid()))} {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

/// One file per name; the last one takes the rest.
std::string write(std::initializer_list<const char*> names, Bytes bytes) {
    static const Folder kFolder;
    std::size_t left = names.size();
    for (const char* name : names) {
        const auto end = --left == 0 ? bytes.end() : std::find(bytes.begin(), bytes.end(), 0xFF);
        const auto size = static_cast<std::size_t>(end - bytes.begin());
        const auto written =
            fray::sim::write_file(kFolder.path() + "/" + name, bytes.first(size), fray::sim::Overwrite::yes);
        FRAY_ASSERT(bool{written});
        bytes = bytes.subspan(std::min(size + 1, bytes.size()));
    }
    return kFolder.path();
}

template <class T>
bool accepted(const fray::Result<T>& result, const std::string& folder) {
    if (result) return true;
    FRAY_ASSERT(result.error().message.starts_with(folder + "/"));
    FRAY_ASSERT(result.error().message.find('\n') == std::string::npos);
    return false;
}

void is_sound(fray::LatencyModel latency) {
    fray::NetworkModel network;
    network.latency = std::move(latency);
    FRAY_ASSERT(bool{network.check()});
}

void matrix(const fray::Result<fray::sim::RttSlices>& slices, const std::string& folder) {
    if (!accepted(slices, folder)) return;
    is_sound(
        fray::MatrixLatency{.matrix = std::make_shared<const fray::PairMatrix>(slices->median_one_way())});
}

void trace(const fray::Result<fray::sim::PingTrace>& pings, const std::string& folder) {
    if (!accepted(pings, folder)) return;
    FRAY_ASSERT(pings->at.size() == pings->rtt.size() && pings->lost() <= pings->rtt.size());
    is_sound(pings->latency(0.5));
}

void regions(Bytes bytes) {
    const std::string folder = write({"links.csv"}, bytes);
    const auto found = fray::sim::load_cloud_regions(folder + "/links.csv");
    if (accepted(found, folder))
        is_sound(fray::MatrixLatency{.matrix = std::make_shared<const fray::PairMatrix>(found->one_way)});
}

void games(const fray::Result<std::vector<fray::sim::GamePings>>& all, const std::string& folder) {
    if (!accepted(all, folder)) return;
    for (const auto& pings : *all) FRAY_ASSERT(!pings.at.empty() && pings.at.size() == pings.ping.size());
}

void countries(Bytes bytes) {
    const std::string folder = write({"a.csv"}, bytes);
    const auto rows = fray::sim::load_country_percentiles(folder + "/a.csv");
    if (!accepted(rows, folder)) return;
    for (const auto& row : *rows) {
        for (const double share : {0.0, 0.03, 0.5, 0.97, 0.999}) FRAY_ASSERT(std::isfinite(row.at(share)));
    }
}

void tracks(Bytes bytes) {
    const std::string folder = write({"index.csv", "traces.bin"}, bytes);
    const auto players = fray::lab::load_fortnite(folder);
    if (!accepted(players, folder)) return;
    for (const auto& fixes : *players) {
        FRAY_ASSERT(!fixes.empty());
        FRAY_ASSERT(!fray::lab::by_rounds(fray::lab::without_jumps(fixes, 30), 3).empty());
    }
}

void pings(std::uint8_t which, Bytes bytes) {
    const std::string folder = write({"a.csv"}, bytes);
    const std::string file = folder + "/a.csv";
    if (which == 0) trace(fray::sim::load_starlink(file), folder);
    if (which == 1) trace(fray::sim::load_ping_output(file), folder);
    if (which == 2) (void)accepted(fray::sim::load_mobile_pings(file), folder);
    if (which == 3) games(fray::sim::load_rocketleague_pings(file), folder);
    if (which == 4) games(fray::sim::load_quakeworld_pings(file), folder);
}

void load(std::uint8_t which, Bytes bytes) {
    if (which == 5) return regions(bytes);
    if (which == 6) return countries(bytes);
    if (which == 7) return tracks(bytes);
    if (which == 8) {
        const std::string folder = write({"nodes.csv", "rtt_u16.bin"}, bytes);
        return matrix(fray::sim::load_planetlab(folder), folder);
    }
    if (which == 9) {
        const std::string folder = write({"nodes.csv", "slices.csv", "rtt_u16.bin"}, bytes);
        return matrix(fray::sim::load_seattle(folder), folder);
    }
    pings(which, bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint8_t kLoaders = 10;
    if (size > 0) load(static_cast<std::uint8_t>(data[0] % kLoaders), {data + 1, size - 1});
    return 0;
}
