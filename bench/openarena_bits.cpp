// Measures the bits of a player's update: every living player of a recorded OpenArena game, 20 times a
// second, as a delta to that player's state three frames (150 ms) earlier, dead or alive. The receiver holds
// that state either way, so respawns are deltas, too, and expensive ones. Every delta is decoded again and
// compared.
//
//     bench_openarena_bits [A_part1 [B_part1 ...]]
//
// The tables of the codec were tuned on B_part1; A_part1 is the test.

#include <fray/state.hpp>
#include <fray/world.hpp>

#include "wire/pose_codec.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kLag = 3;  // frames from the baseline to the update
constexpr auto kFrame = std::chrono::milliseconds{50};

/// The state of a player that others see, besides the pose.
struct Player {
    std::uint8_t weapon = 0;
    std::uint8_t health = 0;
    std::uint8_t armor = 0;
    std::uint8_t team = 0;
    std::uint8_t powerups = 0;
    bool on_ground = false;
    bool crouched = false;
    bool attacking = false;
    bool firing = false;
    bool teleported = false;
    bool talking = false;
    bool on_entity = false;
};

template <class Stream>
void serialize(Stream& stream, Player& player) {
    stream.boolean(player.on_ground);
    stream.boolean(player.crouched);
    stream.boolean(player.attacking);
    stream.boolean(player.firing);
    stream.boolean(player.teleported);
    stream.boolean(player.talking);
    stream.boolean(player.on_entity);
    stream.integer(player.weapon, 0, 15);
    stream.integer(player.health, 0, 255);
    stream.integer(player.armor, 0, 255);
    stream.integer(player.team, 0, 3);
    stream.whole(player.powerups);
}

/// A recording of player tracks (format OAT1: see the README beside the data).
class Recording {
public:
    enum Column {
        at_x,
        at_y,
        at_z,
        at_vx,
        at_vy,
        at_vz,
        at_yaw,
        at_pitch,
        at_weapon,
        at_health,
        at_armor,
        at_flags = 13,
        at_powerups
    };
    static constexpr std::size_t kColumns = 15;

    bool load(const std::string& path) {
        std::vector<std::uint8_t> bytes;
        if (!unpack(path, bytes) || bytes.size() < 8 || std::memcmp(bytes.data(), "OAT1", 4) != 0)
            return false;
        std::uint32_t header = 0;
        std::memcpy(&header, &bytes[4], 4);
        if (header > bytes.size() - 8) return false;
        const std::string json(bytes.begin() + 8, bytes.begin() + 8 + header);
        ticks_ = number(json, "\"n_ticks\":");
        players_ = number(json, "\"n_players\":");
        if (ticks_ == 0 || players_ == 0 || (bytes.size() - 8 - header) / 2 / ticks_ / players_ < kColumns)
            return false;
        undo_deltas(std::span{bytes}.subspan(8 + header));
        return true;
    }
    [[nodiscard]] std::size_t ticks() const { return ticks_; }
    [[nodiscard]] std::size_t players() const { return players_; }
    [[nodiscard]] std::uint16_t raw(Column column, std::size_t player, std::size_t tick) const {
        return values_[(column * players_ + player) * ticks_ + tick];
    }
    [[nodiscard]] float value(Column column, std::size_t player, std::size_t tick) const {
        return static_cast<std::int16_t>(raw(column, player, tick));
    }

private:
    static bool unpack(const std::string& path, std::vector<std::uint8_t>& bytes) {
        gzFile file = gzopen(path.c_str(), "rb");
        if (file == nullptr) return false;
        std::vector<std::uint8_t> part(1U << 16U);
        int count = 0;
        while ((count = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0) {
            bytes.insert(bytes.end(), part.begin(), part.begin() + count);
        }
        gzclose(file);
        return count == 0;
    }
    static std::size_t number(const std::string& json, const std::string& key) {
        const std::size_t at = json.find(key);
        return at == std::string::npos ? 0 : std::strtoul(json.c_str() + at + key.size(), nullptr, 10);
    }
    void undo_deltas(std::span<const std::uint8_t> bytes) {
        values_.resize(kColumns * players_ * ticks_);
        std::memcpy(values_.data(), bytes.data(), values_.size() * 2);
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (i % ticks_ != 0) values_[i] = static_cast<std::uint16_t>(values_[i] + values_[i - 1]);
        }
    }

    std::size_t ticks_ = 0;
    std::size_t players_ = 0;
    std::vector<std::uint16_t> values_;
};

