#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;
using test::Pair;

struct Blob {
    std::vector<std::uint8_t> bytes;
};
template <class Stream>
void serialize(Stream& s, Blob& b) {
    s.bytes(b.bytes, kMaxPayloadBytes - 4);
}

PeerOptions blob_options() {
    PeerOptions options;
    options.world.types = {EntityType::of<Blob>("blob")};
    return options;
}

State blob(std::uint8_t value, std::size_t size, float x = 0) {
    Pose pose;
    pose.position.x = x;
    return state_of(pose, Blob{std::vector<std::uint8_t>(size, value)});
}

State at(float x, float vx = 0) {
    Pose pose;
    pose.position.x = x;
    pose.velocity.x = vx;
    return state_of(pose);
}

TEST(Entities, APublishedEntityAppearsMovesAndGoes) {
    Pair pair;
    const auto id = pair.peer(0).publish(pair.local(0), at(5));
    ASSERT_TRUE(id);
    pair.run_for(300ms);
    ASSERT_EQ(pair.events_of<EntityAppeared>(1).size(), 1U);
    EXPECT_EQ(pair.events_of<EntityAppeared>(1)[0].entity, *id);
    ASSERT_TRUE(pair.peer(0).update(pair.local(0), *id, at(77)));
    pair.run_for(300ms);
    const auto replica = pair.peer(1).replica(pair.local(1), *id);
    ASSERT_TRUE(replica);
    EXPECT_EQ(replica->received.position.x, 77);
    EXPECT_EQ(pair.peer(1).replicas(pair.local(1)).size(), 1U);
    ASSERT_TRUE(pair.peer(0).withdraw(pair.local(0), *id));
    pair.run_for(300ms);
    ASSERT_EQ(pair.events_of<EntityGone>(1).size(), 1U);
    EXPECT_FALSE(pair.peer(1).replica(pair.local(1), *id));
    EXPECT_EQ(pair.events_of<EntityAppeared>(1).size(), 1U);
    EXPECT_FALSE(pair.peer(0).update(pair.local(0), *id, at(1)));
    EXPECT_FALSE(pair.peer(0).withdraw(pair.local(0), *id));
}

TEST(Entities, InputTravelsWithTheState) {
    Pair pair;
    State state = at(1);
    state.input = {1, 2, 3};
    const auto id = pair.peer(1).publish(pair.local(1), state);
    ASSERT_TRUE(id);
    pair.run_for(300ms);
    const auto first = pair.peer(0).replica(pair.local(0), *id);
    ASSERT_TRUE(first);
    EXPECT_TRUE(std::ranges::equal(first->input, std::vector<std::uint8_t>{1, 2, 3}));
    state.input.clear();
    ASSERT_TRUE(pair.peer(1).update(pair.local(1), *id, state));
    pair.run_for(300ms);
    EXPECT_TRUE(pair.peer(0).replica(pair.local(0), *id)->input.empty());
}

TEST(Entities, WhatTheWorldDoesNotAllowIsRefusedAtOnce) {
    Pair pair{blob_options()};
    State wrong = at(0);
    wrong.type = EntityTypeId{9};
    EXPECT_FALSE(pair.peer(0).publish(pair.local(0), wrong));
    wrong = blob(1, 3);
    wrong.input.resize(kMaxInputBytes + 1);
    EXPECT_FALSE(pair.peer(0).publish(pair.local(0), wrong));
    wrong = blob(1, 3);
    wrong.payload.resize(kMaxPayloadBytes + 1);
    EXPECT_FALSE(pair.peer(0).publish(pair.local(0), wrong));
    wrong = blob(1, 300);
    wrong.payload.resize(5);  // truncated: no valid payload
    EXPECT_FALSE(pair.peer(0).publish(pair.local(0), wrong));
    EXPECT_TRUE(pair.peer(0).publish(pair.local(0), blob(1, 3)));
    EXPECT_FALSE(pair.peer(0).update(pair.local(0), EntityId{Cluster::id(1), 0}, blob(1, 3)));
}

TEST(Entities, APoseThatIsNotFiniteIsRefusedAndChangesNothing) {
    Pair pair;
    const auto id = pair.peer(0).publish(pair.local(0), at(1));
    ASSERT_TRUE(id);
    const std::array<float Pose::*, 2> angles{&Pose::yaw, &Pose::pitch};
    const std::array<Vec3 Pose::*, 2> vectors{&Pose::position, &Pose::velocity};
    std::vector<Pose> wrong;
    for (const float number :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
        for (const auto angle : angles) wrong.emplace_back(at(2).pose).*angle = number;
        for (const auto vector : vectors) {
            for (const auto axis : {&Vec3::x, &Vec3::y, &Vec3::z})
                (wrong.emplace_back(at(2).pose).*vector).*axis = number;
        }
    }
    ASSERT_EQ(wrong.size(), 24U);
    for (const Pose& pose : wrong) {
        const auto published = pair.peer(0).publish(pair.local(0), state_of(pose));
        ASSERT_FALSE(published);
        EXPECT_NE(published.error().message.find("finite"), std::string::npos);
        EXPECT_FALSE(pair.peer(0).update(pair.local(0), *id, state_of(pose)));
    }
    pair.run_for(300ms);
    const auto replica = pair.peer(1).replica(pair.local(1), *id);
    ASSERT_TRUE(replica);
    EXPECT_NEAR(replica->pose.position.x, at(1).pose.position.x, 0.1F);
    EXPECT_TRUE(pair.peer(0).update(pair.local(0), *id, at(2)));
}

