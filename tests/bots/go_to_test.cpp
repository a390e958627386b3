#include "games/panzer/bots/go_to.hpp"

#include "bots/bot_fields.hpp"

namespace fray::panzer {
namespace {

/// One tank that is driven, and others that stand.
class Trip {
public:
    explicit Trip(const Map& map, std::size_t tanks = 2) : mesh_{mesh_of(map)}, rules_{map} {
        auto battle = rules_.start({.tanks = tanks, .mode = {}, .seed = Seed{1}});
        EXPECT_TRUE(battle) << battle.error().message;
        battle_ = *battle;
        inputs_.resize(tanks);
    }
    [[nodiscard]] Tank& tank() { return battle_.tanks[0]; }
    [[nodiscard]] Battle& battle() { return battle_; }
    [[nodiscard]] const GoTo& go_to() const { return go_to_; }
    [[nodiscard]] float most_pushing() const { return static_cast<float>(most_pushing_) * kStep; }

    /// Seconds until it arrived, or -1.
    float drive(const GoTo::Goal& goal, float seconds) {
        go_to_.start(goal);
        std::uint32_t pushing = 0;
        for (std::uint32_t i = 0; i < steps(seconds); ++i) {
            std::vector<Vec2> others;
            for (std::size_t t = 1; t < battle_.tanks.size(); ++t)
                others.push_back(battle_.tanks[t].position);
            const Drive drive = go_to_.step(tank(), others);
            if (go_to_.state() == GoTo::State::arrived) return static_cast<float>(i) * kStep;
            inputs_[0] = {.throttle = drive.throttle, .steer = drive.steer};
            rules_.step(battle_, inputs_);
            pushing = drive.throttle != 0 && std::abs(tank().speed) < 0.3F ? pushing + 1 : 0;
            most_pushing_ = std::max(most_pushing_, pushing);
        }
        return -1;
    }

private:
    NavMesh mesh_;
    NavQuery query_{mesh_};
    Rules rules_;
    Battle battle_;
    GoTo go_to_{query_};
    std::vector<Input> inputs_;
    std::uint32_t most_pushing_ = 0;
};

TEST(GoTo, ReachesEveryReachablePointOfRandomMaps) {
    std::size_t trips = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Map map = random_field(Seed{seed});
        const std::vector<bool> reachable = reachable_cells(map, {0, map.rows - 1});
        Trip trip{map};
        trip.tank().position = map.middle_of({0, map.rows - 1});
        trip.battle().tanks[1].armour = 0;  // no tank in the way
        trip.battle().tanks[1].respawn_wait = 0xFFFF;
        for (std::size_t cell = 0; cell < map.cells.size(); cell += 5) {
            if (!reachable[cell]) continue;
            const auto columns = static_cast<std::size_t>(map.columns);
            const Vec2 place = map.middle_of(
                {static_cast<std::int32_t>(cell % columns), static_cast<std::int32_t>(cell / columns)});
            trip.battle().tanks[1].respawn_wait = 0xFFFF;
            ASSERT_GE(trip.drive({.place = place}, 60), 0) << "seed " << seed << ", cell " << cell;
            EXPECT_LE(length(trip.tank().position - place), 1.5F);
            ++trips;
        }
        EXPECT_LE(trip.most_pushing(), 2.0F) << "seed " << seed;
    }
    EXPECT_GT(trips, 60U);
}

TEST(GoTo, GoesThroughAClosedDoor) {
    const Map map = field_of({"#########", "#s..#..s#", "#...D...#", "#...#...#", "#########"});
    Trip trip{map};
    ASSERT_EQ(trip.battle().doors[0].opened, 0);
    const float seconds = trip.drive({.place = map.middle_of({6, 2})}, 10);
    EXPECT_GT(seconds, 1);
    EXPECT_LT(seconds, 6);
}

TEST(GoTo, StandsAtTheGoalUnlessItDrivesThrough) {
    const Map map = field_of({"s..........................s"});
    for (const bool stop : {true, false}) {
        Trip trip{map};
        ASSERT_GE(trip.drive({.place = map.middle_of({20, 0}), .radius = 1, .stop = stop}, 20), 0);
        EXPECT_EQ(trip.tank().speed < 6, stop) << trip.tank().speed;
    }
}

TEST(GoTo, PassesATankInTheWay) {
    const Map map = field_of({"............", "s..........s", "............"});
    Trip trip{map};
    trip.battle().tanks[1].position = map.middle_of({5, 1});
    const Vec2 parked = trip.battle().tanks[1].position;
    ASSERT_GE(trip.drive({.place = map.middle_of({10, 1})}, 12), 0);
    EXPECT_LT(length(trip.battle().tanks[1].position - parked), 0.5F) << "rammed it";
}

TEST(GoTo, BacksOffWhereSomethingUnknownBlocksTheWay) {
    // A corridor as wide as a tank, and another tank in it that is not told about.
    const Map map = field_of({"s....s"});
    Trip trip{map};
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    GoTo go_to{query};
    Tank tank = trip.tank();
    go_to.start({.place = map.middle_of({5, 0})});
    // The tank pushes, and nothing moves.
    Drive drive;
    std::uint32_t ahead = 0;
    for (; ahead < steps(3) && go_to.recoveries() == 0; ++ahead) drive = go_to.step(tank);
    EXPECT_GT(drive.throttle, 0);
    EXPECT_EQ(go_to.recoveries(), 1U);
    EXPECT_LT(ahead, steps(2));
    EXPECT_LT(go_to.step(tank).throttle, 0) << "it does not drive backwards";
}

TEST(GoTo, SaysThatAPlaceOutsideTheMeshIsUnreachable) {
    const Map map = field_of({"########", "#s....s#", "########", "########", "########", "########"});
    Trip trip{map};
    EXPECT_EQ(trip.drive({.place = map.middle_of({3, 0})}, 1), -1);
    EXPECT_EQ(trip.go_to().state(), GoTo::State::unreachable);
    EXPECT_EQ(trip.tank().speed, 0);
}

TEST(GoTo, TurningCirclesFitTheSpeed) {
    for (const float radius : {1.0F, 4.0F, 12.0F}) {
        const float speed = std::min(speed_for_radius(radius), kTopSpeed);
        const float rate = kTurnRateAtRest - (kTurnRateAtRest - kTurnRateAtTop) * speed / kTopSpeed;
        EXPECT_NEAR(speed / (rate * 3.14159F / 180), radius, 0.1F);
    }
}

}  // namespace
}  // namespace fray::panzer
