#include "interest/nearest.hpp"
#include "interest/random_choice.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace fray {
namespace {

std::size_t cost(std::span<const Candidate> chosen) {
    std::map<std::uint16_t, std::size_t> named;
    for (const Candidate& c : chosen) named[c.update] += c.named ? 1 : 0;
    std::size_t sum = 0;
    for (const Candidate& c : chosen) sum += c.bytes + c.per_copy * named[c.update];
    return sum;
}

RC_GTEST_PROP(RandomChoice, KeepsToTheBudgetAndWastesLittleOfIt, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "test"};
    RandomChoicePolicy policy{RandomChoice{}, Seed{seed}};
    std::vector<Candidate> candidates;
    const std::uint32_t count = random.below(150);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto update = static_cast<std::uint16_t>(random.chance(0.7) ? 0 : kForwards + random.below(5));
        candidates.push_back({.link = static_cast<LinkNumber>(i),
                              .bytes = 50,
                              .update = update,
                              .per_copy = 4,
                              .named = random.chance(0.8)});
    }
    const std::size_t budget = random.below(8000);
    const std::size_t all = cost(candidates);
    const std::size_t chosen = policy.choose(candidates, budget);
    RC_ASSERT(candidates.size() == count);
    const std::size_t spent = cost(std::span{candidates}.first(chosen));
    RC_ASSERT(spent <= budget);
    if (all <= budget) RC_ASSERT(chosen == count);
    if (all > budget) RC_ASSERT(budget - spent < 50 + 4 * 2 * 150);
}

// The paper: about 30 nodes are reached directly with 5 KByte, each copy with the list of all receivers.
TEST(RandomChoice, AboutThirtyCopiesFitFiveKilobytes) {
    RandomChoicePolicy policy{RandomChoice{}, Seed{1}};
    std::vector<Candidate> candidates;
    for (LinkNumber i = 0; i < 65; ++i)
        candidates.push_back({.link = i, .bytes = 50, .update = 0, .per_copy = 4});
    const std::size_t chosen = policy.choose(candidates, 5120);
    EXPECT_GE(chosen, 29U);
    EXPECT_LE(chosen, 31U);
}

TEST(RandomChoice, ForwardsOrOwnUpdatesGoFirstWhereThatIsWanted) {
    for (const auto drop : {RandomChoice::Drop::forwards_first, RandomChoice::Drop::own_first}) {
        RandomChoicePolicy policy{RandomChoice{drop}, Seed{1}};
        const bool own_stay = drop == RandomChoice::Drop::forwards_first;
        for (const std::size_t budget : {300U, 500U, 700U, 900U}) {
            std::vector<Candidate> candidates;
            for (LinkNumber i = 0; i < 20; ++i) {
                const auto update = static_cast<std::uint16_t>(i % 2 == 0 ? 0 : kForwards);
                candidates.push_back({.link = i, .bytes = 50, .update = update});
            }
            const std::size_t chosen = policy.choose(candidates, budget);
            ASSERT_EQ(chosen, budget / 50);
            const auto stayed =
                std::ranges::count_if(std::span{candidates}.first(chosen),
                                      [&](const Candidate& c) { return (c.update < kForwards) == own_stay; });
            EXPECT_EQ(static_cast<std::size_t>(stayed), std::min<std::size_t>(chosen, 10));
        }
    }
}

TEST(RandomChoice, EverybodyIsDroppedEquallyOften) {
    RandomChoicePolicy policy{RandomChoice{}, Seed{1}};
    std::map<LinkNumber, int> times;
    constexpr int kFrames = 2000;
    for (int frame = 0; frame < kFrames; ++frame) {
        std::vector<Candidate> candidates;
        for (LinkNumber i = 0; i < 20; ++i)
            candidates.push_back({.link = i, .bytes = 50, .update = 0, .per_copy = 4});
        const std::size_t chosen = policy.choose(candidates, 900);
        ASSERT_EQ(chosen, 10U);
        for (std::size_t i = 0; i < chosen; ++i) ++times[candidates[i].link];
    }
    ASSERT_EQ(times.size(), 20U);
    for (const auto& [link, count] : times) EXPECT_NEAR(count, kFrames / 2, 5 * 23) << link;  // 5 deviations
}

TEST(Nearest, KeepsToTheBudgetWithTheNamesCounted) {
    NearestPolicy policy;
    for (const std::size_t budget : {600U, 2000U, 5120U}) {
        std::vector<Candidate> candidates;
        for (LinkNumber i = 0; i < 65; ++i) {
            candidates.push_back({.link = i,
                                  .distance = static_cast<float>(i) / 3,
                                  .bytes = 50,
                                  .update = static_cast<std::uint16_t>(i % 5 == 4 ? kForwards : 0),
                                  .per_copy = 4,
                                  .named = i % 7 != 0});
        }
        const std::size_t chosen = policy.choose(candidates, budget);
        EXPECT_GT(chosen, 5U);
        EXPECT_LE(cost(std::span{candidates}.first(chosen)), budget);
        EXPECT_GT(cost(std::span{candidates}.first(chosen + 1)), budget) << "nor is any of it wasted";
    }
}

TEST(Nearest, WhoWasChosenAndDidNotGoOutIsNotServed) {
    NearestPolicy policy;
    std::map<LinkNumber, int> sent;
    for (int frame = 0; frame < 100; ++frame) {
        std::vector<Candidate> candidates;
        for (LinkNumber i = 0; i < 10; ++i) {
            candidates.push_back({.link = i, .distance = static_cast<float>(i) / 3, .bytes = 100});
        }
        const std::size_t chosen = policy.choose(candidates, 500);
        ASSERT_EQ(chosen, 5U);
        // Only two are ever sent.
        for (std::size_t i = 0; i < 2; ++i) ++sent[candidates[i].link];
        for (std::size_t i = chosen; i > 2; --i) policy.resume(candidates[i - 1].link, 0);
    }
    EXPECT_EQ(sent.size(), 10U) << "who always came third or later would wait for ever";
}

TEST(Nearest, ALinkNumberThatIsUsedAgainWaitsAsANewOne) {
    NearestPolicy policy;
    const auto first = [&] {
        std::vector<Candidate> candidates;
        for (LinkNumber i = 0; i < 3; ++i)
            candidates.push_back({.link = i, .distance = static_cast<float>(i), .bytes = 100});
        EXPECT_EQ(policy.choose(candidates, 100), 1U);
        return candidates[0].link;
    };
    for (int frame = 0; frame < 50; ++frame) (void)first();
    while (first() != 2) {
    }
    EXPECT_NE(first(), 2) << "the farthest one was just served";
    policy.forget_link(2);
    EXPECT_EQ(first(), 2) << "another peer, which got nothing yet";
}

TEST(Nearest, TheMostImportantGoFirstAndNobodyStarves) {
    NearestPolicy policy;
    std::map<LinkNumber, int> times;
    for (int frame = 0; frame < 200; ++frame) {
        std::vector<Candidate> candidates;
        for (LinkNumber i = 0; i < 20; ++i) {
            candidates.push_back({.link = i, .distance = static_cast<float>(i) / 3, .bytes = 100});
        }
        const std::size_t chosen = policy.choose(candidates, 500);
        ASSERT_EQ(chosen, 5U);
        for (std::size_t i = 0; i < chosen; ++i) ++times[candidates[i].link];
    }
    ASSERT_EQ(times.size(), 20U);
    EXPECT_GT(times[0], 3 * times[19]);
    for (const auto& [link, count] : times) EXPECT_GT(count, 10) << link;
}

}  // namespace
}  // namespace fray
