#include "games/panzer/bots/pace.hpp"

#include "bots/bot_fields.hpp"

#include <algorithm>

namespace fray::panzer {
namespace {

TEST(Pace, SharesPerLagAreThoseOfThePaper) {
    EXPECT_DOUBLE_EQ(dynamic_share(0), 0.593);
    EXPECT_DOUBLE_EQ(dynamic_share(200), 0.489);
    EXPECT_DOUBLE_EQ(dynamic_share(400), 0.264);
    EXPECT_DOUBLE_EQ(dynamic_share(600), 0.21);
    EXPECT_DOUBLE_EQ(dynamic_share(300), (0.489 + 0.264) / 2);
    EXPECT_DOUBLE_EQ(dynamic_share(-5), 0.593);
    EXPECT_DOUBLE_EQ(dynamic_share(5000), 0.21);
}

/// The share of living tank-steps with throttle or steering, and the number of shots.
struct Measured {
    double dynamic = 0;
    std::uint32_t shots = 0;
    std::uint32_t longest = 0;  // steps in a row that a tank stood
};
Measured measure(double lag_ms) {
    const Map map = field_named("arena");
    const NavMesh mesh = mesh_of(map);
    auto players = lab::lineup_named("mixed", 12);
    for (BotOptions& player : players) player.dynamic_share = dynamic_share(lag_ms);
    BotBattle battle = battle_of(map, mesh, players, Seed{5});
    Measured measured;
    double moving = 0;
    double living = 0;
    std::vector<std::uint32_t> standing(players.size());
    for (int i = 0; i < 90 * 60; ++i) {
        battle.step();
        for (std::size_t t = 0; t < players.size(); ++t) {
            if (!battle.battle().tanks[t].alive()) continue;
            const bool moves = battle.inputs()[t].throttle != 0 || battle.inputs()[t].steer != 0;
            ++living;
            moving += moves ? 1 : 0;
            standing[t] = moves ? 0 : standing[t] + 1;
            measured.longest = std::max(measured.longest, standing[t]);
        }
    }
    for (const Record& record : battle.battle().records) measured.shots += record.shots;
    measured.dynamic = moving / living;
    return measured;
}

TEST(Pace, BotsMoveAsMuchAsPlayersWithThisLag) {
    for (const double lag_ms : {0, 200, 400, 600}) {
        const Measured measured = measure(lag_ms);
        EXPECT_NEAR(measured.dynamic, dynamic_share(lag_ms), 0.02) << lag_ms << " ms";
        EXPECT_GT(measured.shots, 300U) << "standing bots shoot";
        EXPECT_LT(measured.longest, steps(15)) << "no bot stands for ever";
    }
}

TEST(Pace, AShareOfZeroOrOneIsKeptToo) {
    Pace never{0, Seed{1}};
    Pace always{1, Seed{1}};
    int moves = 0;
    int stands = 0;
    bool moved = false;
    for (int i = 0; i < 6000; ++i) {
        moved = never.moves(moved);
        moves += moved ? 1 : 0;
        stands += always.moves(true) ? 0 : 1;
    }
    EXPECT_LT(moves, 120);
    EXPECT_EQ(stands, 0);
}

}  // namespace
}  // namespace fray::panzer
