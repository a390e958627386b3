// How much of a battle of bots one tank can touch in a tick: what causal re-execution saves depends on it.
#include "games/panzer/warp/part_battle.hpp"

#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer_battles.hpp"

#include <gtest/gtest.h>

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

struct Sizes {
    double tanks = 0;  ///< mean, the one that it began with included
    double parts = 0;
    std::uint32_t deaths = 0;
};

Sizes mean_reach(const std::string& name, Mode mode, Tick ticks) {
    const Map map = map_named(name);
    const auto mesh = NavMesh::build(map);
    const std::vector<BotOptions> bots(64);
    auto bot_battle = BotBattle::start(map, *mesh, bots, mode, Seed{1});
    auto game = PartBattle::start(map, {.tanks = 64, .mode = mode, .seed = Seed{1}}, PartBattle::Players::present);
    FRAY_ASSERT(bot_battle && game);
    std::size_t sets = 0, tanks = 0, parts = 0;
    PartSet set{game->parts()};
    std::size_t histogram[65]{};
    for (Tick tick = 0; tick < ticks; ++tick) {
        const Battle before = bot_battle->battle();
        bot_battle->step();
        set_all(*game, before, bot_battle->inputs());
        for (PartNumber seed = static_cast<PartNumber>(tick % 4); seed < 64; seed += 4) {
            set.clear();
            set.add(seed);
            game->reach(tick, {}, [&](PartNumber i) { return game->get(i); }, set);
            ++sets;
            parts += set.size();
            std::size_t in = 0;
            for (const PartNumber part : set.members()) in += part < 64 ? 1 : 0;
            tanks += in;
            ++histogram[in];
        }
    }
    Sizes sizes{.tanks = double(tanks) / double(sets), .parts = double(parts) / double(sets)};
    for (const Record& record : bot_battle->battle().records) sizes.deaths += record.deaths;
    std::printf("%s %s: tanks %.2f parts %.2f deaths %u;", name.c_str(), std::string{to_string(mode)}.c_str(), sizes.tanks, sizes.parts, sizes.deaths);
    double cum = 0;
    for (std::size_t i = 0; i < 65; ++i) { cum += double(histogram[i]*i)/double(sets); if (i < 8 || i % 8 == 0) std::printf(" %zu:%.3f", i, cum); }
    std::printf("\n");
    return sizes;
}

TEST(PartBattle, OneTankOfSixtyFourReachesFewOthersInATick) {
    for (const char* name : {"arena", "plains", "ruins"})
        for (Mode mode : {Mode::free_for_all, Mode::flag}) EXPECT_LT(mean_reach(name, mode, 3600).tanks, 4);
}

}  // namespace
}  // namespace fray::panzer