TEST(Entities, APoseThatTheWorldDoesNotHoldIsClampedAndCounted) {
    PeerOptions options;
    options.world.low.z = options.world.high.z = 0;
    options.world.wrap_x = true;
    Pair pair{options};
    const auto id = pair.peer(0).publish(pair.local(0), state_of(Pose{}));
    ASSERT_TRUE(id);
    const auto clamped_after = [&](const Pose& pose) {
        EXPECT_TRUE(pair.peer(0).update(pair.local(0), *id, state_of(pose)));
        return pair.peer(0).stats().poses_clamped;
    };
    EXPECT_EQ(clamped_after({.position = {-1024, 1024.05F, 0}, .velocity = {1024, -1024, 0}, .pitch = 90}),
              0U)
        << "half a step beyond the bounds is rounding";
    EXPECT_EQ(clamped_after({.position = {5000, 0, 5}, .velocity = {0, 0, 5000}, .yaw = 720}), 0U)
        << "x wraps, yaw turns, and z takes no bits";
    EXPECT_EQ(clamped_after({.position = {0, -1025, 0}}), 1U);
    EXPECT_EQ(clamped_after({.velocity = {-2000, 0, 0}}), 2U);
    EXPECT_EQ(clamped_after({.pitch = -91}), 3U);
    EXPECT_EQ(clamped_after({.position = {0, 5000, 0}}), 4U);
    pair.run_for(300ms);
    EXPECT_EQ(pair.peer(1).replica(pair.local(1), *id)->pose.position.y, 1024);
}

TEST(Entities, ABigPayloadTravelsInPieces) {
    Pair pair{blob_options()};
    const auto id = pair.peer(0).publish(pair.local(0), blob(9, 4000));
    ASSERT_TRUE(id);
    pair.run_for(500ms);
    const auto replica = pair.peer(1).replica(pair.local(1), *id);
    ASSERT_TRUE(replica);
    EXPECT_EQ(replica->as<Blob>()->bytes, std::vector<std::uint8_t>(4000, 9));
}

// Fragments are not acknowledged, but an unchanged entity must not be sent in every frame for ever.
TEST(Entities, ABigEntityThatDoesNotChangeFallsSilent) {
    Pair pair{blob_options()};
    ASSERT_TRUE(pair.peer(0).publish(pair.local(0), blob(9, 4000)));
    pair.run_for(5s);
    const auto before = pair.peer(0).stats().ledger.bits(Purpose::state) / 8;
    EXPECT_GE(before, 4000U);
    pair.run_for(10s);
    const auto rest = pair.peer(0).stats().ledger.bits(Purpose::state) / 8 - before;
    EXPECT_LT(rest, 20'000U) << "bytes of an unchanged entity in ten seconds";
}

TEST(Entities, ASmallEntityThatDoesNotChangeFallsSilent) {
    Pair pair;
    ASSERT_TRUE(pair.peer(0).publish(pair.local(0), at(3)));
    pair.run_for(2s);
    const auto before = pair.peer(0).stats().updates_sent;
    EXPECT_GE(before, 1U);
    pair.run_for(20s);
    EXPECT_LE(pair.peer(0).stats().updates_sent, before + 2);
    EXPECT_EQ(pair.peer(1).replicas(pair.local(1)).size(), 1U);
}

// Groups of fragments are numbered with eight bits: leftovers of one must not be mixed into a later one.
TEST(Entities, ABigPayloadIsNeverPutTogetherFromTwo) {
    Pair pair{blob_options()};
    const auto id = pair.peer(0).publish(pair.local(0), blob(0, 2500));
    ASSERT_TRUE(id);
    int fragments = 0;
    pair.set_network([&](const Flight& f) {
        const bool big = f.from == 0 && f.bytes.size() > 1000;
        if (big && ++fragments == 7) return std::vector<Duration>{};  // one is lost
        return std::vector<Duration>{25ms};
    });
    pair.run_for(60ms);
    int seen = 0;
    for (int frame = 1; frame < 700; ++frame) {
        ASSERT_TRUE(
            pair.peer(0).update(pair.local(0), *id, blob(static_cast<std::uint8_t>(frame % 251), 2500)));
        pair.run_for(50ms);
        const auto replica = pair.peer(1).replica(pair.local(1), *id);
        ASSERT_TRUE(replica);
        const auto got = replica->as<Blob>();
        ASSERT_TRUE(got);
        ASSERT_EQ(std::ranges::count(got->bytes, got->bytes[0]), 2500) << "a mixture, in frame " << frame;
        ++seen;
    }
    EXPECT_GT(fragments, 1000);
    EXPECT_EQ(seen, 699);
}

TEST(Entities, EveryReplicaConvergesOverARoughNetwork) {
    Cluster cluster;
    for (int i = 0; i < 4; ++i) cluster.add();
    cluster.join_all();
    cluster.set_network(test::rough(Seed{3}, 0.15, 0.1, 10ms, 150ms));
    std::vector<EntityId> ids;
    for (std::size_t i = 0; i < 4; ++i) {
        for (int k = 0; k < 5; ++k) ids.push_back(*cluster.peer(i).publish(cluster.local(i), at(0)));
    }
    for (int frame = 0; frame < 200; ++frame) {
        for (const EntityId& id : ids) {
            const std::size_t owner = id.owner.number() - 1;
            ASSERT_TRUE(cluster.peer(owner).update(
                cluster.local(owner), id, at(static_cast<float>(frame) + static_cast<float>(id.number))));
        }
        cluster.run_for(50ms);
    }
    cluster.run_for(3s);
    for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(cluster.peer(i).peers().size(), 3U);
        EXPECT_GT(cluster.peer(i).stats().updates_received, 1000U);
        for (const EntityId& id : ids) {
            if (id.owner == Cluster::id(i)) continue;
            const auto replica = cluster.peer(i).replica(cluster.local(i), id);
            ASSERT_TRUE(replica);
            EXPECT_EQ(replica->received.position.x, static_cast<float>(199 + id.number));
        }
    }
}

