#include "lab/metrics/visible_jump.hpp"

#include "lab/screen_logs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray::lab {
namespace {

Trail walking(std::int64_t frames) { return trail_of(walk(frames)); }  // 0.01 units per frame

TEST(VisibleJump, IsWhatIsLeftOverOfTheOwnersLargestStep) {
    const Trail shown{{at_ms(0), along_x(0)}, {at_ms(10), along_x(0.01)}, {at_ms(20), along_x(0.51)}};
    const VisibleJump jump = visible_jump(shown, walking(10), span_ms(0, 100));
    EXPECT_NEAR(jump.most, 0.49, 1e-6);
    EXPECT_NEAR(jump.p99, 0.99 * 0.49, 1e-6);  // of two frames, 0 and 0.49
}

TEST(VisibleJump, AJumpBackIsOneToo) {
    const Trail shown{{at_ms(0), along_x(0.5)}, {at_ms(10), along_x(0)}};
    EXPECT_NEAR(visible_jump(shown, walking(10), span_ms(0, 100)).most, 0.49, 1e-6);
}

TEST(VisibleJump, IsNeverNegative) {
    const Trail shown{{at_ms(0), along_x(0)}, {at_ms(10), along_x(0)}, {at_ms(20), along_x(0.005)}};
    EXPECT_EQ(visible_jump(shown, walking(10), span_ms(0, 100)).most, 0);
    EXPECT_EQ(visible_jump(shown, walking(10), span_ms(0, 100)).p99, 0);
}

// The owner makes a step of 2 units at 5 s, the screen one of 3 units at `ms`.
double jump_at(std::int64_t ms) {
    const Trail owner{{at_ms(0), along_x(0)}, {at_ms(5000), along_x(2)}};
    const Trail shown{{at_ms(0), along_x(0)}, {at_ms(ms), along_x(3)}};
    return visible_jump(shown, owner, span_ms(0, 10'000)).most;
}

TEST(VisibleJump, TheOwnersStepsWithinASecondCount) {
    EXPECT_NEAR(jump_at(3999), 3, 1e-6);
    EXPECT_NEAR(jump_at(4000), 1, 1e-6);
    EXPECT_NEAR(jump_at(6000), 1, 1e-6);
    EXPECT_NEAR(jump_at(6001), 3, 1e-6);
}

// Compared with looking at every step of the owner for every frame.
TEST(VisibleJump, TheLargestOfManyStepsIsFound) {
    Trail owner{{at_ms(0), along_x(0)}};
    Trail shown{{at_ms(0), along_x(0)}};
    for (int i = 1; i <= 400; ++i) {
        owner.push_back({at_ms(20 * i), along_x(owner.back().position.x + (i * 7919 % 101) * 0.25)});
        shown.push_back({at_ms(20 * i + 3), along_x(i % 2 == 0 ? 0 : 30)});
    }
    double most = 0;
    for (std::size_t i = 1; i < shown.size(); ++i) {
        double largest = 0;
        for (std::size_t j = 1; j < owner.size(); ++j) {
            const Duration apart = owner[j].since - shown[i].since;
            if (apart <= 1s && apart >= -1s)
                largest = std::max<double>(largest, distance(owner[j].position, owner[j - 1].position));
        }
        most = std::max(most, 30 - largest);
    }
    EXPECT_GT(most, 5);
    EXPECT_NEAR(visible_jump(shown, owner, span_ms(0, 9000)).most, most, 1e-9);
}

TEST(VisibleJump, OneFrameInAHundredIsBeyondTheP99) {
    Trail shown{{at_ms(0), along_x(0)}};
    for (int i = 1; i <= 1000; ++i) shown.push_back({at_ms(i * 10), along_x(i >= 500 ? 5 : 0)});
    const VisibleJump jump = visible_jump(shown, walking(1000), span_ms(0, 20'000));
    EXPECT_EQ(jump.p99, 0);
    EXPECT_NEAR(jump.most, 4.99, 1e-6);
}

TEST(VisibleJump, OnlyTheSpanCounts) {
    const Trail shown{{at_ms(0), along_x(0)}, {at_ms(10), along_x(8)}, {at_ms(20), along_x(9)}};
    EXPECT_NEAR(visible_jump(shown, {}, span_ms(15, 100)).most, 1, 1e-6);
    EXPECT_NEAR(visible_jump(shown, {}, span_ms(0, 20)).most, 8, 1e-6);
}

TEST(VisibleJump, IsZeroWhereNothingIsShown) {
    EXPECT_EQ(visible_jump({}, walking(10), span_ms(0, 100)).most, 0);
    EXPECT_EQ(visible_jump({{at_ms(0), along_x(7)}}, walking(10), span_ms(0, 100)).p99, 0);
}

}  // namespace
}  // namespace fray::lab
