// Two peers with one id: the one that is linked keeps its links, and the later one is told.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

using test::Cluster;

PeerOptions with_id(std::uint64_t number) {
    PeerOptions options;
    options.id = PeerId::from_number(number);
    return options;
}

/// Three members, and a fourth peer that claims the id of the last of them.
class SameId : public testing::Test {
protected:
    static constexpr std::size_t kFirst = 2;

    SameId() {
        for (int i = 0; i < 3; ++i) cluster_.add();
        cluster_.join_all();
        cluster_.run_for(1s);
        cluster_.forget_events();
        twin_ = cluster_.add(with_id(kFirst + 1));
    }
    [[nodiscard]] std::size_t events_about_links() const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < 3; ++i)
            count += cluster_.events_of<PeerLeft>(i).size() + cluster_.events_of<PeerJoined>(i).size();
        return count;
    }

    Cluster cluster_;
    std::size_t twin_ = 0;
};

TEST_F(SameId, TheLaterOneIsRefusedAndTheEarlierOneKeepsItsLinks) {
    cluster_.join(twin_, 0);
    cluster_.run_for(20s);
    const auto refused = cluster_.events_of<Refused>(twin_);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::own_id);
    EXPECT_TRUE(cluster_.events_of<Joined>(twin_).empty());
    EXPECT_EQ(events_about_links(), 0U) << "no link flaps";
    EXPECT_EQ(cluster_.peer(kFirst).peers().size(), 2U);
}

TEST_F(SameId, TheLaterOneIsRefusedThoughDatagramsGetLost) {
    cluster_.set_network(test::rough(Seed{3}, 0.2, 0, 20ms, 60ms));
    cluster_.join(twin_, 0);
    cluster_.run_for(20s);
    ASSERT_EQ(cluster_.events_of<Refused>(twin_).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Refused>(twin_)[0].reason, Reason::own_id);
    EXPECT_EQ(events_about_links(), 0U);
}

TEST_F(SameId, APeerThatCrashedComesBackAtAnotherAddress) {
    cluster_.crash(kFirst);
    cluster_.join(twin_, 0);
    cluster_.run_for(4s);  // its former links have not timed out yet
    ASSERT_EQ(cluster_.events_of<Joined>(twin_).size(), 1U);
    EXPECT_TRUE(cluster_.events_of<Refused>(twin_).empty());
    EXPECT_EQ(cluster_.peer(twin_).peers().size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto left = cluster_.events_of<PeerLeft>(i);
        ASSERT_EQ(left.size(), 1U);
        EXPECT_EQ(left[0].reason, Reason::rejoined);
    }
}

TEST_F(SameId, APeerThatCrashedComesBackAtTheSameAddressWithoutDelay) {
    cluster_.crash(kFirst);
    cluster_.restart(kFirst, with_id(kFirst + 1), Seed{77});
    cluster_.join(kFirst, 0);
    cluster_.run_for(500ms);
    EXPECT_EQ(cluster_.events_of<Joined>(kFirst).size(), 1U);
    EXPECT_EQ(cluster_.peer(kFirst).peers().size(), 2U);
}

TEST_F(SameId, AMemberThatMeetsTheEarlierOneLaterIsToldOnce) {
    // The twin joins through a member that is cut off from the earlier one.
    cluster_.cut(0, kFirst);
    cluster_.run_for(6s);
    ASSERT_EQ(cluster_.peer(0).peers().size(), 1U);
    cluster_.join(twin_, 0);
    cluster_.run_for(2s);
    ASSERT_EQ(cluster_.events_of<Joined>(twin_).size(), 1U);
    cluster_.run_for(20s);  // it is introduced to the member that holds a link with the earlier one
    const auto refused = cluster_.events_of<Refused>(twin_);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::own_id);
    EXPECT_EQ(refused[0].address, cluster_.address(1));
    for (const PeerLeft& left : cluster_.events_of<PeerLeft>(1)) EXPECT_NE(left.peer, Cluster::id(kFirst));
    EXPECT_EQ(cluster_.peer(kFirst).peers(), std::vector<PeerId>{Cluster::id(1)});
}

}  // namespace
}  // namespace fray