TEST(Entities, ReplicasGoOnBetweenUpdatesAndKnowTheirAge) {
    Pair pair;
    const auto id = pair.peer(0).publish(pair.local(0), at(0, 100));
    ASSERT_TRUE(id);
    pair.run_for(500ms);
    const auto replica = pair.peer(1).replica(pair.local(1), *id);
    ASSERT_TRUE(replica);
    EXPECT_NEAR(millis(replica->age), 500, 60);
    EXPECT_NEAR(replica->pose.position.x, 50, 6);
    EXPECT_EQ(replica->received.position.x, 0);
    EXPECT_TRUE(pair.peer(0).local_view(pair.local(0), *id));
    EXPECT_FALSE(pair.peer(1).local_view(pair.local(1), *id));
}

// A 16-bit stamp covers half a minute: an older state must not appear to come from the future.
TEST(Entities, WhatStoodStillForLongMovesForANewcomerAtOnce) {
    for (const Duration still : {5s, 20s, 40s, 60s, 80s}) {
        Cluster cluster;
        cluster.add();
        cluster.add();
        const auto id = cluster.peer(0).publish(cluster.local(0), state_of(Pose{}));
        ASSERT_TRUE(id);
        cluster.run_for(still);
        cluster.join(1, 0);
        cluster.run_for(300ms);
        ASSERT_TRUE(cluster.peer(1).replica(cluster.local(1), *id));
        EXPECT_GE(millis(cluster.peer(1).replica(cluster.local(1), *id)->age), -5) << seconds(still);
        Pose moved;
        moved.position.x = 100;
        ASSERT_TRUE(cluster.peer(0).update(cluster.local(0), *id, state_of(moved)));
        cluster.run_for(300ms);
        EXPECT_EQ(cluster.peer(1).replica(cluster.local(1), *id)->received.position.x, 100) << seconds(still);
    }
}

TEST(Entities, WithdrawingManyAtOnceLeavesNoGhosts) {
    Pair pair;
    std::vector<EntityId> ids;
    for (int i = 0; i < 300; ++i) ids.push_back(*pair.peer(0).publish(pair.local(0), at(1)));
    pair.run_for(1s);
    ASSERT_EQ(pair.peer(1).replicas(pair.local(1)).size(), 300U);
    pair.set_network(test::rough(Seed{5}, 0.1, 0.1, 5ms, 180ms));
    for (int frame = 0; frame < 10; ++frame) {
        for (const EntityId& id : ids)
            ASSERT_TRUE(pair.peer(0).update(pair.local(0), id, at(static_cast<float>(frame))));
        pair.run_for(50ms);
    }
    for (const EntityId& id : ids) ASSERT_TRUE(pair.peer(0).withdraw(pair.local(0), id));
    pair.run_for(5s);
    EXPECT_EQ(pair.events_of<EntityGone>(1).size(), 300U);
    EXPECT_TRUE(pair.peer(1).replicas(pair.local(1)).empty());
}

}  // namespace
}  // namespace fray
