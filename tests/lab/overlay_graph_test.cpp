#include "lab/metrics/overlay_graph.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

void send(OverlayGraph& graph, PeerIndex from, PeerIndex to) {
    graph.on_sent({.at = {}, .from = from, .to = to, .bytes = {}});
}

std::vector<Placed> present(std::size_t count) { return std::vector<Placed>(count, Placed{{}, true}); }

TEST(OverlayGraph, DirectionsDoNotCount) {
    OverlayGraph graph;
    send(graph, 0, 1);
    send(graph, 2, 1);
    send(graph, 4, 3);
    EXPECT_EQ(graph.end_round(present(5)), 2U);
}

TEST(OverlayGraph, WhoSendsToNobodyIsAComponent) {
    OverlayGraph graph;
    send(graph, 0, kNobody);
    EXPECT_EQ(graph.end_round(present(3)), 3U);
}

TEST(OverlayGraph, EdgesToThoseThatAreGoneDoNotConnect) {
    OverlayGraph graph;
    send(graph, 0, 1);
    send(graph, 1, 2);
    auto players = present(3);
    EXPECT_EQ(graph.end_round(players), 1U);
    players[1].present = false;
    EXPECT_EQ(graph.end_round(players), 2U);
}

TEST(OverlayGraph, AnEdgeLivesForThreeRounds) {
    OverlayGraph graph;
    send(graph, 0, 1);
    for (std::size_t round = 0; round < OverlayGraph::kLiveRounds; ++round)
        EXPECT_EQ(graph.end_round(present(2)), 1U);
    EXPECT_EQ(graph.end_round(present(2)), 2U);
}

/// Peers that do nothing.
class Idle final : public Workload {
    void frame(Swarm&, PeerIndex, Instant, const Peer&) override {}
};

TEST(LinkComponents, FollowLinksThatBothEndsHold) {
    Idle idle;
    auto swarm = Swarm::create({}, Seed{1});
    ASSERT_TRUE(swarm);
    swarm->set_workload(&idle);
    ASSERT_TRUE(swarm->partition({.from = 3s, .until = 20s, .groups = {{0, 1, 2}, {3, 4}}}));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(swarm->add_peer(PeerOptions{}));
    EXPECT_EQ(link_components(*swarm), 0U);  // no peer has started
    swarm->run_until(2s);
    EXPECT_EQ(link_components(*swarm), 1U);
    swarm->run_until(15s);  // links across the partition have timed out
    EXPECT_EQ(link_components(*swarm), 2U);
    ASSERT_TRUE(swarm->schedule({.at = 16s, .kind = ActionKind::crash, .peer = 4, .through = {}}));
    swarm->run_until(18s);  // the link of 3 to 4 has not timed out, but only one end holds it
    EXPECT_EQ(swarm->peer(3).peers().size(), 1U);
    EXPECT_EQ(link_components(*swarm), 2U);
    swarm->run_until(40s);  // and healed
    EXPECT_EQ(link_components(*swarm), 1U);
}

TEST(UnionFind, ALongChainIsOneSet) {
    UnionFind sets;
    sets.reset(1000);
    for (std::uint32_t i = 999; i > 0; --i) EXPECT_TRUE(sets.join(i, i - 1));
    EXPECT_FALSE(sets.join(0, 999));
    EXPECT_EQ(sets.find(999), sets.find(1));
}

}  // namespace
}  // namespace fray::lab
