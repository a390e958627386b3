#include "games/panzer/rules/entity.hpp"
#include "games/panzer_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fray::panzer {
namespace {

Input full_ahead(int steer = 0) {
    Input input;
    input.throttle = kFull;
    input.steer = static_cast<std::int8_t>(steer);
    return input;
}

TEST(PanzerEntity, ATankComesBackFromItsState) {
    Tank tank = tank_at({12.5F, 30.25F}, 90);
    tank.speed = -3;
    tank.shield = 17;
    tank.engine = 2;
    tank.team = 1;
    const State state = state_of_tank(tank, full_ahead(3));
    EXPECT_EQ(state.invalid_field, 0U);
    EXPECT_EQ(state.payload.size(), 5U);
    Tank back = tank_of(state.pose, state.payload);
    EXPECT_NEAR(back.speed, tank.speed, 1e-4F);
    back.speed = tank.speed;
    EXPECT_EQ(back, tank);
    EXPECT_EQ(input_of(state.input), full_ahead(3));
    EXPECT_FALSE(tank_of(state.pose, {}).alive()) << "bytes that are no tank";
}

TEST(PanzerEntity, TheMotionModelIsTheRulesOnTheMap) {
    const Map map = map_named("arena");
    const Battlefield field{map};
    const World made = world(field);
    ASSERT_TRUE(made.check()) << made.check().error().message;
    Tank tank = tank_at({20, 100});
    const State state = state_of_tank(tank, full_ahead(2));
    for (unsigned i = 0; i < 20 * kStepsPerTick; ++i) drive(field.ground(), tank, full_ahead(2));
    EXPECT_EQ(made.types[0].advance(state.pose, state.payload, state.input, 20), pose_of(tank));
    EXPECT_GT(tank.position.x, 22);
}

TEST(PanzerEntity, TheMotionModelStopsAtAWallOfTheMapItWasMadeFor) {
    std::vector<std::string> walled = field();
    walled[2][10] = '#';
    const Map open_map = drawn_map(field());
    const Map walled_map = drawn_map(walled);
    const Battlefield open{open_map};
    const Battlefield closed{walled_map};
    const State state = state_of_tank(tank_at({30, 10}), full_ahead());
    EXPECT_GT(world(open).types[0].advance(state.pose, state.payload, state.input, 40).position.x, 45);
    EXPECT_NEAR(world(closed).types[0].advance(state.pose, state.payload, state.input, 40).position.x,
                40 - kTankRadius, 0.01F);
    EXPECT_NE(world(open).fingerprint(), world(closed).fingerprint()) << "peers with other maps are refused";
}

TEST(PanzerEntity, TheValidatorAcceptsEveryMoveOfABattle) {
    std::uint64_t moves = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Map map = random_map(Seed{seed}, 12);
        const Battlefield field{map};
        const World made = world(field);
        Rules rules{map};
        auto battle = rules.start({.tanks = 12, .mode = {}, .seed = Seed{seed}});
        ASSERT_TRUE(battle) << battle.error().message;
        Keys keys{Seed{seed}, 12};
        for (int tick = 0; tick < 400; ++tick) {
            const Battle before = *battle;
            for (unsigned i = 0; i < kStepsPerTick; ++i) rules.step(*battle, keys.press(*battle));
            for (std::size_t i = 0; i < 12; ++i) {
                const State a = state_of_tank(before.tanks[i], {});
                const State b = state_of_tank(battle->tanks[i], {});
                ASSERT_TRUE(made.types[0].valid(a.pose, a.payload, b.pose, b.payload, 50ms))
                    << "seed " << seed << ", tank " << i << ", tick " << tick;
                moves += a.pose == b.pose ? 0 : 1;
            }
        }
    }
    EXPECT_GT(moves, 10'000U);
}

TEST(PanzerEntity, TheValidatorRefusesWhatTheRulesDoNotAllow) {
    std::vector<std::string> rows = field();
    rows[2][10] = '#';
    const Map map = drawn_map(rows);
    const Battlefield field{map};
    const World made = world(field);
    const Tank tank = tank_at({20, 10});
    const auto allows = [&](const Tank& from, const Tank& to) {
        const State a = state_of_tank(from, {});
        const State b = state_of_tank(to, {});
        return made.types[0].valid(a.pose, a.payload, b.pose, b.payload, 50ms);
    };
    EXPECT_TRUE(allows(tank, tank));
    Tank next = tank;
    next.position.x += 1;
    EXPECT_TRUE(allows(tank, next));
    next.position.x += 10;
    EXPECT_FALSE(allows(tank, next)) << "a jump";
    next = tank;
    next.speed = kTopSpeed + 1;
    EXPECT_FALSE(allows(tank, next)) << "a speed";
    next.engine = 1;
    EXPECT_TRUE(allows(tank, next)) << "with an engine";
    next = tank;
    next.hull = degrees(30);
    EXPECT_FALSE(allows(tank, next)) << "a turn of the hull";
    next = tank;
    next.turret = degrees(60);
    EXPECT_FALSE(allows(tank, next)) << "a turn of the turret";
    Tank near_wall = tank_at({38, 10});
    next = near_wall;
    next.position.x = 39.5F;
    EXPECT_FALSE(allows(near_wall, next)) << "in a wall";
    Tank destroyed = tank;
    destroyed.armour = 0;
    EXPECT_TRUE(allows(tank, destroyed));
    EXPECT_FALSE(allows(destroyed, tank_at({60, 10}))) << "enters where no spawn point is";
    EXPECT_TRUE(allows(destroyed, tank_at(map.spawns[3].position)));
}

TEST(PanzerEntity, TheValidatorRefusesATankThatDrivesSideways) {
    const Map map = drawn_map(field());
    const Battlefield battlefield{map};
    const World made = world(battlefield);
    State sideways = state_of_tank(tank_at({20, 10}), {});
    EXPECT_TRUE(made.types[0].valid(sideways.pose, sideways.payload, sideways.pose, sideways.payload, 50ms));
    sideways.pose.velocity = {0, 5, 0};
    EXPECT_FALSE(made.types[0].valid(sideways.pose, sideways.payload, sideways.pose, sideways.payload, 50ms));
}

}  // namespace
}  // namespace fray::panzer
