// Choices of consistency in transit: the owner chooses often, and the network delivers rarely.

#include "support/pair.hpp"

#include <gtest/gtest.h>

namespace fray {
namespace {

using test::Cluster;
using test::Pair;

class Choices : public testing::Test {
protected:
    Choices() {
        id_ = *owner().publish(pair_.local(0), state_of(Pose{}));
        pair_.run_for(500ms);
        pair_.forget_events();
    }
    Peer& owner() { return pair_.peer(0); }
    void choose(Duration lag) {
        ASSERT_TRUE(owner().set_consistency(pair_.local(0), id_, {.algorithm = LocalLag{lag}}));
    }
    /// How far the viewer's screen is behind, once it has settled.
    Duration lag_seen() {
        for (int i = 0; i < 40; ++i) {
            const Pose pose{.position = {static_cast<float>(i), 0, 0}};
            EXPECT_TRUE(owner().update(pair_.local(0), id_, state_of(pose)));
            pair_.run_for(50ms);
        }
        return pair_.session(1) - pair_.peer(1).replica(pair_.local(1), id_)->moment;
    }

    Pair pair_;
    EntityId id_{};
};

TEST_F(Choices, ThatWereNeverSentLeaveRoomForMessagesAndTheLastOneCounts) {
    for (int i = 0; i < 10'000; ++i) choose(std::chrono::milliseconds{i % 500});
    choose(321ms);
    EXPECT_TRUE(owner().send(pair_.local(0), test::text("still room")));
    EXPECT_EQ(lag_seen(), 321ms);
    EXPECT_EQ(pair_.events_of<Message>(1).size(), 1U);
}

TEST_F(Choices, ThatNobodyAcknowledgesLeaveRoomForMessagesAndTheLastOneCounts) {
    pair_.cut_way(1, 0);  // they arrive, but no acknowledgement does
    for (int i = 0; i < 5'000; ++i) {
        choose(std::chrono::milliseconds{i % 500});
        pair_.flush(0);
        pair_.run_for(Duration{200});
    }
    choose(234ms);
    EXPECT_TRUE(owner().send(pair_.local(0), test::text("still room")));
    pair_.cut_way(1, 0, false);
    EXPECT_EQ(lag_seen(), 234ms);
    EXPECT_EQ(pair_.events_of<Message>(1).size(), 1U);
    EXPECT_TRUE(pair_.events_of<PeerLeft>(1).empty()) << "the link held";
}

TEST_F(Choices, OfAnEntityThatIsGoneGiveWayToThat) {
    std::vector<EntityId> gone;
    for (int i = 0; i < 10; ++i) {
        const auto id = *owner().publish(pair_.local(0), state_of(Pose{}));
        EXPECT_TRUE(owner().set_consistency(pair_.local(0), id, {.algorithm = HalfLife{}}));
        EXPECT_TRUE(owner().withdraw(pair_.local(0), id));
        gone.push_back(id);
    }
    pair_.run_for(1s);
    for (const EntityId& id : gone) EXPECT_FALSE(pair_.peer(1).replica(pair_.local(1), id));
    EXPECT_TRUE(pair_.peer(1).replica(pair_.local(1), id_));
}

}  // namespace
}  // namespace fray
