// JoinCompleted: once after each Joined, when this peer is linked with every member that it has heard of.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fray {
namespace {

using test::Cluster;

struct Case {
    std::string name;
    OverlayOptions overlay;
};

class JoinCompletes : public testing::TestWithParam<Case> {
protected:
    /// A peer at the same place as all others: in sight of them, in every overlay.
    std::size_t add() {
        PeerOptions options;
        options.overlay = GetParam().overlay;
        const std::size_t i = cluster_.add(options);
        EXPECT_TRUE(cluster_.peer(i).publish(cluster_.local(i), state_of(Pose{})));
        return i;
    }
    void expect_completed(std::size_t i, std::uint32_t peers) {
        bool has_joined = false;
        std::vector<std::uint32_t> completed;
        for (const Event& event : cluster_.events(i)) {
            has_joined = has_joined || std::holds_alternative<Joined>(event);
            if (const auto* e = std::get_if<JoinCompleted>(&event)) {
                EXPECT_TRUE(has_joined) << "before Joined";
                completed.push_back(e->peers);
            }
        }
        EXPECT_EQ(completed, std::vector<std::uint32_t>{peers});
    }
    Cluster cluster_;
};

TEST_P(JoinCompletes, AlsoWhenAlone) {
    add();
    add();
    cluster_.join(1, 0);
    ASSERT_TRUE(cluster_.run_while([&] { return cluster_.events_of<JoinCompleted>(1).empty(); }, 5s));
    cluster_.run_for(20s);
    expect_completed(1, 1);
    EXPECT_TRUE(cluster_.events_of<JoinCompleted>(0).empty()) << "the first of a session joins nobody";
}

TEST_P(JoinCompletes, WithEveryMember) {
    for (int i = 0; i < 12; ++i) add();
    for (std::size_t i = 1; i < 11; ++i) {
        cluster_.join(i, 0);
        cluster_.run_for(500ms);
    }
    cluster_.run_for(10s);
    cluster_.join(11, 0);
    cluster_.run_for(20s);
    ASSERT_EQ(cluster_.peer(11).peers().size(), 11U);
    expect_completed(11, 11);
}

TEST_P(JoinCompletes, OnceWhateverIsLost) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        cluster_ = Cluster{};
        cluster_.set_network(test::rough(Seed{seed}, 0.3, 0.1, 10ms, 90ms));
        for (int i = 0; i < 4; ++i) add();
        for (std::size_t i = 1; i < 4; ++i) cluster_.join(i, 0);
        cluster_.run_for(30s);
        for (std::size_t i = 1; i < 4; ++i) {
            EXPECT_EQ(cluster_.events_of<JoinCompleted>(i).size(), cluster_.events_of<Joined>(i).size())
                << "peer " << i << ", seed " << seed;
            EXPECT_GE(cluster_.events_of<Joined>(i).size(), 1U);
        }
    }
}

TEST_P(JoinCompletes, AgainAfterTheNextJoin) {
    for (int i = 0; i < 3; ++i) add();
    cluster_.join(1, 0);
    cluster_.join(2, 0);
    cluster_.run_for(10s);
    ASSERT_EQ(cluster_.events_of<JoinCompleted>(2).size(), 1U);
    cluster_.peer(2).leave(cluster_.local(2));
    cluster_.run_for(1s);
    cluster_.forget_events();
    cluster_.join(2, 1);
    cluster_.run_for(10s);
    expect_completed(2, 2);
}

TEST_P(JoinCompletes, NotAfterLeaving) {
    add();
    add();
    cluster_.join(1, 0);
    ASSERT_TRUE(cluster_.run_while([&] { return cluster_.events_of<Joined>(1).empty(); }, 2s));
    ASSERT_TRUE(cluster_.events_of<JoinCompleted>(1).empty());
    cluster_.peer(1).leave(cluster_.local(1));
    cluster_.run_for(20s);
    EXPECT_TRUE(cluster_.events_of<JoinCompleted>(1).empty());
}

INSTANTIATE_TEST_SUITE_P(Overlays, JoinCompletes,
                         testing::Values(Case{"full_mesh", FullMesh{}}, Case{"psense", PSense{}},
                                         Case{"psense_paper", PSense::paper(200, 5120)}),
                         [](const auto& test) { return test.param.name; });

TEST(JoinCompleted, AMemberThatCannotBeReachedDelaysItByFiveSeconds) {
    Cluster cluster;
    for (int i = 0; i < 4; ++i) cluster.add();
    for (std::size_t i = 1; i < 3; ++i) cluster.join(i, 0);
    cluster.run_for(5s);
    cluster.cut(2, 3);
    cluster.join(3, 0);
    cluster.run_for(4s);
    ASSERT_EQ(cluster.peer(3).peers().size(), 2U);
    EXPECT_TRUE(cluster.events_of<JoinCompleted>(3).empty());
    cluster.run_for(4s);
    ASSERT_EQ(cluster.events_of<JoinCompleted>(3).size(), 1U);
    EXPECT_EQ(cluster.events_of<JoinCompleted>(3)[0].peers, 2U);
}

}  // namespace
}  // namespace fray
