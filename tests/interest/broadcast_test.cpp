#include "interest/broadcast.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace fray {
namespace {

std::vector<Candidate> candidates(std::uint16_t links, std::uint16_t primaries, std::uint16_t bytes) {
    std::vector<Candidate> all;
    for (std::uint16_t link = 0; link < links; ++link) {
        for (std::uint16_t p = 0; p < primaries; ++p) all.push_back({link, p, 1.0F, bytes});
    }
    return all;
}

using Served = std::map<std::pair<std::uint16_t, std::uint16_t>, int>;

Served serve(BroadcastPolicy& policy, const std::vector<Candidate>& offered, std::size_t budget, int frames) {
    Served served;
    for (int f = 0; f < frames; ++f) {
        std::vector<Candidate> all = offered;
        const std::size_t chosen = policy.choose(all, budget);
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < chosen; ++i) {
            bytes += all[i].bytes;
            ++served[{all[i].link, all[i].primary}];
        }
        EXPECT_TRUE(bytes <= budget || chosen == 1) << bytes;  // an update that is too long goes alone
    }
    return served;
}

TEST(BroadcastPolicy, WhereThereIsRoomEverybodyGetsEverything) {
    BroadcastPolicy policy;
    const Served served = serve(policy, candidates(5, 3, 40), 10'000, 4);
    ASSERT_EQ(served.size(), 15U);
    for (const auto& [who, times] : served) EXPECT_EQ(times, 4);
}

TEST(BroadcastPolicy, WhereThereIsNotLinksTakeTurns) {
    BroadcastPolicy policy;
    const Served served = serve(policy, candidates(10, 1, 100), 350, 100);  // three of ten per frame
    ASSERT_EQ(served.size(), 10U);
    for (const auto& [who, times] : served) EXPECT_NEAR(times, 30, 1) << who.first;
}

TEST(BroadcastPolicy, EntitiesOfOneLinkTakeTurnsAsWell) {
    BroadcastPolicy policy;
    const Served served = serve(policy, candidates(1, 10, 100), 350, 100);
    EXPECT_EQ(served.size(), 10U) << "some entities are never sent";
    for (const auto& [who, times] : served) EXPECT_NEAR(times, 30, 10) << who.second;
}

TEST(BroadcastPolicy, TurnsGoOnWhenTheLinkWhoseTurnItIsIsGone) {
    BroadcastPolicy policy;
    Served served;
    for (int f = 0; f < 200; ++f) {
        std::vector<Candidate> all = candidates(6, 1, 100);
        std::erase_if(all, [&](const Candidate& c) { return c.link == f % 6; });  // some link needs nothing
        const std::size_t chosen = policy.choose(all, 200);
        for (std::size_t i = 0; i < chosen; ++i) ++served[{all[i].link, 0}];
    }
    ASSERT_EQ(served.size(), 6U);
    for (const auto& [who, times] : served) EXPECT_GT(times, 25) << who.first;
}

TEST(BroadcastPolicy, OneThatIsTooLongForAnyFrameDoesNotStopTheOthers) {
    BroadcastPolicy policy;
    std::vector<Candidate> all = candidates(4, 1, 50);
    all[1].bytes = 4000;
    const Served served = serve(policy, all, 500, 50);
    EXPECT_GT((served.count({0, 0}) ? served.at({0, 0}) : 0), 10);
    EXPECT_GT((served.count({2, 0}) ? served.at({2, 0}) : 0), 10);
    EXPECT_GT((served.count({3, 0}) ? served.at({3, 0}) : 0), 10);
}

TEST(BroadcastPolicy, NothingOfferedOrNothingAllowedIsNothingChosen) {
    BroadcastPolicy policy;
    std::vector<Candidate> none;
    EXPECT_EQ(policy.choose(none, 1000), 0U);
    std::vector<Candidate> some = candidates(3, 1, 50);
    EXPECT_EQ(policy.choose(some, 0), 0U);
    EXPECT_EQ(policy.choose(some, 1000), 3U);
}

}  // namespace
}  // namespace fray
