#include "lab/advise/cell_cache.hpp"

#include <fray/fingerprint.hpp>

#include "lab/runner/file_io.hpp"
#include "lab/runner/json_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <system_error>
#include <utility>

namespace fray::lab::advise {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kKind = "a measured cell of fray advise";
/// Version of the figures in a file. It is part of the key, because older figures may be defined differently
/// or lack some.
constexpr int kFormat = 2;
constexpr std::uintmax_t kMostBytes = 64 * 1024;

Json encode(const CellResult& result) {
    Json json;
    for (const FeltFigure& figure : kFeltFigures) json[figure.name] = result.felt.*figure.value;
    for (const FeltCount& count : kFeltCounts) json[count.name] = result.felt.*count.value;
    json["bytes_per_s"] = result.bytes_per_s;
    json["top_speed"] = result.top_speed;
    json["recordings"] = result.recordings;
    json["unplayable"] = result.unplayable;
    return json;
}

bool read_number(const Json& json, const char* name, double& value) {
    if (!json.contains(name) || !json[name].is_number()) return false;
    value = json[name];
    return std::isfinite(value) && value >= 0;
}

bool read_count(const Json& json, const char* name, std::uint64_t& value) {
    if (!json.contains(name) || !json[name].is_number_unsigned()) return false;
    value = json[name];
    return true;
}

std::optional<CellResult> decode(const Json& json) {
    CellResult result;
    if (!json.is_object()) return std::nullopt;
    for (const FeltFigure& figure : kFeltFigures) {
        if (!read_number(json, figure.name, result.felt.*figure.value)) return std::nullopt;
    }
    for (const FeltCount& count : kFeltCounts) {
        if (!read_count(json, count.name, result.felt.*count.value)) return std::nullopt;
    }
    if (!read_number(json, "bytes_per_s", result.bytes_per_s)) return std::nullopt;
    if (!read_number(json, "top_speed", result.top_speed) || result.top_speed <= 0) return std::nullopt;
    if (!read_count(json, "recordings", result.recordings) || result.recordings == 0) return std::nullopt;
    if (!read_count(json, "unplayable", result.unplayable)) return std::nullopt;
    return result;
}

/// Checksum of the key and the figures as written; detects a changed digit.
std::string checksum(const std::string& key, const Json& result) {
    return Fingerprint{}.add(std::string_view{key}).add(std::string_view{result.dump()}).hex();
}

bool has_text(const Json& json, const char* name, std::string_view text) {
    return json.contains(name) && json[name].is_string() && json[name].get<std::string>() == text;
}

}  // namespace

CellCache::CellCache(fs::path folder, const BuildIdentity& build, std::function<void(std::string_view)> warn)
    : folder_{std::move(folder)},
      build_{fmt::format("{} {} {} {}", build.version, build.commit, build.compiler, build.program)},
      warn_{std::move(warn)} {}

Result<void> CellCache::open() const { return make_writable_folder(folder_); }

std::string CellCache::full_key(const std::string& key) const {
    return fmt::format("{} format={} build={}", key, kFormat, build_);
}

fs::path CellCache::file_of(const std::string& key) const {
    return folder_ / (Fingerprint{}.add(std::string_view{full_key(key)}).hex() + ".json");
}

std::optional<CellResult> CellCache::find(const std::string& key) const {
    const fs::path file = file_of(key);
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    const auto ignore = [&](std::string_view why) {
        warn_(fmt::format("{}: {}; it is measured again", file.string(), why));
        return std::nullopt;
    };
    if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kMostBytes)
        return ignore("is no measured cell");
    const auto text = read_whole(file);
    if (!text) return ignore("cannot be read");
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || !has_text(json, "fray", kKind)) return ignore("is no measured cell");
    if (!has_text(json, "cell", full_key(key))) return ignore("is of another cell");
    const auto result = json.contains("result") ? decode(json["result"]) : std::nullopt;
    if (!result || !has_text(json, "check", checksum(full_key(key), encode(*result))))
        return ignore("is damaged");
    return result;
}

Result<void> CellCache::store(const std::string& key, const CellResult& result) const {
    const Json encoded = encode(result);
    if (!decode(encoded)) return Error{"a figure that was measured is no number"};
    Json json;
    json["fray"] = kKind;
    json["cell"] = full_key(key);
    json["result"] = encoded;
    json["check"] = checksum(full_key(key), encoded);
    return write_whole(file_of(key), json.dump(2) + '\n');
}

}  // namespace fray::lab::advise
