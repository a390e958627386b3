// Updates that go through one peer to all: a serializer, or a validator.

#include "support/straight_on.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace fray::test {
namespace {

class Serialized : public ::testing::TestWithParam<PeerIndex> {};

TEST_P(Serialized, EveryScreenShowsWhatCameFromTheSerializerWhoeverItIs) {
    Screens screens{constant(40ms), straight, with(CentralizedSerialization{id_of(GetParam())})};
    screens.run_until(6s);
    const bool own = GetParam() == kOwner;
    const double way = own ? 40 : GetParam() == kViewer ? 40 : 80;
    const double back = own ? 0 : 80;
    const double seen = ms_behind(screens, screens.seen().told);
    const double mine = ms_behind(screens, screens.own().told);
    EXPECT_GE(seen, way - 1);
    EXPECT_LE(seen, way + 50 + 3 * kFrameMs);
    EXPECT_GE(mine, back - 1);
    EXPECT_LE(mine, back + 50 + 3 * kFrameMs);
    EXPECT_EQ(screens.seen().moment, screens.seen().told) << "the last word, as it was";
}
INSTANTIATE_TEST_SUITE_P(Consistency, Serialized, ::testing::Values(kOwner, kViewer, kThird));

TEST(CentralizedSerialization, TheLastWordArrivesEvenWhereHalfIsLost) {
    NetworkModel network = constant(40ms);
    network.loss = IndependentLoss{.mean = 0.5};
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Screens screens{network, stopping, with(CentralizedSerialization{id_of(kThird)}), Seed{seed}};
        screens.run_until(12s);
        EXPECT_NEAR(place_of(screens.seen().pose), 50, 0.02) << seed;
        EXPECT_NEAR(place_of(screens.own().pose), 50, 0.02) << seed;
        EXPECT_GT(screens.swarm().counts().dropped_for(DropReason::lost), 100U);
    }
}

TEST(CentralizedSerialization, NobodyButTheSerializerIsToldHoweverLongTheWay) {
    // An acknowledgement takes longer than the owner keeps its states.
    Consistency often = with(CentralizedSerialization{id_of(kThird)});
    often.interval = {};
    Screens screens{constant(290ms), straight, often};
    screens.run_until(4s);
    const std::uint64_t before = screens.swarm().peer(kOwner).stats().updates_sent;
    screens.run_until(6s);
    const std::uint64_t sent = screens.swarm().peer(kOwner).stats().updates_sent - before;
    EXPECT_GE(sent, 115U);
    EXPECT_LE(sent, 125U) << "one per frame, and not one per peer";
    EXPECT_NEAR(ms_behind(screens, screens.seen().told), 580, 3 * kFrameMs);
}

TEST(CentralizedSerialization, WithoutTheSerializerTheOwnerTellsEverybodyItself) {
    Screens screens{constant(40ms), straight, with(CentralizedSerialization{id_of(kThird)})};
    screens.run_until(3s);
    ASSERT_TRUE(
        screens.swarm().schedule({.at = 3100ms, .kind = ActionKind::crash, .peer = kThird, .through = {}}));
    screens.run_until(10s);  // the link times out after five seconds
    EXPECT_LE(ms_behind(screens, screens.seen().told), 40 + 50 + 3 * kFrameMs);
    EXPECT_LE(ms_behind(screens, screens.own().told), 50 + 3 * kFrameMs);
}

TEST(CentralizedSerialization, TheLastWordIsHeardWhereTheOwnerNoticesFirstThatTheSerializerIsGone) {
    NetworkModel network = constant(40ms);
    network.paths.push_back(
        {.from = kThird, .to = kViewer, .latency = ConstantLatency{900ms}, .jitter = {}, .loss = {}});
    for (Duration stop = 7800ms; stop < 9500ms; stop += 50ms) {
        Screens screens{network, straight, with(CentralizedSerialization{id_of(kThird)})};
        ASSERT_TRUE(screens.swarm().schedule(
            {.at = 3100ms, .kind = ActionKind::crash, .peer = kThird, .through = {}}));
        screens.run_until(stop);
        screens.updates = false;
        screens.run_until(11s);
        EXPECT_NEAR(place_of(screens.seen().pose), 10 + kSpeed * seconds(stop), 0.15) << millis(stop);
    }
}

TEST(CentralizedSerialization, WhereOnlyTheOwnerHasNoWayToTheSerializerTheOthersHearItself) {
    NetworkModel network = constant(40ms);
    for (const auto& [from, to] : {std::pair{kOwner, kThird}, {kThird, kOwner}}) {
        network.paths.push_back(
            {.from = from, .to = to, .latency = {}, .jitter = {}, .loss = IndependentLoss{1}});
    }
    Screens screens{network, stopping, with(CentralizedSerialization{id_of(kThird)})};
    ASSERT_TRUE(screens.swarm().schedule(
        {.at = 100ms, .kind = ActionKind::rejoin, .peer = kThird, .through = kViewer}));
    screens.run_until(4s);
    EXPECT_LE(ms_behind(screens, screens.seen().told), 40 + 50 + 3 * kFrameMs);
    screens.run_until(8s);
    EXPECT_NEAR(place_of(screens.seen().pose), 50, 0.1);
    EXPECT_EQ(screens.swarm().peer(kViewer).stats().links.size(), 2U) << "the viewer has one to both";
}

// --- a validator (5.2) ---

/// No entity is faster than 20 units per second.
bool possible(const Pose& before, std::span<const std::uint8_t>, const Pose& after,
              std::span<const std::uint8_t>, Duration elapsed) {
    return distance(before.position, after.position) <= 20 * static_cast<float>(seconds(elapsed)) + 0.1F;
}

TEST(AValidator, OverrulesWhatCannotBeAndNobodyElseEverSeesIt) {
    World world = Screens::world();
    world.types[0].valid = possible;
    Screens screens{constant(40ms), straight,
                    with(EverQuest{.motion_model = false, .validator = id_of(kThird)}), world};
    screens.run_until(3s);
    EXPECT_NEAR(place_of(screens.seen().pose), truth(screens), 0.1) << "what is possible passes";
    screens.move_along([](double s) {  // 30 units to the side, at once
        Pose pose = straight(s);
        pose.position.y += 30;
        return pose;
    });
    double side = 50;
    for (Duration t = 3s; t < 3500ms; t += 20ms) {
        screens.run_until(t);
        side = std::max(side, static_cast<double>(screens.seen().pose.position.y));
    }
    EXPECT_NEAR(side, 50, 0.1);
    EXPECT_NEAR(static_cast<double>(screens.own().pose.position.y), 80, 0.1)
        << "the owner's screen was optimistic";
    const auto& events = screens.events(kOwner);
    const auto told =
        std::ranges::find_if(events, [](const Event& e) { return std::holds_alternative<Overruled>(e); });
    ASSERT_NE(told, events.end());
    const auto& overruled = std::get<Overruled>(*told);
    EXPECT_EQ(overruled.entity, screens.entity());
    EXPECT_NEAR(static_cast<double>(overruled.state.pose.position.y), 50, 0.1)
        << "where it is on all other screens";
    screens.move_along(straight);
    screens.run_until(5s);
    EXPECT_NEAR(place_of(screens.seen().pose), truth(screens), 0.1) << "and it goes on from there";
}

}  // namespace
}  // namespace fray::test
