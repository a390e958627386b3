// Relays that alter states: what the rules of motion forbid is refused, and what they allow is bounded.

#include "relay/relay_side.hpp"

namespace fray {
namespace {

/// At most 10 units per second.
bool is_slow(const Pose& before, std::span<const std::uint8_t>, const Pose& after,
             std::span<const std::uint8_t>, Duration elapsed) {
    return length(after.position - before.position) <= 10 * static_cast<float>(seconds(elapsed)) + 1;
}

class LyingRelay : public ::testing::Test {
protected:
    LyingRelay() { to_.options.world.types[0].valid = &is_slow; }
    /// The relay says that the owner was there at that time. Returns where the receiver shows it.
    float says(float x, Duration at) {
        RelayedState state;
        state.origin = kOwner;
        state.state.number = 1;
        state.state.pose = to_.codec.quantise(Pose{.position = {x, 0, 0}});
        state.when = kPresent + at;
        state.stamp = stamp_of(state.when);
        taken_ = to_.replicas.take_relayed(kOwnerLink, state);
        return to_.replicas.newest(kOwnerLink, 1)->pose.position.x;
    }
    [[nodiscard]] std::uint64_t refused() const { return to_.rejections.of(Rejection::impossible); }

    Side to_;
    bool taken_ = false;
};

TEST_F(LyingRelay, AnAlteredStateThatTheRulesOfMotionForbidIsRefusedAndCounted) {
    EXPECT_NEAR(says(100, 0s), 100, 0.2);
    EXPECT_NEAR(says(500, 1s), 100, 0.2);
    EXPECT_FALSE(taken_);
    EXPECT_EQ(refused(), 1U);
    EXPECT_NEAR(says(108, 1s), 108, 0.2) << "the truth is taken";
    EXPECT_TRUE(taken_);
}

TEST_F(LyingRelay, ALieStaysWithinTheRulesOfMotionFromTheLastTrueState) {
    (void)says(0, 0s);
    float shown = 0;
    int refusals = 0;
    for (int step = 1; step <= 10; ++step) {  // ever bolder
        const float x = shown + 4 * static_cast<float>(step);
        shown = says(x, step * 1s);
        refusals += taken_ ? 0 : 1;
        EXPECT_LE(shown, 11.5F * static_cast<float>(step));
    }
    EXPECT_GT(shown, 15) << "some lies were believed";
    EXPECT_GT(refusals, 3) << "and some were not";
}

TEST_F(LyingRelay, ALieThatWasBelievedKeepsOutTheTruthForTwoAndAHalfSecondsAtMost) {
    (void)says(500, 0s);  // the first state: nothing to compare with
    EXPECT_NEAR(says(100, 2s), 500, 0.2) << "the lie holds";
    EXPECT_EQ(refused(), 1U);
    EXPECT_NEAR(says(100, 2600ms), 100, 0.2);
}

}  // namespace
}  // namespace fray
