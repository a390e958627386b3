#include "games/panzer/bots/act.hpp"

#include "bots/bot_fields.hpp"

namespace fray::panzer {
namespace {

Tank loaded() { return {.armour = kFullArmour}; }

TEST(Act, WaitsUntilTheWeaponIsLoadedAndTheTurretPointsThere) {
    Act act;
    Tank tank = loaded();
    EXPECT_EQ(act.step(tank, 0, 2), Triggers{}) << "nothing was asked for";
    act.ask(Weapon::gun);
    EXPECT_FALSE(act.step(tank, 5, 2).gun) << "not aimed";
    tank.gun_wait = 3;
    EXPECT_FALSE(act.step(tank, 0, 2).gun) << "not loaded";
    tank.gun_wait = 0;
    EXPECT_TRUE(act.step(tank, 1, 2).gun);
    EXPECT_FALSE(act.step(tank, 1, 2).gun) << "once is enough";
    act.ask(Weapon::shell);
    EXPECT_EQ(act.step(tank, 1, 2), (Triggers{.gun = false, .shell = true}));
}

TEST(Act, ADeadlineFiresWhereverTheTurretPoints) {
    Act act;
    const Tank tank = loaded();
    act.ask(Weapon::gun, 1, 10);
    int waited = 0;
    while (!act.step(tank, 90, 2).gun && waited < 100) ++waited;
    EXPECT_EQ(waited, 10);
}

TEST(Act, ADestroyedTankDoesNothing) {
    Act act;
    act.ask(Weapon::gun, 1, 0);
    EXPECT_EQ(act.step(Tank{}, 0, 2), Triggers{});
    EXPECT_EQ(act.pending(Weapon::gun), 1);
    act.cancel(Weapon::gun);
    EXPECT_EQ(act.pending(Weapon::gun), 0);
}

TEST(Act, ReplaysACountOfActionsExactlyOnTheRules) {
    const Map map = field_of({"s............s"});
    Rules rules{map};
    auto battle = rules.start({.tanks = 2, .mode = {}, .seed = Seed{1}});
    ASSERT_TRUE(battle);
    Act act;
    act.ask(Weapon::gun, 7, steps(0.5F));
    act.ask(Weapon::shell, 2, steps(0.5F));
    std::vector<Input> inputs(2);
    for (int i = 0; i < 1200; ++i) {
        battle->tanks[1].armour = kFullArmour;
        // It never aims.
        const Triggers triggers = act.step(battle->tanks[0], 90, 2);
        inputs[0] = {.aim = degrees(90), .gun = triggers.gun, .shell = triggers.shell};
        rules.step(*battle, inputs);
        battle->tanks[0].armour = kFullArmour;
    }
    EXPECT_EQ(battle->records[0].shots, 7U);
    EXPECT_EQ(battle->records[0].shells, 2U);
}

}  // namespace
}  // namespace fray::panzer
