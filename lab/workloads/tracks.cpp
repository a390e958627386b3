#include "lab/workloads/tracks.hpp"

#include "sim/data_text.hpp"
#include "sim/file.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace fray::lab {
namespace {

constexpr std::size_t kRecordBytes = 8;  // u16 t_s, u16 x, u16 y, i8 phase, u8 players alive
constexpr std::uint32_t kMostRecords = 100'000'000;
constexpr std::string_view kIndexHeader =
    "trace,first_record,records,session,kind,won,final_place,kills,playtime_s,group_size";

std::uint16_t whole(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint16_t>(bytes[0] | (bytes[1] << 8U));
}

Fix fix_of(std::span<const std::uint8_t> record) {
    return {.seconds = static_cast<double>(whole(record)),
            .place = {static_cast<float>(whole(record.subspan(2))),
                      static_cast<float>(whole(record.subspan(4))), 0}};
}

/// Records as in the file; a partial one means that the file was truncated.
Result<std::vector<std::uint8_t>> load_records(const std::string& file) {
    auto bytes = sim::read_file(file);
    if (!bytes || bytes->size() % kRecordBytes == 0) return bytes;
    return Error{file + ": cut off at byte " + std::to_string(bytes->size()) + ": expected records of " +
                 std::to_string(kRecordBytes) + " bytes"};
}

Vec3 between(const Fix& a, const Fix& b, double seconds) {
    const double share = (seconds - a.seconds) / (b.seconds - a.seconds);
    return a.place + (b.place - a.place) * static_cast<float>(share);
}

}  // namespace

Result<std::vector<Fixes>> load_fortnite(const std::string& folder) {
    auto index = sim::CsvFile::load(folder + "/index.csv", kIndexHeader);
    if (!index) return index.error();
    const std::string file = folder + "/traces.bin";
    const auto records = load_records(file);
    if (!records) return records.error();
    const std::size_t held = records->size() / kRecordBytes;
    std::vector<Fixes> players;
    while (index->next()) {
        const std::size_t first = index->whole(1, kMostRecords);
        const std::size_t count = index->whole(2, kMostRecords);
        if (!index->status()) break;
        if (count == 0) {
            index->fail("expected at least one record");
            break;
        }
        if (first + count > held)
            return Error{file + ": cut off after " + std::to_string(held) + " records: index.csv:" +
                         std::to_string(index->line()) + " names " + std::to_string(first + count)};
        Fixes& fixes = players.emplace_back();
        for (std::size_t i = first; i < first + count; ++i)
            fixes.push_back(fix_of(std::span{*records}.subspan(i * kRecordBytes, kRecordBytes)));
    }
    if (auto read = index->status(); !read) return read.error();
    return players;
}

Fixes without_jumps(const Fixes& fixes, double fastest) {
    Fixes kept;
    for (const Fix& fix : fixes) {
        const double since = kept.empty() ? 0 : fix.seconds - kept.back().seconds;
        const bool reachable =
            kept.empty() || double{distance(fix.place, kept.back().place)} <= fastest * since;
        if (reachable && (kept.empty() || since > 0)) kept.push_back(fix);
    }
    return kept;
}

Track by_rounds(const Fixes& fixes, double rounds_per_second) {
    Track track;
    if (fixes.empty()) return track;
    const double begin = fixes.front().seconds;
    for (std::size_t next = 1, round = 0;; ++round) {
        const double seconds = begin + static_cast<double>(round) / rounds_per_second;
        while (next < fixes.size() && fixes[next].seconds < seconds) ++next;
        if (next == fixes.size()) break;
        track.push_back(between(fixes[next - 1], fixes[next], seconds));
    }
    if (track.empty()) track.push_back(fixes.front().place);
    return track;
}

}  // namespace fray::lab
