// Nearest first in a full mesh, where the overlay offers every update to every peer.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fray {
namespace {

using test::Cluster;

constexpr std::size_t kReceivers = 16;
constexpr std::size_t kNear = kReceivers / 2;  // peers 1 to 8; the others are in the far corner

State at(float x, float y) { return state_of(Pose{.position = {x, y, 0}}); }

/// Peer 0 moves in one corner of the world, and its upload carries updates to about a third of the others per
/// frame. Returns how many of its updates each of them got.
std::array<int, kReceivers> updates_received(const InterestOptions& interest, std::uint32_t upload_kbps) {
    Cluster cluster;
    PeerOptions options;
    options.interest = interest;
    options.link.upload_kbps = upload_kbps;
    cluster.add(options);
    for (std::size_t i = 1; i <= kReceivers; ++i) cluster.add();
    cluster.join_all();
    const EntityId moving = *cluster.peer(0).publish(cluster.local(0), at(-1000, -1000));
    for (std::size_t i = 1; i <= kReceivers; ++i) {
        const State place = i <= kNear ? at(-990, -1000) : at(1000, 1000);
        EXPECT_TRUE(cluster.peer(i).publish(cluster.local(i), place).has_value());
    }
    cluster.run_for(5s);
    std::array<int, kReceivers> received{};
    std::array<SessionInstant, kReceivers> stamps{};
    for (int frame = 0; frame < 400; ++frame) {
        const float y = -1000 + static_cast<float>(frame % 100);
        EXPECT_TRUE(cluster.peer(0).update(cluster.local(0), moving, at(-1000, y)));
        cluster.run_for(50ms);
        for (std::size_t i = 0; i < kReceivers; ++i) {
            const auto replica = cluster.peer(i + 1).replica(cluster.local(i + 1), moving);
            if (!replica) continue;
            received[i] += replica->stamp != stamps[i] ? 1 : 0;
            stamps[i] = replica->stamp;
        }
    }
    return received;
}

TEST(NearestInAMesh, ServesNearPeersMoreOftenAndStarvesNobody) {
    const auto turns = updates_received(Broadcast{}, 64);
    for (const int count : turns) {
        ASSERT_GT(count, 50);
        ASSERT_LT(count, 300) << "the upload must not suffice for all";
        EXPECT_NEAR(count, turns[0], 15) << "in turns, wherever they are";
    }
    const auto nearest = updates_received(Nearest{}, 64);
    for (std::size_t near = 0; near < kNear; ++near) {
        for (std::size_t far = kNear; far < kReceivers; ++far) {
            EXPECT_GT(nearest[near], 2 * nearest[far]) << near << " and " << far;
            EXPECT_GT(nearest[far], 25) << far;
        }
        EXPECT_GT(nearest[near], turns[near]);
    }
}

TEST(NearestInAMesh, ServesEverybodyWhereTheUploadSuffices) {
    for (const int count : updates_received(Nearest{}, 0)) EXPECT_GT(count, 370);
}

}  // namespace
}  // namespace fray
