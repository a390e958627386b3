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

TEST(UnionFind, ALongChainIsOneSet) {
    UnionFind sets;
    sets.reset(1000);
    for (std::uint32_t i = 999; i > 0; --i) EXPECT_TRUE(sets.join(i, i - 1));
    EXPECT_FALSE(sets.join(0, 999));
    EXPECT_EQ(sets.find(999), sets.find(1));
}

}  // namespace
}  // namespace fray::lab
