// Which options all peers of a session must share, and what a peer with others is told.

#include "support/pair.hpp"

#include <gtest/gtest.h>

namespace fray {
namespace {

using test::Cluster;

PeerOptions over(const OverlayOptions& overlay) {
    PeerOptions options;
    options.overlay = overlay;
    return options;
}

/// The reason for which the second peer is refused; nothing if it joins.
std::optional<Reason> refusal(const OverlayOptions& first, const OverlayOptions& second) {
    Cluster cluster;
    cluster.add(over(first));
    cluster.add(over(second));
    cluster.join(1, 0);
    cluster.run_for(3s);
    const auto refused = cluster.events_of<Refused>(1);
    EXPECT_EQ(refused.size() + cluster.events_of<Joined>(1).size(), 1U);
    EXPECT_EQ(cluster.peer(0).peers().size(), refused.empty() ? 1U : 0U);
    return refused.empty() ? std::nullopt : std::optional{refused[0].reason};
}

TEST(AgreedOptions, OverlaysThatDoNotFitRefuseEachOther) {
    EXPECT_EQ(refusal(FullMesh{}, PSense{}), Reason::overlay_mismatch);
    EXPECT_EQ(refusal(PSense{}, FullMesh{}), Reason::overlay_mismatch);
    EXPECT_EQ(refusal(PSense{}, PSense::paper(200, 2000)), Reason::overlay_mismatch);
    EXPECT_EQ(refusal(PSense{}, PSense{.sectors = 6}), Reason::overlay_mismatch);
    EXPECT_EQ(refusal(PSense{}, PSense{.hop_limit = 2}), Reason::overlay_mismatch);
}

TEST(AgreedOptions, EachPeerMayHaveItsOwnVisionAndLimits) {
    EXPECT_FALSE(refusal(FullMesh{}, FullMesh{.most_peers = 8, .retry = 100ms}));
    EXPECT_FALSE(refusal(PSense{}, PSense{.vision_range = 100, .margin = 10, .backups = 2, .contacts = 8}));
}

TEST(AgreedOptions, TheReasonHasAText) { EXPECT_EQ(to_string(Reason::overlay_mismatch), "overlay mismatch"); }

}  // namespace
}  // namespace fray
