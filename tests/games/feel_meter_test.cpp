// The five metrics as one peer measures them live.

#include "games/feel/feel_meter.hpp"

#include <gtest/gtest.h>

namespace fray::games {
namespace {

constexpr Duration kFrame{20ms};
const EntityId kOther{PeerId::from_number(2), 0};

/// Another player's entity that flies along x with one unit per second. The screen shows it as it was
/// `shown_late` ago, and hears of it `heard_late` after.
class Flight {
public:
    Duration shown_late{}, heard_late{40ms}, own_lag{};
    Corrections corrections{};
    bool is_drawn = true;

    /// Draws frames for this long.
    const Feel& run(Duration span) {
        for (const SessionInstant end = now_ + span; now_ < end; now_ += kFrame) {
            LocalView own;
            own.moment = own.told = now_ - own_lag;
            meter_.draw_own(now_, own);
            if (is_drawn) meter_.draw_other(now_, replica());
            meter_.end_frame(now_);
        }
        return meter_.feel();
    }

private:
    [[nodiscard]] static Pose at(SessionInstant time) {
        Pose pose;
        pose.position.x = static_cast<float>(seconds(time.time_since_epoch()));
        pose.velocity.x = 1;
        return pose;
    }
    [[nodiscard]] Replica replica() const {
        Replica replica;
        replica.id = kOther;
        replica.stamp = now_ - heard_late;
        replica.received = at(replica.stamp);
        replica.pose = at(now_ - shown_late);
        replica.told = std::min(replica.stamp, now_ - shown_late);
        replica.corrections = corrections;
        return replica;
    }
    FeelMeter meter_;
    SessionInstant now_{10s};
};

TEST(FeelMeter, APerfectScreenHasNoDivergence) {
    Flight flight;
    const Feel& feel = flight.run(3s);
    ASSERT_TRUE(feel.divergence);
    EXPECT_NEAR(*feel.divergence, 0, 1e-3);
    EXPECT_NEAR(*feel.propagation_ms, 40, 1e-3);
    EXPECT_NEAR(*feel.animation_ms, 20, 1e-3);
    EXPECT_NEAR(*feel.response_ms, 0, 1e-3);
    EXPECT_EQ(feel.corrections_per_s, 0);
}

TEST(FeelMeter, AScreenThatLagsIsBehindByTheWayThatTheEntityHasFlownMeanwhile) {
    Flight flight;
    flight.shown_late = 200ms;
    EXPECT_NEAR(*flight.run(3s).divergence, 0.2, 1e-3);
    EXPECT_NEAR(*flight.run(1s).propagation_ms, 200, 1e-3);
}

TEST(FeelMeter, ScreensThatLagAlikeDoNotDiverge) {
    Flight flight;
    flight.shown_late = flight.own_lag = 200ms;
    const Feel& feel = flight.run(3s);
    EXPECT_NEAR(*feel.divergence, 0, 1e-3);
    EXPECT_NEAR(*feel.response_ms, 200, 1e-3);
}

TEST(FeelMeter, CorrectionsAreCountedPerSecondWithTheirMeanLength) {
    Flight flight;
    (void)flight.run(2s);
    for (int i = 0; i < 50; ++i) {
        if (i % 5 == 0)
            flight.corrections = {flight.corrections.count + 1, flight.corrections.sum + 0.3, 0.3};
        (void)flight.run(kFrame);
    }
    const Feel& feel = flight.run(40ms);
    EXPECT_NEAR(feel.corrections_per_s, 10, 1.1);
    EXPECT_NEAR(feel.correction, 0.3, 1e-6);
}

TEST(FeelMeter, WhatHappensToAnEntityThatIsNotDrawnIsNotFelt) {
    Flight flight;
    (void)flight.run(2s);
    flight.is_drawn = false;
    EXPECT_FALSE(flight.run(2s).divergence);
    flight.corrections = {7, 90, 30};
    flight.is_drawn = true;
    EXPECT_EQ(flight.run(2s).corrections_per_s, 0);
    flight.corrections = {8, 90.5, 30};
    EXPECT_GT(flight.run(1s).corrections_per_s, 0);
}

TEST(FeelMeter, WithoutOtherPlayersOnlyTheOwnScreenHasFigures) {
    Flight flight;
    flight.is_drawn = false;
    flight.own_lag = 50ms;
    const Feel& feel = flight.run(3s);
    EXPECT_NEAR(*feel.response_ms, 50, 1e-3);
    EXPECT_FALSE(feel.divergence);
    EXPECT_FALSE(feel.propagation_ms);
    EXPECT_FALSE(feel.animation_ms);
}

}  // namespace
}  // namespace fray::games
