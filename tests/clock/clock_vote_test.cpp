#include "clock/clock_vote.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

std::vector<ClockReading> readings(const std::vector<Duration>& errors, bool older = false) {
    std::vector<ClockReading> all;
    for (const Duration error : errors) all.push_back({.error = error, .rtt = 0ms, .older = older});
    return all;
}

ClockVote vote(std::vector<ClockReading> all, bool is_confirmed = true) {
    return count_votes(all, is_confirmed);
}

TEST(ClockVote, OneOtherClockIsNoMajority) {
    EXPECT_FALSE(vote(readings({60ms})).middle);
    EXPECT_FALSE(vote(readings({60ms}, true)).step) << "near: slewed";
    EXPECT_FALSE(vote(readings({1h})).step) << "we are older, or the founder";
    EXPECT_EQ(vote(readings({1h}, true)).step, 1h) << "the younger of two follows the older";
    EXPECT_FALSE(vote({{.error = 1s, .rtt = 3s, .older = true}}).step) << "a delay may explain it";
}

TEST(ClockVote, TheMiddleLiesBetweenHonestClocksWhateverAThirdSays) {
    RandomStream random{Seed{5}, "vote"};
    for (int run = 0; run < 2000; ++run) {
        const std::uint32_t liars = random.below(6);
        const std::uint32_t honest = 2 * liars + 1 + random.below(5);  // with our own clock
        Duration first{0};
        Duration last{0};
        std::vector<Duration> errors;
        for (std::uint32_t i = 1; i < honest; ++i) {
            errors.emplace_back(static_cast<std::int64_t>(random.below(20'000)) - 10'000);
            first = std::min(first, errors.back());
            last = std::max(last, errors.back());
        }
        for (std::uint32_t i = 0; i < liars; ++i)
            errors.emplace_back(static_cast<std::int64_t>(random.below(400'000)) - 200'000);
        const ClockVote outcome = vote(readings(errors, true));
        if (errors.size() >= 2 && outcome.middle) {
            ASSERT_GE(*outcome.middle, first);
            ASSERT_LE(*outcome.middle, last);
        }
        ASSERT_FALSE(outcome.step && honest > 1);
    }
}

TEST(ClockVote, AStepNeedsMoreClocksThanAgreeWithOurs) {
    EXPECT_FALSE(vote(readings({0ms, 0ms, 1h, 1h})).step);
    EXPECT_FALSE(vote(readings({0ms, 0ms, 1h, 2h, 3h, 4h})).step) << "they do not agree with each other";
    EXPECT_EQ(vote(readings({0ms, 1h, 1h + 5ms, 1h + 9ms})).step, 1h + 5ms);
    EXPECT_FALSE(vote(readings({0ms, 1h, 1h})).step) << "as many";
    EXPECT_EQ(vote(readings({0ms, 1h, 1h}, true)).step, 1h) << "as many, and older";
}

TEST(ClockVote, TheTimeFromTheJoinIsNoSecondOpinion) {
    // It came from a peer that says the same again; two others say something else.
    EXPECT_FALSE(vote(readings({0ms, -1h, -1h})).step);
    EXPECT_EQ(vote(readings({0ms, -1h, -1h}), false).step, -1h);
    EXPECT_FALSE(vote(readings({-1h}, true), false).step) << "one answer overrules nothing";
    EXPECT_FALSE(vote(readings({0ms, -1h}, true), false).step);
}

TEST(ClockVote, NothingOverflowsAtTheEndsOfTheWireFormat) {
    const Duration most{std::int64_t{1} << 52};
    const ClockVote outcome = vote(readings({most, -most, most, -most, most}, true));
    EXPECT_EQ(outcome.step, most);
}

}  // namespace
}  // namespace fray
