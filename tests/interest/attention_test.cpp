// Attention of our player on the others: distances, the average of the aim, interactions, all over time.

#include "interest/attention.hpp"

#include "interest/attention_value.hpp"
#include "support/lone_part.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

constexpr double kNear = 1e-6;

class Places final : public PeerPlaces {
public:
    [[nodiscard]] std::optional<Pose> self() const override { return pose; }
    [[nodiscard]] std::optional<Vec3> place(Instant, LinkNumber link) const override {
        return link < places.size() ? std::optional{places[link]} : std::nullopt;
    }
    Pose pose;
    std::vector<Vec3> places;
};

PeerOptions world_of(float width, float depth) {
    PeerOptions options;
    options.world.low = {0, 0, 0};
    options.world.high = {width, depth, 0};
    options.world.tick = 50ms;
    return options;
}

struct Player {
    explicit Player(const FocusSet& options = {}, std::vector<Vec3> others = {})
        : lone{world_of(300, 400)}, attention{lone.context, options} {
        places.places = std::move(others);
        for (LinkNumber link = 0; link < places.places.size(); ++link) lone.links.up(link);
        attention.connect(places);
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) attention.run_frame(now += 50ms);
    }

    test::LonePart lone;
    Places places;
    Attention attention;
    Instant now{1s};
};

TEST(Attention, DMaxIsHalfTheDiagonalOfTheWorldUnlessStated) {
    Player usual{{}, {{0, 90, 0}}};  // at a right angle: only proximity counts
    usual.frames(1);
    EXPECT_NEAR(usual.attention.value(0), proximity(90, 250), kNear);
    Player stated{{.d_max = 100}, {{0, 90, 0}}};
    stated.frames(1);
    EXPECT_NEAR(stated.attention.value(0), proximity(90, 100), kNear);
}

TEST(Attention, IsTheSumOfProximityAimAndInteractionRecency) {
    Player player{{}, {{50, 0, 0}}};
    player.frames(1);
    EXPECT_NEAR(player.attention.value(0), proximity(50, 250) + 1, kNear);
    player.attention.handle_interaction(player.now, 0);
    EXPECT_GE(player.attention.value(0), 1.5) << "counts at once";
    player.frames(20);
    const double before = proximity(50, 250) + 1;
    EXPECT_GT(player.attention.value(0), before + 1.5 * interaction_recency(1s) - kNear);
    EXPECT_LT(player.attention.value(0), before + 1.5 * interaction_recency(800ms));
    player.frames(50);
    EXPECT_NEAR(player.attention.value(0), before, kNear) << "older than three seconds";
}

TEST(Attention, TheAimIsAveragedExponentiallyOverTime) {
    Player player{{.aim_average = 500ms, .interval = 50ms}, {{50, 0, 0}}};
    player.frames(1);
    player.attention.set_weights({.proximity = 0, .aim = 1, .interaction = 0});
    player.frames(1);
    EXPECT_NEAR(player.attention.value(0), 1, kNear);
    player.places.pose.yaw = 30;  // from one frame to the next
    player.frames(10);            // one time constant
    const double averaged = 30 * math::kPi / 180 * (1 - math::exp(-1));
    EXPECT_NEAR(player.attention.value(0), aim(averaged, 50), 1e-3);
    player.frames(100);
    EXPECT_NEAR(player.attention.value(0), aim(30 * math::kPi / 180, 50), 1e-3);
}

TEST(Attention, APlayerAtTheSamePlaceAndOneAtDistanceOneCountFully) {
    Player player{{}, {{0, 0, 0}, {1, 0, 0}}};
    player.frames(1);
    EXPECT_NEAR(player.attention.value(0), 2, kNear);
    EXPECT_NEAR(player.attention.value(1), proximity(1, 250) + 1, kNear);
}

TEST(Attention, APlayerWithoutAKnownPlaceCountsByInteractionsAlone) {
    Player player;
    player.lone.links.up(0);
    player.frames(3);
    EXPECT_EQ(player.attention.value(0), 0);
    player.attention.handle_interaction(player.now, 0);
    player.frames(3);
    EXPECT_GT(player.attention.value(0), 1);
}

TEST(Attention, TheTargetIsTheOneWithTheSmallestAveragedDeviation) {
    Player player{{}, {{50, 10, 0}, {100, 5, 0}, {-50, 0, 0}}};
    player.frames(1);
    const auto target = player.attention.aim_target();
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(target->link, 1);
    player.places.pose.yaw = 90;
    player.frames(100);
    EXPECT_FALSE(player.attention.aim_target().has_value()) << "nobody within 45 degrees";
}

}  // namespace
}  // namespace fray
