#include "lab/workloads/openarena.hpp"

#include "lab/runner/gzip.hpp"
#include "lab/runner/json_value.hpp"
#include "sim/data_text.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace fray::lab {
namespace {

constexpr std::size_t kMostPlain = 64'000'000;  // bytes of one file
constexpr std::size_t kPrologue = 8;            // mark and length of the header
constexpr std::uint16_t kAlive = 1;
constexpr std::uint16_t kToggle = 1U << 5U;
constexpr float kPositionUnit = 0.125F;
constexpr float kAngleUnit = 360.0F / 65536;

std::uint32_t word(std::span<const std::uint8_t> bytes) {
    return bytes[0] | bytes[1] << 8U | bytes[2] << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U;
}

/// The columns of a file of tracks.
class TrackColumns {
public:
    [[nodiscard]] static Result<TrackColumns> of(const std::string& file) {
        auto bytes = gunzip(file, kMostPlain);
        if (!bytes) return bytes.error();
        TrackColumns made;
        made.bytes_ = std::move(*bytes);
        if (!made.read_header()) return Error{file + ": expected tracks in the format OAT1"};
        return made;
    }
    /// Deltas modulo 65536 along time.
    [[nodiscard]] std::vector<std::uint16_t> values(std::string_view column, std::uint32_t player) const {
        const std::size_t place =
            static_cast<std::size_t>(std::ranges::find(names_, column) - names_.begin());
        const std::size_t begin = begin_ + 2 * std::size_t{ticks} * (place * players + player);
        std::vector<std::uint16_t> values(ticks);
        std::uint16_t sum = 0;
        for (std::size_t t = 0; t < ticks; ++t) {
            sum = static_cast<std::uint16_t>(sum + bytes_[begin + 2 * t] + bytes_[begin + 2 * t + 1] * 256);
            values[t] = sum;
        }
        return values;
    }

    std::uint32_t players = 0;
    std::uint32_t ticks = 0;
    Vec3 offset{};

private:
    bool read_header() {
        if (bytes_.size() < kPrologue || !std::equal(kMark.begin(), kMark.end(), bytes_.begin()))
            return false;
        const std::size_t length = word(std::span{bytes_}.subspan(4));
        if (length > bytes_.size() - kPrologue) return false;
        begin_ = kPrologue + length;
        const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(kPrologue);
        const Json json = Json::parse(first, first + static_cast<std::ptrdiff_t>(length), nullptr, false);
        if (!json.is_object() || !json.contains("n_ticks") || !json.contains("n_players")) return false;
        ticks = json.value("n_ticks", 0U);
        players = json.value("n_players", 0U);
        const Json none = Json::array();
        for (const Json& column : json.value("columns", none)) names_.push_back(column.value("name", ""));
        const Json offsets = json.value("pos_offset", none);
        if (offsets.size() == 3)
            offset = {offsets[0].get<float>(), offsets[1].get<float>(), offsets[2].get<float>()};
        const bool has_all = std::ranges::all_of(
            kUsed, [&](std::string_view name) { return std::ranges::find(names_, name) != names_.end(); });
        return has_all && ticks > 0 && players > 0 && players <= 256 &&
               bytes_.size() - begin_ >= 2 * std::size_t{ticks} * names_.size() * players;
    }

    static constexpr std::array<char, 4> kMark{'O', 'A', 'T', '1'};
    static constexpr std::array<std::string_view, 9> kUsed{"x",  "y",   "z",     "vx",   "vy",
                                                           "vz", "yaw", "pitch", "flags"};
    std::vector<std::uint8_t> bytes_;
    std::vector<std::string> names_;
    std::size_t begin_ = 0;
};

float number_of(std::uint16_t value) { return static_cast<float>(static_cast<std::int16_t>(value)); }

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return cells;
}

/// Nothing for a line of another kind of event.
std::optional<OpenArena::Act> act_of(std::string_view line, std::uint32_t players) {
    const auto cells = cells_of(line);
    if (cells.size() < 4 || (cells[1] != "hit" && cells[1] != "fire")) return std::nullopt;
    const auto tick = sim::parse_whole(cells[0]);
    const auto actor = sim::parse_whole(cells[2]);
    const bool is_hit = cells[1] == "hit";
    const auto target = is_hit ? sim::parse_whole(cells[3]) : 0;
    if (!tick || !actor || !target || *actor >= players || *target >= players) return std::nullopt;
    return OpenArena::Act{static_cast<std::uint32_t>(*tick), static_cast<std::uint16_t>(*actor),
                          static_cast<std::uint16_t>(*target), is_hit};
}

}  // namespace

