// Skill shows: the promises of the plan panzer_skill, with few seeds.

#include "bots/bot_fields.hpp"
#include "lab/metrics/statistics.hpp"

namespace fray::panzer {
namespace {

constexpr int kTenMinutes = 600 * static_cast<int>(kStepsPerSecond);

TEST(Skill, AnExpertBeatsABeginnerFiveToOneInADuelOfTenMinutes) {
    const Map map = field_named("duel");
    const NavMesh mesh = mesh_of(map);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        BotBattle battle = battle_of(map, mesh, {{.level = 5}, {.level = 1}}, Seed{seed});
        for (int i = 0; i < kTenMinutes; ++i) battle.step();
        const auto& records = battle.battle().records;
        EXPECT_GT(records[0].kills, 15U) << "seed " << seed;
        EXPECT_GE(records[0].kills, 5 * records[1].kills) << "seed " << seed;
    }
}

TEST(Skill, RanksFollowLevelsAmongSixteenMixedBots) {
    for (const char* name : {"arena", "ruins"}) {
        const Map map = field_named(name);
        const NavMesh mesh = mesh_of(map);
        const auto players = lab::lineup_named("mixed", 16);
        BotBattle battle = battle_of(map, mesh, players, Seed{1});
        for (int i = 0; i < kTenMinutes; ++i) battle.step();
        std::vector<double> levels;
        std::vector<double> scores;
        for (std::size_t i = 0; i < players.size(); ++i) {
            levels.push_back(players[i].level);
            scores.push_back(battle.battle().records[i].score);
        }
        EXPECT_GE(lab::rank_correlation(levels, scores), 0.9) << name;
    }
}

}  // namespace
}  // namespace fray::panzer
