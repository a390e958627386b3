// Panzer on Time Warp: the battle can be rewound, and only states that the rules can go on from are accepted.

#include <fray/time_warp/stress.hpp>

#include "games/panzer/warp/battle_wire.hpp"
#include "games/panzer_battles.hpp"
#include "warp/brawl.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fray::panzer {
namespace {

constexpr std::size_t kStressTanks = 12;

WarpBattle gathered(const Map& map, Mode mode, Seed seed) {
    auto battle = PartBattle::start(map, {.tanks = kStressTanks, .mode = mode, .seed = seed},
                                    PartBattle::Players::present);
    FRAY_ASSERT(battle);
    Brawl{map, seed, kStressTanks}.gather(*battle);
    return WarpBattle{std::move(*battle)};
}

/// Any keys, mostly fire.
std::optional<BattleMessage> any_keys(RandomStream& random, Tick, PartNumber seat) {
    if (!random.chance(0.05)) return std::nullopt;
    Input input{.gun = random.chance(0.8), .shell = random.chance(0.5)};
    input.throttle = static_cast<std::int8_t>(static_cast<int>(random.below(2 * kFull + 1)) - kFull);
    input.steer = static_cast<std::int8_t>(static_cast<int>(random.below(2 * kFull + 1)) - kFull);
    input.aim = sent_aim(static_cast<Angle>(random.below(65'536)));
    return BattleMessage{seat, BattleMessage::Kind::input, input};
}

TEST(WarpStress, TheBattleIsDeterministicAndCanBeRewound) {
    std::uint64_t outcomes = 0;
    for (const char* name : {"arena", "ruins"}) {
        const Map map = map_named(name);
        for (const Mode mode : {Mode::free_for_all, Mode::teams, Mode::flag}) {
            if (mode == Mode::flag && map.flags.empty()) continue;
            const StressReport report = stress([&] { return gathered(map, mode, Seed{3}); }, any_keys,
                                               {.ticks = 1200, .seats = kStressTanks});
            EXPECT_TRUE(report.ok) << name << ", " << to_string(mode) << ": " << report.text;
            EXPECT_GT(report.subsets, 100U);
            EXPECT_GT(report.rollbacks, 50U);
            outcomes += report.outcomes;
        }
    }
    EXPECT_GT(outcomes, 1000U);
}

std::vector<WarpBattle::Part> state_of_battle(const WarpBattle& game) {
    std::vector<WarpBattle::Part> state;
    for (PartNumber i = 0; i < game.parts(); ++i) state.push_back(game.get(i));
    return state;
}

TEST(WarpStress, EveryStateOfABattleIsAccepted) {
    std::size_t shells = 0, deaths = 0, pickups = 0;
    for (const char* name : {"arena", "ruins", "plains"}) {
        const Map map = map_named(name);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const Mode mode = seed % 2 == 0 || map.flags.empty() ? Mode::teams : Mode::flag;
            WarpBattle game = gathered(map, mode, Seed{seed});
            const WarpBattle first = game;
            Brawl brawl{map, Seed{seed}, kStressTanks};
            PartSet all{game.parts()};
            all.add_all();
            for (Tick tick = 0; tick < 3000; ++tick) {
                ASSERT_TRUE(first.accepts(state_of_battle(game)))
                    << name << ", seed " << seed << ", tick " << tick;
                brawl.press(game, tick);
                game.step(tick, brawl.messages(), all);
            }
            for (PartNumber i = 0; i < kStressTanks; ++i) {
                const Record record = std::get<TankPart>(game.get(i).value).record;
                shells += record.shells;
                deaths += record.deaths;
                pickups += record.pickups;
            }
        }
    }
    EXPECT_GT(shells, 1000U);
    EXPECT_GT(deaths, 100U);
    EXPECT_GT(pickups, 50U);
}

TEST(WarpStress, AStateThatBreaksWhatTheRulesRelyOnIsRefused) {
    const Map map = map_named("ruins");
    WarpBattle game = gathered(map, Mode::flag, Seed{1});
    const PartLayout& layout = game.layout();
    using State = std::vector<WarpBattle::Part>;
    const auto tank = [](State& state) -> TankPart& { return std::get<TankPart>(state[1].value); };
    const auto flag = [&](State& state) -> Flag& { return std::get<Flag>(state[layout.flag()].value); };
    const auto fire = [&](State& state, std::uint8_t count, std::uint16_t life) {
        tank(state).shell_count = count;
        for (std::uint8_t i = 0; i < count; ++i)
            tank(state).shells[i] = {1, static_cast<std::uint16_t>(life + i * kShellSteps),
                                     tank(state).tank.position, direction(0) * kShellSpeed};
    };
    const Vec2 outside{-1, 5};
    const std::vector<std::pair<std::string, std::function<void(State&)>>> faults{
        {"a part too few", [](State& s) { s.pop_back(); }},
        {"another kind of part", [](State& s) { s[0].value = Door{}; }},
        {"outside of the map", [&](State& s) { tank(s).tank.position = outside; }},
        {"far away",
         [&](State& s) {
             tank(s).tank.position = {3e38F, 1};
         }},
        {"too fast", [&](State& s) { tank(s).tank.speed = 1e9F; }},
        {"another team", [&](State& s) { tank(s).tank.team = 2; }},
        {"negative armour", [&](State& s) { tank(s).tank.armour = -1; }},
        {"too much shield", [&](State& s) { tank(s).tank.shield = kMostShield + 1; }},
        {"a score that overflows", [&](State& s) { tank(s).record.score = INT32_MAX; }},
        {"a score that underflows", [&](State& s) { tank(s).record.score = INT32_MIN; }},
        {"a carrier that is no tank", [&](State& s) { flag(s).carrier = kStressTanks; }},
        {"a flag outside", [&](State& s) { flag(s).position = outside; }},
        {"a door open for too long",
         [&](State& s) { std::get<Door>(s[layout.first_door()].value).hold = kDoorHold + 1; }},
        {"an item away for too long",
         [&](State& s) { std::get<Item>(s[layout.first_item()].value).wait = kItemSteps + 1; }},
        {"another tank's shell", [&](State& s) { fire(s, 1, 50), tank(s).shells[0].shooter = 2; }},
        {"a shell outside", [&](State& s) { fire(s, 1, 50), tank(s).shells[0].position = outside; }},
        {"a shell that stands still", [&](State& s) { fire(s, 1, 50), tank(s).shells[0].velocity = {}; }},
        {"a shell that is too fast",
         [&](State& s) {
             fire(s, 1, 50), tank(s).shells[0].velocity = {1e30F, 0};
         }},
        {"a shell of no life", [&](State& s) { fire(s, 1, 0); }},
        {"a shell of too much life", [&](State& s) { fire(s, 1, kShellLife); }},
        {"shells at once", [&](State& s) { fire(s, 2, 10), tank(s).shells[1].life = 11; }},
        {"a gun that loads too fast", [&](State& s) { fire(s, 1, kShellLife - 2); }},
        {"a tank in a wall",
         [&](State& s) {
             const auto wall = std::ranges::find_if(map.cells, is_wall) - map.cells.begin();
             const auto cell = static_cast<std::int32_t>(wall);
             tank(s).tank.position = map.middle_of({cell % map.columns, cell / map.columns});
         }},
    };
    State whole = state_of_battle(game);
    ASSERT_TRUE(game.accepts(whole));
    fire(whole, 2, 50);
    tank(whole).tank.shell_wait = kShellSteps;
    ASSERT_TRUE(game.accepts(whole)) << "a tank with two shells in flight";
    for (const auto& [what, break_it] : faults) {
        State broken = state_of_battle(game);
        break_it(broken);
        EXPECT_FALSE(game.accepts(broken)) << what;
    }
}

}  // namespace
}  // namespace fray::panzer