fray::World arena() {
    fray::World world;
    world.name = "openarena";
    world.low = {-4096, -4096, -4096};
    world.high = {4096, 4096, 4096};
    world.position_precision = 0.125F;
    world.velocity_limit = 4096;
    world.velocity_precision = 1;
    world.angle_bits = 10;
    world.tick = kFrame;
    world.types = {fray::EntityType::of<Player>("player")};
    return world;
}

using Track = Recording;

fray::Pose pose_at(const Track& track, std::size_t p, std::size_t t) {
    constexpr float kTurn = 360.0F / 65536.0F;
    fray::Pose pose;
    pose.position = {track.value(Track::at_x, p, t) / 8, track.value(Track::at_y, p, t) / 8,
                     track.value(Track::at_z, p, t) / 8};
    pose.velocity = {track.value(Track::at_vx, p, t), track.value(Track::at_vy, p, t),
                     track.value(Track::at_vz, p, t)};
    pose.yaw = static_cast<float>(track.raw(Track::at_yaw, p, t)) * kTurn;
    pose.pitch = track.value(Track::at_pitch, p, t) * kTurn;
    return pose;
}

Player player_at(const Track& track, std::size_t p, std::size_t t) {
    const unsigned flags = track.raw(Track::at_flags, p, t);
    const auto points = [&](Track::Column column) {
        return static_cast<std::uint8_t>(std::clamp(track.value(column, p, t), 0.0F, 255.0F));
    };
    Player player;
    player.weapon = points(Track::at_weapon);
    player.health = points(Track::at_health);
    player.armor = points(Track::at_armor);
    player.team = static_cast<std::uint8_t>((flags >> 8U) & 3U);
    player.powerups = static_cast<std::uint8_t>(track.raw(Track::at_powerups, p, t) >> 1U);
    player.on_ground = (flags & 2U) != 0;
    player.crouched = (flags & 4U) != 0;
    player.attacking = (flags & 8U) != 0;
    player.firing = (flags & 16U) != 0;
    player.teleported = (flags & 32U) != 0;
    player.talking = (flags & 64U) != 0;
    player.on_entity = (flags & 128U) != 0;
    return player;
}

/// Counts over the updates of one kind.
struct Tally {
    std::array<std::uint64_t, fray::PoseCodec::kFieldCount + 1> field{};  // the last is the payload
    std::vector<unsigned> pose;
    std::vector<unsigned> whole;

    void add(const fray::PoseCodec::FieldBits& bits, unsigned payload) {
        for (std::size_t i = 0; i < bits.size(); ++i) field[i] += bits[i];
        field.back() += payload;
        pose.push_back(std::accumulate(bits.begin(), bits.end(), 0U));
        whole.push_back(pose.back() + payload);
    }
    void add(const Tally& other) {
        for (std::size_t i = 0; i < field.size(); ++i) field[i] += other.field[i];
        pose.insert(pose.end(), other.pose.begin(), other.pose.end());
        whole.insert(whole.end(), other.whole.begin(), other.whole.end());
    }
};

class Replay {
public:
    explicit Replay(const Track& track) : track_{track} {}

    /// False if a decoded state differs from the encoded one.
    bool run() {
        for (std::size_t p = 0; p < track_.players(); ++p) {
            for (std::size_t t = kLag; t < track_.ticks(); ++t) {
                if (alive(p, t) && !update(p, t)) return false;
            }
        }
        return true;
    }
    [[nodiscard]] const Tally& same_life() const { return same_life_; }
    [[nodiscard]] const Tally& across() const { return across_; }
    [[nodiscard]] const fray::PoseCodec& codec() const { return codec_; }
    [[nodiscard]] std::size_t payload_bits() const { return fray::measure(Player{}); }

private:
    [[nodiscard]] bool alive(std::size_t p, std::size_t t) const {
        return (track_.raw(Track::at_flags, p, t) & 1U) != 0;
    }
    [[nodiscard]] bool jumped(std::size_t p, std::size_t t) const {
        bool jump =
            ((track_.raw(Track::at_flags, p, t) ^ track_.raw(Track::at_flags, p, t - kLag)) & 32U) != 0;
        for (std::size_t back = 1; back <= kLag; ++back) jump = jump || !alive(p, t - back);
        return jump;
    }

