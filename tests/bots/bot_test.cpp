#include "games/panzer/bots/bot.hpp"

#include "bots/bot_fields.hpp"
#include "games/panzer/bots/face.hpp"
#include "support/allocations.hpp"

#include <algorithm>
#include <set>

namespace fray::panzer {
namespace {

struct Counts {
    std::uint64_t kills = 0;
    std::uint64_t pickups = 0;
    std::uint64_t doors = 0;
    std::uint64_t flags = 0;
    std::set<std::uint16_t> carriers;
    float most_pushing = 0;  // seconds
    std::size_t idle = 0;    // bots that neither killed nor took anything
};

Counts play(BotBattle& battle, int seconds) {
    Counts counts;
    std::vector<std::uint32_t> pushing(battle.inputs().size());
    for (int i = 0; i < seconds * static_cast<int>(kStepsPerSecond); ++i) {
        battle.step();
        for (std::size_t t = 0; t < pushing.size(); ++t) {
            const Tank& tank = battle.battle().tanks[t];
            const bool is_held = battle.inputs()[t].throttle != 0 && std::abs(tank.speed) < 0.3F;
            pushing[t] = tank.alive() && is_held ? pushing[t] + 1 : 0;
            counts.most_pushing = std::max(counts.most_pushing, static_cast<float>(pushing[t]) * kStep);
        }
        for (const Happening& h : battle.happenings()) {
            if (h.kind == Happening::Kind::door) ++counts.doors;
            if (h.kind == Happening::Kind::flag) ++counts.flags, counts.carriers.insert(h.tank);
        }
    }
    for (const Record& record : battle.battle().records) {
        counts.kills += record.kills;
        counts.pickups += record.pickups;
        counts.idle += record.kills == 0 && record.pickups == 0 ? 1 : 0;
    }
    return counts;
}

TEST(Bots, FightCollectAndOpenDoorsAndNeverPushAgainstAWallForLong) {
    for (const char* name : {"arena", "ruins"}) {
        const Map map = field_named(name);
        const NavMesh mesh = mesh_of(map);
        BotBattle battle = battle_of(map, mesh, lab::lineup_named("mixed", 16), Seed{7});
        const Counts counts = play(battle, 180);
        EXPECT_GT(counts.kills, 60U) << name;
        EXPECT_GT(counts.pickups, 30U) << name;
        EXPECT_EQ(counts.idle, 0U) << name;
        EXPECT_EQ(counts.doors > 20, !map.doors.empty()) << name;
        EXPECT_LT(counts.most_pushing, 2) << name;
    }
}

TEST(Bots, ChaseTheFlagAndItsCarrier) {
    const Map map = field_named("ruins");
    const NavMesh mesh = mesh_of(map);
    BotBattle battle = battle_of(map, mesh, lab::lineup_named("characters", 14), Seed{7}, Mode::flag);
    const Counts counts = play(battle, 120);
    EXPECT_GT(counts.flags, 10U);
    EXPECT_GT(counts.carriers.size(), 4U) << "many get hold of it";
    EXPECT_GT(counts.kills, 30U);
}

TEST(Bots, OfOneTeamSpareEachOther) {
    const Map map = field_named("arena");
    const NavMesh mesh = mesh_of(map);
    BotBattle battle = battle_of(map, mesh, lab::lineup_named("levels", 10), Seed{7}, Mode::teams);
    std::uint32_t hits = 0;
    std::uint32_t friends_hit = 0;
    for (int i = 0; i < 60 * 60; ++i) {
        battle.step();
        for (const Happening& h : battle.happenings()) {
            if (h.kind != Happening::Kind::shot || h.other == kNone) continue;
            ++hits;
            const auto& tanks = battle.battle().tanks;
            if (tanks[h.tank].team == tanks[h.other].team) ++friends_hit;
        }
    }
    EXPECT_GT(hits, 100U);
    EXPECT_LT(friends_hit * 4, hits) << "friends are hit only if they are in the way";
}

TEST(Bots, TheSameSeedGivesTheSameBattleAndAnotherOneDoesNot) {
    const Map map = field_named("ruins");
    const NavMesh mesh = mesh_of(map);
    const NavMesh mesh_again = mesh_of(map);
    const auto players = lab::lineup_named("mixed", 16);
    BotBattle first = battle_of(map, mesh, players, Seed{1});
    BotBattle again = battle_of(map, mesh_again, players, Seed{1});
    BotBattle other = battle_of(map, mesh, players, Seed{2});
    play(first, 30);
    play(again, 30);
    play(other, 30);
    EXPECT_EQ(first_difference(first.battle(), again.battle()), "");
    EXPECT_NE(fingerprint(first.battle()), fingerprint(other.battle()));
}

TEST(Bots, ReactNoFasterThanTheirLevelAllows) {
    const Map map = field_of({"s............s"});
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    for (std::uint8_t level = 1; level <= kLevels; ++level) {
        Rules rules{map};
        auto battle = rules.start({.tanks = 2, .mode = {}, .seed = Seed{1}});
        ASSERT_TRUE(battle);
        battle->tanks[0].turret = 0;  // points at the enemy already
        Bot bot{{.level = level, .seed = Seed{1}}, map, query};
        Senses senses{map};
        View view;
        std::optional<std::uint32_t> seen;
        std::optional<std::uint32_t> fired;
        for (; battle->step < 600 && !fired; ++battle->step) {
            if (bot.looks(battle->step)) {
                senses.fill_view(*battle, 0, view);
                bot.look(view);
                if (!seen && !view.tanks.empty()) seen = battle->step;
            }
            const Input input = bot.play(battle->step, battle->tanks[0]);
            battle->tanks[0].turret = input.aim;
            if (input.gun || input.shell) fired = battle->step;
        }
        ASSERT_TRUE(seen && fired) << "level " << int{level};
        EXPECT_GE(*fired - *seen, steps(skill_of(level).reaction)) << "level " << int{level};
        EXPECT_LT(*fired - *seen, steps(skill_of(level).reaction + 2)) << "level " << int{level};
    }
}

TEST(Bots, TurnTheTurretNoFasterThanTheirLevelAllows) {
    const Map map = field_named("arena");
    const NavMesh mesh = mesh_of(map);
    const auto players = lab::lineup_named("levels", 10);
    BotBattle battle = battle_of(map, mesh, players, Seed{3});
    std::vector<float> fastest(players.size());
    for (int i = 0; i < 30 * 60; ++i) {
        const auto before = battle.battle().tanks;
        battle.step();
        for (std::size_t t = 0; t < players.size(); ++t) {
            if (before[t].alive())
                fastest[t] =
                    std::max(fastest[t], aim_error(battle.inputs()[t].aim, before[t].turret) / kStep);
        }
    }
    for (std::size_t t = 0; t < players.size(); ++t) {
        const float allowed = skill_of(players[t].level).turn_rate;
        EXPECT_LE(fastest[t], allowed + 1);
        EXPECT_GT(fastest[t], allowed / 2);
    }
}

/// How many of the shells that are fired at a bot from afar hit it.
int hits_by_shells(std::uint8_t level) {
    const std::string free(25, '.');
    const Map map = field_of({free, free, free, "s" + std::string(23, '.') + "s", free, free, free});
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    Rules rules{map};
    int hits = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        auto battle = rules.start({.tanks = 2, .mode = {}, .seed = Seed{seed}});
        battle->tanks[1].armour = 0;
        battle->tanks[1].respawn_wait = 0xFFFF;
        battle->tanks[0].position = map.middle_of({2, 3});
        battle->tanks[0].hull = degrees(90);
        battle->shells.push_back({1, kShellLife, map.middle_of({24, 3}), {-kShellSpeed, 0}});
        Bot bot{{.level = level, .character = CharacterName::camper, .seed = Seed{seed}}, map, query};
        Senses senses{map};
        View view;
        std::vector<Input> inputs(2);
        while (!battle->shells.empty()) {
            senses.fill_view(*battle, 0, view);
            if (bot.looks(battle->step)) bot.look(view);
            inputs[0] = bot.play(battle->step, battle->tanks[0]);
            rules.step(*battle, inputs);
        }
        hits += battle->tanks[0].armour < kFullArmour ? 1 : 0;
    }
    return hits;
}

TEST(Bots, OfHigherLevelsDodgeShells) {
    const int beginner = hits_by_shells(1);
    const int expert = hits_by_shells(5);
    EXPECT_GT(beginner, 0);
    EXPECT_LT(expert, beginner);
}

TEST(Bots, AllocateNothingAfterTheFirstSecond) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizer has operators new of its own";
    const Map map = field_named("arena");
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    std::vector<Bot> bots;
    for (std::uint64_t i = 0; i < 16; ++i) bots.emplace_back(BotOptions{.seed = Seed{i}}, map, query);
    Rules rules{map};
    auto battle = rules.start({.tanks = 16, .mode = {}, .seed = Seed{1}});
    ASSERT_TRUE(battle);
    Senses senses{map};
    View view;
    std::vector<Input> inputs(16);
    std::uint64_t counted = 0;
    for (int i = 0; i < 40 * 60; ++i) {
        const std::uint64_t before = test::allocations();
        for (std::uint16_t t = 0; t < 16; ++t) {
            if (bots[t].looks(battle->step)) {
                senses.fill_view(*battle, t, view);
                bots[t].look(view);
            }
            inputs[t] = bots[t].play(battle->step, battle->tanks[t]);
        }
        if (i >= 60) counted += test::allocations() - before;
        rules.step(*battle, inputs);
    }
    EXPECT_GT(battle->records[0].shots + battle->records[1].shots, 0U);
    EXPECT_EQ(counted, 0U);
}

}  // namespace
}  // namespace fray::panzer
