// What holds in every battle, on random maps and with random keys.

#include "games/panzer_battles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace fray::panzer {
namespace {

constexpr std::size_t kTanks = 12;
constexpr std::uint64_t kBattles = 40;
constexpr int kSteps = 1200;
constexpr float kSlack = 0.01F;

/// How deep a tank's disc reaches into solid cells.
float depth_in_walls(const Ground& ground, const Vec2& position) {
    const CellPlace middle = ground.map.place_of(position);
    float deepest = 0;
    for (std::int32_t row = middle.row - 1; row <= middle.row + 1; ++row) {
        for (std::int32_t column = middle.column - 1; column <= middle.column + 1; ++column) {
            if (!ground.is_solid({column, row})) continue;
            const float side = ground.map.cell;
            const Vec2 low{static_cast<float>(column) * side, static_cast<float>(row) * side};
            const Vec2 nearest{std::clamp(position.x, low.x, low.x + side),
                               std::clamp(position.y, low.y, low.y + side)};
            deepest = std::max(deepest, kTankRadius - length(position - nearest));
        }
    }
    return deepest;
}

float turned(Angle from, Angle to) {
    return std::abs(static_cast<float>(turn_between(from, to))) * (360.0F / 65536);
}

/// Runs battles of all modes and calls look(rules, before, after) for each step. Returns the last states.
std::vector<Battle> battles(const std::function<void(const Rules&, const Battle&, const Battle&)>& look) {
    std::vector<Battle> last;
    for (std::uint64_t seed = 1; seed <= kBattles && !testing::Test::HasFailure(); ++seed) {
        const Map map = random_map(Seed{seed}, kTanks);
        Rules rules{map};
        const auto mode = static_cast<Mode>(seed % 3);
        auto battle = rules.start({.tanks = kTanks, .mode = mode, .seed = Seed{seed}});
        EXPECT_TRUE(battle) << battle.error().message;
        if (!battle) return last;
        Keys keys{Seed{seed}, kTanks};
        for (int step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
            const Battle before = *battle;
            rules.step(*battle, keys.press(*battle));
            look(rules, before, *battle);
        }
        last.push_back(std::move(*battle));
    }
    return last;
}

TEST(PanzerProperty, NoTankIsInAWallOrPassesThroughOne) {
    std::uint64_t moves = 0;
    battles([&](const Rules& rules, const Battle& before, const Battle& after) {
        // Doors move after tanks; and a door that was solid before the step may not have been entered in it.
        const Ground ground{rules.map(), before.doors};
        for (std::size_t i = 0; i < kTanks; ++i) {
            const Tank& a = before.tanks[i];
            const Tank& b = after.tanks[i];
            if (!b.alive()) continue;
            ASSERT_LT(depth_in_walls(ground, b.position), 0.05F) << "tank " << i << ", step " << after.step;
            if (!a.alive()) continue;
            ASSERT_TRUE(sees(ground, a.position, b.position)) << "tank " << i << ", step " << after.step;
            moves += a.position == b.position ? 0 : 1;
        }
    });
    EXPECT_GT(moves, 100'000U);
}

TEST(PanzerProperty, NoDoorClosesOnATank) {
    std::uint64_t passages = 0;
    battles([&](const Rules& rules, const Battle&, const Battle& after) {
        const Ground ground{rules.map(), after.doors};
        for (const Tank& tank : after.tanks) {
            if (!tank.alive()) continue;
            ASSERT_LT(depth_in_walls(ground, tank.position), 0.05F) << "step " << after.step;
            passages += rules.map().at(rules.map().place_of(tank.position)) == Cell::door ? 1 : 0;
        }
    });
    EXPECT_GT(passages, 1000U);
}

TEST(PanzerProperty, TanksDoNotPassThroughEachOther) {
    float deepest = 0;
    battles([&](const Rules&, const Battle&, const Battle& after) {
        for (std::size_t i = 0; i < kTanks; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Tank& a = after.tanks[i];
                const Tank& b = after.tanks[j];
                if (!a.alive() || !b.alive()) continue;
                deepest = std::max(deepest, 2 * kTankRadius - length(a.position - b.position));
            }
        }
        ASSERT_LT(deepest, 0.8F) << "step " << after.step;
    });
    EXPECT_GT(deepest, 0) << "some touched";
}

TEST(PanzerProperty, SpeedAndTurnRatesStayWithinTheirLimits) {
    float fastest = 0;
    battles([&](const Rules&, const Battle& before, const Battle& after) {
        for (std::size_t i = 0; i < kTanks; ++i) {
            const Tank& a = before.tanks[i];
            const Tank& b = after.tanks[i];
            if (!a.alive() || !b.alive()) continue;
            ASSERT_LE(b.speed, top_speed(a) + kSlack);
            ASSERT_GE(b.speed, -kReverseSpeed - kSlack);
            ASSERT_LE(std::abs(b.speed) - std::abs(a.speed),
                      kAcceleration * top_speed(a) / kTopSpeed * kStep + kSlack);
            ASSERT_LE(turned(a.hull, b.hull), kTurnRateAtRest * kStep + kSlack);
            ASSERT_LE(turned(a.turret, b.turret), kTurretRate * kStep + kSlack);
            // Its own speed, and pushes of other tanks.
            ASSERT_LE(length(b.position - a.position), (top_speed(a) + kTopSpeed) * kStep + 0.5F);
            fastest = std::max(fastest, b.speed);
        }
    });
    EXPECT_GT(fastest, kTopSpeed) << "an engine was taken";
}

TEST(PanzerProperty, ArmourChangesOnlyByWhatHappened) {
    std::array<std::uint64_t, 4> seen{};
    battles([&](const Rules& rules, const Battle& before, const Battle& after) {
        std::vector<int> armour;
        for (const Tank& tank : before.tanks) armour.push_back(tank.armour);
        for (const Happening& h : rules.happenings()) {
            if (h.kind == Happening::Kind::damage) armour[h.other] -= h.amount, ++seen[0];
            if (h.kind == Happening::Kind::spawn) armour[h.tank] = kFullArmour, ++seen[1];
            if (h.kind == Happening::Kind::death) {
                ASSERT_EQ(armour[h.other], 0);
                ++seen[2];
            }
            if (h.kind != Happening::Kind::pickup || static_cast<ItemKind>(h.amount) != ItemKind::armour)
                continue;
            armour[h.tank] = std::min<int>(kMostArmour, armour[h.tank] + kItemArmour), ++seen[3];
        }
        for (std::size_t i = 0; i < kTanks; ++i) ASSERT_EQ(after.tanks[i].armour, armour[i]) << "tank " << i;
    });
    for (const std::uint64_t count : seen) EXPECT_GT(count, 10U);
}

TEST(PanzerProperty, EveryKillHasADeathAndEveryPickupAnItem) {
    std::vector<std::int64_t> points(kTanks);
    std::uint64_t kills = 0, accidents = 0, flags = 0, pickups = 0;
    const auto last = battles([&](const Rules& rules, const Battle& before, const Battle& after) {
        if (before.step == 0) points.assign(kTanks, 0);
        for (const Happening& h : rules.happenings()) {
            if (h.kind == Happening::Kind::death) points[h.tank] += h.tank == h.other ? -1 : 1;
            if (h.kind != Happening::Kind::pickup) continue;
            ASSERT_EQ(before.items[h.other].wait, 0) << "it was there";
            ASSERT_EQ(after.items[h.other].taken, before.items[h.other].taken + 1);
            ASSERT_EQ(static_cast<ItemKind>(h.amount),
                      kind_of(before.seed, h.other, before.items[h.other].taken));
        }
        if (after.flag.carrier != kNone && after.flag.held == 0 && before.flag.carrier == after.flag.carrier)
            ++points[after.flag.carrier], ++flags;
        for (std::size_t i = 0; i < kTanks; ++i) ASSERT_EQ(after.records[i].score, points[i]) << "tank " << i;
    });
    for (const Battle& battle : last) {
        Record sum;
        std::uint32_t taken = 0;
        for (const Record& r : battle.records) {
            sum.kills += r.kills, sum.deaths += r.deaths, sum.accidents += r.accidents,
                sum.pickups += r.pickups;
            EXPECT_LE(r.hits, r.shots);
        }
        for (const Item& item : battle.items) taken += item.taken;
        EXPECT_EQ(sum.deaths, sum.kills + sum.accidents);
        EXPECT_EQ(sum.pickups, taken);
        kills += sum.kills, accidents += sum.accidents, pickups += sum.pickups;
    }
    EXPECT_GT(kills, 100U);
    EXPECT_GT(accidents, 10U);
    EXPECT_GT(pickups, 100U);
    EXPECT_GT(flags, 10U);
}

TEST(PanzerProperty, NoGunOrShellIsFiredBeforeItIsLoaded) {
    std::vector<std::uint32_t> gun(kTanks), shell(kTanks);
    std::uint64_t shots = 0;
    battles([&](const Rules& rules, const Battle& before, const Battle& after) {
        if (before.step == 0) gun.assign(kTanks, 0), shell.assign(kTanks, 0);
        for (const Happening& h : rules.happenings()) {
            if (h.kind == Happening::Kind::spawn) gun[h.tank] = shell[h.tank] = 0;
            if (h.kind == Happening::Kind::shot) {
                ASSERT_GE(after.step, gun[h.tank]);
                ++shots;
                gun[h.tank] = after.step + gun_steps(before.tanks[h.tank]);
            }
            if (h.kind != Happening::Kind::launch) continue;
            ASSERT_GE(after.step, shell[h.tank]);
            shell[h.tank] = after.step + kShellSteps;
        }
    });
    EXPECT_GT(shots, 1000U);
}

/// Whether a tank can drive this way without touching a wall or a tank.
bool is_way_free(const Ground& ground, const Battle& battle, std::size_t number, const Vec2& unit,
                 float way) {
    for (float at = 0; at <= way; at += 0.2F) {
        const Vec2 there = battle.tanks[number].position + unit * at;
        if (depth_in_walls(ground, there) > kSlack) return false;
        for (std::size_t i = 0; i < kTanks; ++i) {
            const Tank& other = battle.tanks[i];
            if (i == number || !other.alive()) continue;
            if (length(other.position - there) < 2 * kTankRadius + 0.1F) return false;
        }
    }
    return true;
}

TEST(PanzerProperty, ATankWhoseWayIsFreeMoves) {
    std::uint64_t tried = 0;
    battles([&](const Rules& rules, const Battle&, const Battle& after) {
        if (after.step % 120 != 0) return;
        const Ground ground{rules.map(), after.doors};
        for (std::size_t i = 0; i < kTanks; ++i) {
            for (float heading = 0; heading < 360 && after.tanks[i].alive(); heading += 45) {
                constexpr float kWay = 2;
                if (!is_way_free(ground, after, i, direction(degrees(heading)), kWay + 1)) continue;
                Battle calm = after;
                calm.shells.clear();
                for (Tank& tank : calm.tanks) {
                    tank.speed = 0;
                    if (!tank.alive()) tank.respawn_wait = kRespawnSteps;  // stays out of the way
                }
                calm.tanks[i].hull = degrees(heading);
                std::vector<Input> inputs(kTanks);
                inputs[i].throttle = kFull;
                Rules others{rules.map()};
                for (unsigned step = 0; step < steps(0.8F); ++step) others.step(calm, inputs);
                if (!calm.tanks[i].alive()) continue;  // took a trap on its way
                ASSERT_GE(length(calm.tanks[i].position - after.tanks[i].position), kWay) << "tank " << i;
                ++tried;
            }
        }
    });
    EXPECT_GT(tried, 5000U);
}

}  // namespace
}  // namespace fray::panzer
