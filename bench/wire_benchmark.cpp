// Measures the cost of encoding and decoding. The poses are those of a player that runs, turns and falls,
// with baselines 150 ms old.

#include <fray/random.hpp>
#include <fray/state.hpp>
#include <fray/world.hpp>

#include "wire/id_set.hpp"
#include "wire/pose_codec.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPoses = 1024;
constexpr auto kElapsed = 150ms;
constexpr std::size_t kLag = 3;

struct Tank {
    std::uint8_t armor = 100;
    std::uint8_t weapon = 0;
    bool firing = false;
    float turret = 0;
    std::uint32_t score = 0;
};

template <class Stream>
void serialize(Stream& stream, Tank& tank) {
    stream.integer(tank.armor, 0, 100);
    stream.integer(tank.weapon, 0, 7);
    stream.boolean(tank.firing);
    stream.angle(tank.turret, 8);
    stream.varint(tank.score);
}

std::vector<fray::QuantisedPose> walk(const fray::PoseCodec& codec) {
    fray::RandomStream random{fray::Seed{1}, "walk"};
    std::vector<fray::QuantisedPose> poses;
    fray::Pose pose;
    const auto change = [&](double deviation) { return static_cast<float>(random.normal(0, deviation)); };
    for (std::size_t i = 0; i < kPoses; ++i) {
        if (i % 3 == 0) pose.velocity += fray::Vec3{change(40), change(40), i % 40 == 0 ? 270.0F : change(1)};
        pose.velocity *= 0.95F;
        pose.position += pose.velocity * 0.05F;
        pose.yaw += change(8);
        pose.pitch = change(10);
        poses.push_back(codec.quantise(pose));
    }
    return poses;
}

struct Poses {
    fray::PoseCodec codec{fray::World{}};
    std::vector<fray::QuantisedPose> poses = walk(codec);
    std::array<std::uint8_t, 64> memory{};
};

void quantise_pose(benchmark::State& state) {
    const Poses at;
    const fray::Pose pose{.position = {1.5F, 200, -30}, .velocity = {300, 20, 1}, .yaw = 77, .pitch = -5};
    for (auto _ : state) benchmark::DoNotOptimize(at.codec.quantise(pose));
}
BENCHMARK(quantise_pose);

void restore_pose(benchmark::State& state) {
    const Poses at;
    for (auto _ : state) benchmark::DoNotOptimize(at.codec.restore(at.poses[7]));
}
BENCHMARK(restore_pose);

void write_pose_full(benchmark::State& state) {
    Poses at;
    std::size_t i = 0;
    for (auto _ : state) {
        fray::BitWriter out{at.memory};
        at.codec.write_full(out, at.poses[i++ % kPoses]);
        benchmark::DoNotOptimize(at.memory);
    }
}
BENCHMARK(write_pose_full);

void read_pose_full(benchmark::State& state) {
    Poses at;
    fray::BitWriter out{at.memory};
    at.codec.write_full(out, at.poses[7]);
    for (auto _ : state) {
        fray::BitReader in{at.memory};
        benchmark::DoNotOptimize(at.codec.read_full(in));
    }
}
BENCHMARK(read_pose_full);

void write_pose_delta(benchmark::State& state) {
    Poses at;
    std::size_t i = 0;
    std::size_t bits = 0;
    for (auto _ : state) {
        fray::BitWriter out{at.memory};
        const std::size_t now = kLag + i++ % (kPoses - kLag);
        at.codec.write_delta(out, at.poses[now - kLag], kElapsed, at.poses[now]);
        bits += out.bit_count();
        benchmark::DoNotOptimize(at.memory);
    }
    state.counters["bits"] =
        benchmark::Counter(static_cast<double>(bits), benchmark::Counter::kAvgIterations);
}
BENCHMARK(write_pose_delta);

void read_pose_delta(benchmark::State& state) {
    const Poses at;
    std::vector<std::array<std::uint8_t, 64>> memory(kPoses);
    for (std::size_t now = kLag; now < kPoses; ++now) {
        fray::BitWriter out{memory[now]};
        at.codec.write_delta(out, at.poses[now - kLag], kElapsed, at.poses[now]);
        out.finish();
    }
    std::size_t i = 0;
    for (auto _ : state) {
        const std::size_t now = kLag + i++ % (kPoses - kLag);
        fray::BitReader in{memory[now]};
        benchmark::DoNotOptimize(at.codec.read_delta(in, at.poses[now - kLag], kElapsed));
    }
}
BENCHMARK(read_pose_delta);

void varint_round_trip(benchmark::State& state) {
    std::array<std::uint8_t, 32> memory{};
    const auto value = static_cast<std::uint64_t>(state.range(0));
    for (auto _ : state) {
        fray::BitWriter out{memory};
        fray::write_varint(out, value);
        fray::BitReader in{memory};
        benchmark::DoNotOptimize(fray::read_varint(in));
    }
}
BENCHMARK(varint_round_trip)->Arg(7)->Arg(1000)->Arg(1LL << 40);

void payload_delta(benchmark::State& state) {
    const fray::EntityType type = fray::EntityType::of<Tank>("tank");
    const auto before = fray::state_of({}, Tank{.score = 500}).payload;
    const auto after =
        fray::state_of({}, state.range(0) == 0 ? Tank{.score = 500} : Tank{.armor = 93, .score = 500})
            .payload;
    std::vector<std::uint64_t> fields;
    type.fields(before, fields);
    std::vector<std::uint8_t> back;
    std::array<std::uint8_t, 64> memory{};
    for (auto _ : state) {
        fray::BitWriter out{memory};
        type.write_delta(out, fields, after);
        fray::BitReader in{memory};
        back.clear();
        benchmark::DoNotOptimize(type.read_delta(in, fields, back));
    }
}
BENCHMARK(payload_delta)->ArgName("changed")->Arg(0)->Arg(1);

void id_set_round_trip(benchmark::State& state) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < 64; ++i)
        ids.push_back(i * static_cast<std::uint32_t>(state.range(0)) + i % 2);
    std::array<std::uint8_t, 512> memory{};
    std::vector<std::uint32_t> back;
    for (auto _ : state) {
        fray::BitWriter out{memory};
        fray::write_id_set(out, ids);
        fray::BitReader in{memory};
        benchmark::DoNotOptimize(fray::read_id_set(in, back, ids.size()));
    }
}
BENCHMARK(id_set_round_trip)->ArgName("gap")->Arg(2)->Arg(100);

}  // namespace
