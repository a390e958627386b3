#include "support/pair.hpp"
#include "wire/capture.hpp"
#include "wire/consistency_json.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fray {
namespace {

constexpr PeerId kSomebody = PeerId::from_number(0x1234'5678'9ABC);
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 32U;

TEST(Corpus, ChoicesOfConsistency) {
    Corpus corpus{"consistency", "consistency"};
    std::uint32_t number = 0;
    const auto add = [&](const Consistency& consistency) {
        ASSERT_TRUE(consistency.check());
        const ConsistencyChoice choice{number, static_cast<std::uint16_t>(number * 1000), consistency};
        corpus.add("[]", json(choice), [&](BitWriter& out) { write(out, choice); });
        number = number * 3 + 1;
    };
    add({});
    add({.algorithm = EverQuest{.motion_model = false}});
    add({.algorithm = EverQuest{.motion_model = true, .validator = kSomebody}});
    add({.algorithm = CentralizedSerialization{kSomebody}, .interval = 100ms, .horizon = 0ms});
    for (const Duration lag : {Duration{0ms}, Duration{100ms}, kMostLag}) {
        add({.algorithm = LocalLag{lag}});
        add({.algorithm = HalfLife{lag}, .interval = lag});
        add({.algorithm = Adaptive{.most_lag = lag, .blend = 7ms, .lag = 9ms}});
        add({.algorithm = Adaptive{.most_lag = 1ms, .blend = lag, .lag = 3ms}});
        add({.algorithm = Adaptive{.most_lag = 50ms, .blend = 200ms, .lag = lag}});
    }
    add({.algorithm = BucketSync{.bucket = 1ms, .depth = 1}});
    add({.algorithm = BucketSync{.bucket = 1ms, .depth = kMostBuckets}});
    add({.algorithm = BucketSync{.bucket = kMostLag, .depth = 1}});
    add({.algorithm = BucketSync{}, .interval = kMostLag, .horizon = kMostHorizon});
    corpus.check();
}

/// Numbers with explicit widths: bits that no writer writes.
struct Raw {
    std::uint64_t value = 0;
    unsigned bits = 0;
};

TEST(Corpus, ChoicesThatCannotBe) {
    Corpus corpus{"consistency_refused", "consistency"};
    const auto accepts = [](BitReader& in) {
        ConsistencyChoice choice;
        return read(in, choice) && choice.consistency.check();
    };
    const auto refuse = [&](const std::vector<Raw>& raws, std::uint64_t number = 5) {
        corpus.refuse(
            "[]",
            [&](BitWriter& out) {
                write_varint(out, number);
                out.bits(1, 16);
                for (const Raw& raw : raws) out.bits(raw.value, raw.bits);
            },
            accepts);
    };
    constexpr unsigned kLag = 11;
    constexpr Raw kInterval{0, kLag};
    constexpr Raw kHorizon{1000, 14};
    constexpr std::uint64_t kTooLong = 2001;
    const auto algorithm = [](std::uint64_t index) { return Raw{index, 3}; };
    refuse({algorithm(0), {1, 2}, kInterval, kHorizon}, kTooLarge);
    refuse({algorithm(6), kInterval, kHorizon});                            // there are six
    refuse({algorithm(0), {1, 2}, {kTooLong, kLag}, kHorizon});             // interval
    refuse({algorithm(0), {1, 2}, kInterval, {10'001, 14}});                // horizon
    refuse({algorithm(1), {0, 64}, {0, 64}, kInterval, kHorizon});          // no serializer
    refuse({algorithm(2), {kTooLong, kLag}, kInterval, kHorizon});          // lag
    refuse({algorithm(3), {0, kLag}, {1, 4}, kInterval, kHorizon});         // no bucket
    refuse({algorithm(3), {kTooLong, kLag}, {0, 4}, kInterval, kHorizon});  // bucket
    refuse({algorithm(3), {1, kLag}, {15, 4}, kInterval, kHorizon});        // 16 deep
    refuse({algorithm(3), {667, kLag}, {2, 4}, kInterval, kHorizon});       // three of them are too long
    refuse({algorithm(4), {kTooLong, kLag}, kInterval, kHorizon});
    refuse({algorithm(5), {kTooLong, kLag}, {1, kLag}, {1, kLag}, kInterval, kHorizon});
    refuse({algorithm(5), {1, kLag}, {kTooLong, kLag}, {1, kLag}, kInterval, kHorizon});
    refuse({algorithm(5), {1, kLag}, {1, kLag}, {kTooLong, kLag}, kInterval, kHorizon});
    corpus.check();
}

constexpr std::array<std::size_t, 3> kSizes{0, 3, kMaxRequestBytes};

template <class T>
bool accepts(BitReader& in) {
    T value;
    return read(in, value);
}

TEST(Corpus, Requests) {
    Corpus corpus{"request", "request"};
    for (const std::size_t size : kSizes) {
        const Request request{
            .number = 7, .by = 0, .target = 0xFFFF'FFFF, .seen = 99 + size, .bytes = ramp(size)};
        corpus.add("[]", json(request), [&](BitWriter& out) { write(out, request); });
    }
    const auto refuse = [&](const std::vector<std::uint64_t>& numbers, std::size_t size) {
        const auto write_it = [&](BitWriter& out) {
            for (const std::uint64_t number : numbers) write_varint(out, number);
            out.bits(kMaxWireTime, kSessionTimeBits);
            write_varint(out, size);
            zeros(out, size);
        };
        corpus.refuse("[]", write_it, accepts<Request>);
    };
    refuse({kTooLarge, 1, 1}, 1);
    refuse({1, kTooLarge, 1}, 1);
    refuse({1, 1, kTooLarge}, 1);
    refuse({1, 1, 1}, kMaxRequestBytes + 1);
    corpus.check();
}

TEST(Corpus, Replies) {
    Corpus corpus{"reply", "reply"};
    for (const std::size_t size : kSizes) {
        const Reply reply{.number = 300, .answered = size != 0, .bytes = ramp(size)};
        corpus.add("[]", json(reply), [&](BitWriter& out) { write(out, reply); });
    }
    const auto refuse = [&](std::uint64_t number, std::size_t size) {
        const auto write_it = [&](BitWriter& out) {
            write_varint(out, number);
            out.boolean(true);
            write_varint(out, size);
            zeros(out, size);
        };
        corpus.refuse("[]", write_it, accepts<Reply>);
    };
    refuse(kTooLarge, 1);
    refuse(1, kMaxRequestBytes + 1);
    corpus.check();
}

struct Door {
    std::uint8_t angle = 0;
};
template <class Stream>
void serialize(Stream& stream, Door& door) {
    stream.integer(door.angle, 0, 100);
}
const char* const kTypes = "[[], [7]]";

/// No entity is faster than 200 units per second.
bool slow_enough(const Pose& before, std::span<const std::uint8_t>, const Pose& after,
                 std::span<const std::uint8_t>, Duration elapsed) {
    constexpr double kMost = 200;
    return static_cast<double>(length(after.position - before.position)) <= kMost * seconds(elapsed) + 1;
}

World make_world() {
    World world;
    world.types = {EntityType::bare("bare"), EntityType::of<Door>("door")};
    world.types[0].valid = slow_enough;
    return world;
}

TEST(Corpus, StatesThatCannotBe) {
    const World world = make_world();
    const PoseCodec codec{world};
    Corpus corpus{"whole_state", "whole_state", json(world)};
    const std::string arguments = "[" + std::string{kTypes} + "]";
    const auto accepts = [&](BitReader& in) {
        WholeState whole;
        return read_numbered(in, world, codec, whole);
    };
    const WholeState whole{.number = 0xFFFF'FFFF,
                           .type = EntityTypeId{1},
                           .pose = codec.quantise(Pose{.position = {1, 2, 3}, .yaw = 90}),
                           .payload = state_of(Pose{}, Door{77}).payload,
                           .input = {4, 5}};
    corpus.add(arguments, json(whole, world),
               [&](BitWriter& out) { write_numbered(out, world, codec, whole); });
    corpus.refuse(
        arguments,
        [&](BitWriter& out) {
            write_varint(out, kTooLarge);
            out.bits(0, 1);
            codec.write_full(out, whole.pose);
            out.boolean(false);
        },
        accepts);
    corpus.check();
}

/// The third peer validates the second's entity and serializes the first's; the first two send requests to
/// each other.
void play(test::Cluster& cluster, const World& world) {
    PeerOptions options;
    options.world = world;
    cluster.remember_sent(true);
    for (int i = 0; i < 3; ++i) cluster.add(options);
    cluster.join_all();
    const auto pose = [](float x) { return Pose{.position = {x, 1, 2}, .velocity = {50, 0, 0}}; };
    const auto door = cluster.peer(0).publish(cluster.local(0), state_of(pose(0), Door{1}, EntityTypeId{1}));
    const auto guest = cluster.peer(1).publish(cluster.local(1), state_of(pose(0)));
    ASSERT_TRUE(door && guest);
    ASSERT_TRUE(cluster.peer(0).set_consistency(
        cluster.local(0), *door, {.algorithm = CentralizedSerialization{test::Cluster::id(2)}}));
    ASSERT_TRUE(cluster.peer(1).set_consistency(cluster.local(1), *guest,
                                                {.algorithm = EverQuest{.validator = test::Cluster::id(2)}}));
    cluster.run_for(1s);
    for (int step = 1; step < 8; ++step) {
        const State state = state_of(pose(static_cast<float>(step)), Door{9}, EntityTypeId{1});
        ASSERT_TRUE(cluster.peer(0).update(cluster.local(0), *door, state));
        const auto jump = static_cast<float>(step < 6 ? step : 500);
        ASSERT_TRUE(cluster.peer(1).update(cluster.local(1), *guest, state_of(pose(jump))));
        cluster.run_for(50ms);
    }
    cluster.run_for(1s);
    const std::vector<std::uint8_t> knock{1, 2, 3};
    ASSERT_TRUE(cluster.peer(1).interact(cluster.local(1), *guest, *door, knock));
    cluster.run_for(200ms);
    const auto asked = cluster.events_of<Asked>(0);
    ASSERT_EQ(asked.size(), 1U);
    ASSERT_TRUE(cluster.peer(0).answer(cluster.local(0), asked[0].request, std::vector<std::uint8_t>{9}));
    cluster.run_for(200ms);
    EXPECT_EQ(cluster.events_of<Answered>(1).size(), 1U);
    EXPECT_FALSE(cluster.events_of<Overruled>(1).empty());
}

TEST(Corpus, WhatPeersAgreeOn) {
    const World world = make_world();
    test::Cluster cluster;
    ASSERT_NO_FATAL_FAILURE(play(cluster, world));
    Capture capture{world, kTypes, "captured_consistency"};
    for (std::size_t from = 0; from < cluster.size(); ++from) capture.add_sent_by(cluster, from);
    EXPECT_EQ(capture.kinds, (std::set<std::uint8_t>{9, 12, 13, 14, 15}));
    std::string all;
    for (const std::string& shape : capture.shapes) all += shape + "\n";
    EXPECT_NE(all.find(" 9"), std::string::npos) << all;
    capture.bodies.check();
    capture.messages.check();
}

}  // namespace
}  // namespace fray
