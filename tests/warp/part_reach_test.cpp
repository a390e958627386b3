// How much of a battle of bots one tank can touch in a tick: what causal re-execution saves depends on it.
#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer/warp/part_battle.hpp"
#include "games/panzer_battles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fray::panzer {
namespace {

/// The parts of a battle whose players hold these keys.
void set_all(PartBattle& game, const Battle& battle, std::span<const Input> inputs) {
    const PartLayout& layout = game.layout();
    for (PartNumber i = 0; i < layout.tanks; ++i) {
        TankPart part{battle.tanks[i], battle.records[i], inputs[i], true};
        for (const Shell& shell : battle.shells) {
            if (shell.shooter == i) part.shells[part.shell_count++] = shell;
        }
        game.set(i, part);
    }
    for (PartNumber i = 0; i < layout.items; ++i) game.set(layout.first_item() + i, battle.items[i]);
    for (PartNumber i = 0; i < layout.doors; ++i) game.set(layout.first_door() + i, battle.doors[i]);
    game.set(layout.flag(), battle.flag);
}

/// How many tanks a tank reaches in a tick, itself included, on average over a minute of 64 bots.
double mean_reach(const std::string& name) {
    constexpr PartNumber kTanks = 64;
    const Map map = map_named(name);
    const auto mesh = NavMesh::build(map);
    auto bots = BotBattle::start(map, *mesh, std::vector<BotOptions>(kTanks), Mode::free_for_all, Seed{1});
    auto game = PartBattle::start(map, {.tanks = kTanks, .seed = Seed{1}}, PartBattle::Players::present);
    FRAY_ASSERT(bots && game);
    std::size_t sets = 0;
    std::size_t tanks = 0;
    PartSet set{game->parts()};
    for (Tick tick = 0; tick < 3600; ++tick) {
        const Battle before = bots->battle();
        bots->step();
        set_all(*game, before, bots->inputs());
        set.clear();
        set.add(static_cast<PartNumber>(tick % kTanks));
        game->reach(
            tick, {}, [&](PartNumber part) { return game->get(part); }, set);
        ++sets;
        tanks += static_cast<std::size_t>(
            std::ranges::count_if(set.members(), [](PartNumber part) { return part < kTanks; }));
    }
    EXPECT_TRUE(std::ranges::any_of(bots->battle().records, [](const Record& r) { return r.deaths > 0; }));
    const double mean = static_cast<double>(tanks) / static_cast<double>(sets);
    testing::Test::RecordProperty("mean_reach_" + name, std::to_string(mean));
    return mean;
}

TEST(PartBattle, OneTankOfSixtyFourReachesFewOthersInATick) {
    for (const char* name : {"arena", "plains", "ruins"}) EXPECT_LT(mean_reach(name), 4) << name;
}

}  // namespace
}  // namespace fray::panzer