Result<OpenArena> OpenArena::load(const std::string& folder, const std::string& name) {
    OpenArena play;
    const std::string stem = folder + "/" + name;
    if (auto read = play.read_tracks(stem + ".oat.gz"); !read) return read.error();
    if (auto read = play.read_acts(stem + ".events.csv.gz"); !read) return read.error();
    return play;
}

Result<void> OpenArena::read_tracks(const std::string& file) {
    const auto columns = TrackColumns::of(file);
    if (!columns) return columns.error();
    players_ = columns->players;
    ticks_ = columns->ticks;
    moments_.resize(std::size_t{players_} * ticks_);
    low_ = {1e9F, 1e9F, 1e9F};
    high_ = low_ * -1;
    for (std::uint32_t player = 0; player < players_; ++player) {
        const auto column = [&](std::string_view name) { return columns->values(name, player); };
        const std::array axes{column("x"),  column("y"),  column("z"),
                              column("vx"), column("vy"), column("vz")};
        const auto yaw = column("yaw");
        const auto pitch = column("pitch");
        const auto flags = column("flags");
        for (std::uint32_t t = 0; t < ticks_; ++t) {
            Moment& moment = moments_[std::size_t{player} * ticks_ + t];
            Pose& pose = moment.pose;
            pose.position =
                columns->offset +
                Vec3{number_of(axes[0][t]), number_of(axes[1][t]), number_of(axes[2][t])} * kPositionUnit;
            pose.velocity = {number_of(axes[3][t]), number_of(axes[4][t]), number_of(axes[5][t])};
            pose.yaw = static_cast<float>(yaw[t]) * kAngleUnit;
            pose.pitch =
                std::clamp(-number_of(pitch[t]) * kAngleUnit, -90.0F, 90.0F);  // there, down is positive
            moment.is_alive = (flags[t] & kAlive) != 0;
            moment.toggle = (flags[t] & kToggle) != 0;
            low_ = {std::min(low_.x, pose.position.x), std::min(low_.y, pose.position.y),
                    std::min(low_.z, pose.position.z)};
            high_ = {std::max(high_.x, pose.position.x), std::max(high_.y, pose.position.y),
                     std::max(high_.z, pose.position.z)};
        }
    }
    return {};
}

Result<void> OpenArena::read_acts(const std::string& file) {
    const auto bytes = gunzip(file, kMostPlain);
    if (!bytes) return bytes.error();
    const std::string text{bytes->begin(), bytes->end()};
    constexpr std::string_view kHeader = "tick,type,actor,target,";
    if (!text.starts_with(kHeader)) return Error{file + ":1: expected the header " + std::string{kHeader}};
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (const auto act = act_of(std::string_view{text}.substr(begin, end - begin), players_))
            acts_.push_back(*act);
        begin = end + 1;
    }
    if (acts_.empty()) return Error{file + ": expected shots and hits"};
    std::ranges::stable_sort(acts_, {}, &Act::tick);
    return {};
}

std::uint32_t OpenArena::tick_at(Duration at) const {
    const std::int64_t tick = std::max<std::int64_t>(at / kOpenArenaTick, 0);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(tick, ticks_ - 1));
}

Pose OpenArena::pose(std::uint32_t player, Duration at) const {
    const std::uint32_t tick = tick_at(at);
    const Moment& from = this->at(player, tick);
    const Moment& to = this->at(player, std::min(tick + 1, ticks_ - 1));
    if (!from.is_alive || !to.is_alive || from.toggle != to.toggle) return from.pose;
    const auto share = static_cast<float>(seconds(at - kOpenArenaTick * tick) / seconds(kOpenArenaTick));
    Pose pose = from.pose;
    pose.position += (to.pose.position - from.pose.position) * share;
    pose.velocity += (to.pose.velocity - from.pose.velocity) * share;
    return pose;
}

Duration OpenArena::moves_since(std::uint32_t player, Duration at, Duration most) const {
    const std::uint32_t last = tick_at(at);
    const std::uint32_t first = tick_at(at - most);
    std::uint32_t tick = last;
    if (!this->at(player, last).is_alive) return at;
    const bool toggle = this->at(player, last).toggle;
    while (tick > first && this->at(player, tick - 1).is_alive && this->at(player, tick - 1).toggle == toggle)
        --tick;
    return kOpenArenaTick * tick;
}

}  // namespace fray::lab