    bool update(std::size_t p, std::size_t t) {
        const fray::QuantisedPose old = codec_.quantise(pose_at(track_, p, t - kLag));
        const fray::QuantisedPose now = codec_.quantise(pose_at(track_, p, t));
        const fray::State before = fray::state_of({}, player_at(track_, p, t - kLag));
        const fray::State after = fray::state_of({}, player_at(track_, p, t));
        fields_.clear();
        type_.fields(before.payload, fields_);

        std::array<std::uint8_t, 256> memory{};
        fray::BitWriter out{memory};
        codec_.write_delta(out, old, kFrame * kLag, now);
        const std::size_t pose_bits = out.bit_count();
        type_.write_delta(out, fields_, after.payload);
        const std::size_t bits = out.bit_count();

        fray::BitReader in{out.finish(), bits};
        std::vector<std::uint8_t> payload;
        if (codec_.read_delta(in, old, kFrame * kLag) != now || !type_.read_delta(in, fields_, payload))
            return false;
        if (payload != after.payload || in.bits_left() != 0) return false;
        const fray::PoseCodec::FieldBits each = codec_.delta_bits(old, kFrame * kLag, now);
        if (std::accumulate(each.begin(), each.end(), std::size_t{0}) != pose_bits) return false;
        (jumped(p, t) ? across_ : same_life_).add(each, static_cast<unsigned>(bits - pose_bits));
        return true;
    }

    const Track& track_;
    fray::World world_ = arena();
    const fray::EntityType& type_ = world_.types[0];
    fray::PoseCodec codec_{world_};
    std::vector<std::uint64_t> fields_;
    Tally same_life_;
    Tally across_;
};

void print_spread(const char* name, std::vector<unsigned> bits) {
    if (bits.empty()) return;
    const double mean = std::accumulate(bits.begin(), bits.end(), 0.0) / static_cast<double>(bits.size());
    std::sort(bits.begin(), bits.end());
    const auto quantile = [&](double q) {
        return bits[static_cast<std::size_t>(q * static_cast<double>(bits.size() - 1))];
    };
    std::printf("| %-34s | %7zu | %6.2f | %4u | %4u |\n", name, bits.size(), mean, quantile(0.5),
                quantile(0.99));
}

void print_tables(const std::string& name, const Replay& replay) {
    constexpr std::array<const char*, 9> kNames{"vx", "vy", "vz", "x", "y", "z", "yaw", "pitch", "payload"};
    Tally all = replay.same_life();
    all.add(replay.across());
    const fray::PoseCodec::FieldBits full = replay.codec().full_bits();
    std::printf(
        "\n%s: bits of a field, mean over %zu updates\n\n| field   | delta | full |\n|---|---:|---:|\n",
        name.c_str(), all.whole.size());
    std::size_t full_sum = replay.payload_bits();
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        const std::size_t whole = i < full.size() ? full[i] : replay.payload_bits();
        if (i < full.size()) full_sum += whole;
        std::printf("| %-7s | %5.2f | %4zu |\n", kNames[i],
                    static_cast<double>(all.field[i]) / static_cast<double>(all.whole.size()), whole);
    }
    std::printf("\n| bits of an update | updates | mean | p50 | p99 |\n|---|---:|---:|---:|---:|\n");
    print_spread("pose, same life", replay.same_life().pose);
    print_spread("pose and payload, same life", replay.same_life().whole);
    print_spread("pose and payload, across a respawn", replay.across().whole);
    print_spread("pose, all", all.pose);
    print_spread("pose and payload, all", all.whole);
    std::printf("| %-34s | %7s | %6zu | %4zu | %4zu |\n", "pose and payload, not as a delta", "", full_sum,
                full_sum, full_sum);
}

}  // namespace

int main(int argc, char** argv) {
    const char* set = std::getenv("FRAY_DATA");
    const std::string folder = std::string{set != nullptr ? set : "../shared/data"} + "/openarena/";
    std::vector<std::string> names(argv + 1, argv + argc);
    if (names.empty()) names = {"A_part1"};
    for (const std::string& name : names) {
        Recording recording;
        if (!recording.load(folder + name + ".oat.gz")) {
            std::fprintf(stderr,
                         "%s%s.oat.gz: no OAT1 recording; FRAY_DATA names the folder above openarena\n",
                         folder.c_str(), name.c_str());
            return 2;
        }
        Replay replay{recording};
        if (!replay.run()) {
            std::fprintf(stderr, "%s: a decoded update is not the one encoded\n", name.c_str());
            return 1;
        }
        print_tables(name, replay);
    }
    return 0;
}
