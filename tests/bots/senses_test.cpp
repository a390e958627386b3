#include "games/panzer/bots/senses.hpp"

#include "bots/bot_fields.hpp"
#include "support/allocations.hpp"

#include <algorithm>

namespace fray::panzer {
namespace {

Battle battle_on(const Map& map, std::size_t tanks, Mode mode = {}) {
    Rules rules{map};
    auto battle = rules.start({.tanks = tanks, .mode = mode, .seed = Seed{1}});
    EXPECT_TRUE(battle) << battle.error().message;
    return *battle;
}

View view_of(const Map& map, const Battle& battle, std::uint16_t number) {
    View view;
    Senses{map}.fill_view(battle, number, view);
    return view;
}

TEST(Senses, WallsAndClosedDoorsHideTanksShellsAndItems) {
    const Map map = field_of({"#########", "#s..D.is#", "#########"});
    Battle battle = battle_on(map, 2);
    battle.shells.push_back({1, 60, map.middle_of({6, 1}), {-kShellSpeed, 0}});
    const View closed = view_of(map, battle, 0);
    EXPECT_TRUE(closed.tanks.empty());
    EXPECT_TRUE(closed.shells.empty());
    EXPECT_TRUE(closed.items.empty());
    ASSERT_EQ(closed.doors.size(), 1U) << "the door itself is visible";
    EXPECT_FALSE(closed.doors[0].is_open);
    battle.doors[0].opened = kDoorSteps;
    const View open = view_of(map, battle, 0);
    EXPECT_EQ(open.tanks.size(), 1U);
    EXPECT_EQ(open.shells.size(), 1U);
    EXPECT_EQ(open.items.size(), 1U);
    EXPECT_TRUE(open.doors[0].is_open);
    battle.items[0].wait = 10;
    EXPECT_TRUE(view_of(map, battle, 0).items.empty()) << "it does not lie there";
}

TEST(Senses, NothingBeyondTheScreenIsSeen) {
    const Map map = field_of({"s" + std::string(40, '.') + "s"});
    Battle battle = battle_on(map, 2);
    battle.tanks[1].position = battle.tanks[0].position + Vec2{kViewRange - 1, 0};
    EXPECT_EQ(view_of(map, battle, 0).tanks.size(), 1U);
    battle.tanks[1].position = battle.tanks[0].position + Vec2{kViewRange + 1, 0};
    EXPECT_TRUE(view_of(map, battle, 0).tanks.empty());
}

TEST(Senses, NearestComeFirstAndTheirNumberIsBounded) {
    const Map map = field_named("arena");
    const Battle battle = battle_on(map, 90);
    std::size_t full = 0;
    for (std::uint16_t i = 0; i < 90; ++i) {
        const View view = view_of(map, battle, i);
        ASSERT_LE(view.tanks.size(), kMostSeen);
        full += view.tanks.size() == kMostSeen ? 1 : 0;
        const Vec2 eye = battle.tanks[i].position;
        EXPECT_TRUE(
            std::is_sorted(view.tanks.begin(), view.tanks.end(), [&](const SeenTank& a, const SeenTank& b) {
                return square_length(a.position - eye) < square_length(b.position - eye);
            }));
    }
    EXPECT_GT(full, 50U);
}

/// The inputs of a bot over three seconds, in which the other tank stays hidden.
std::vector<Input> inputs_beside(const Map& map, const NavMesh& mesh, const Battle& battle) {
    const NavQuery query{mesh};
    Bot bot{{.level = 5, .seed = Seed{3}}, map, query};
    Senses senses{map};
    View view;
    std::vector<Input> inputs;
    Battle now = battle;
    Rules rules{map};
    while (now.step < steps(3)) {
        if (bot.looks(now.step)) {
            senses.fill_view(now, 0, view);
            bot.look(view);
        }
        inputs.push_back(bot.play(now.step, now.tanks[0]));
        rules.step(now, std::vector<Input>{inputs.back(), Input{}});
    }
    return inputs;
}

TEST(Senses, WhatABotDoesNotSeeDoesNotChangeWhatItDoes) {
    const Map map = field_of({"##########", "#s...#..s#", "#....#...#", "#.i..#.i.#", "##########"});
    const NavMesh mesh = mesh_of(map);
    Battle battle = battle_on(map, 2);
    const auto before = inputs_beside(map, mesh, battle);
    ASSERT_TRUE(std::any_of(before.begin(), before.end(), [](const Input& i) { return i.throttle != 0; }));
    Battle hidden = battle;
    hidden.tanks[1].position = map.middle_of({6, 2});
    hidden.tanks[1].armour = 1;
    hidden.items[1].wait = 99;
    EXPECT_EQ(inputs_beside(map, mesh, hidden), before);
    Battle shown = battle;
    shown.tanks[1].position = map.middle_of({4, 2});
    EXPECT_NE(inputs_beside(map, mesh, shown), before);
    Battle shown_weak = shown;
    shown_weak.tanks[1].armour = kFullArmour - 1;
    EXPECT_EQ(inputs_beside(map, mesh, shown_weak), inputs_beside(map, mesh, shown)) << "armour is not shown";
}

TEST(Senses, TheFlagIsMarkedInItsModeOnly) {
    const Map map = field_named("ruins");
    EXPECT_FALSE(view_of(map, battle_on(map, 2), 0).flag);
    const Battle battle = battle_on(map, 2, Mode::flag);
    ASSERT_TRUE(view_of(map, battle, 0).flag);
    EXPECT_EQ(view_of(map, battle, 0).flag->position, map.flags.front());
}

TEST(Senses, FillingAViewAgainAllocatesNothing) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizer has operators new of its own";
    const Map map = field_named("arena");
    const Battle battle = battle_on(map, 90);
    Senses senses{map};
    View view;
    const auto fill_all = [&] {
        for (std::uint16_t i = 0; i < 90; ++i) senses.fill_view(battle, i, view);
    };
    fill_all();
    const std::uint64_t before = test::allocations();
    ASSERT_GT(before, 0U) << "nothing is counted";
    fill_all();
    EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace fray::panzer
