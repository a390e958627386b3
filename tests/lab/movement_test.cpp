#include "lab/workloads/movement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace fray::lab {
namespace {

std::vector<Movement> players(const Map& map, std::size_t count) {
    std::vector<Movement> all;
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(map, RandomStream{Seed{3}, "movement", i});
    return all;
}

MovementOptions random_on(Area area, Border border) {
    MovementOptions options;
    options.area = area;
    options.border = border;
    return options;
}

MovementOptions hotspots_on(Area area) {
    MovementOptions options;
    options.area = area;
    options.hotspots = 10;
    return options;
}

bool is_inside(const Area& area, const Vec3& p) {
    return p.x >= 0 && p.x <= area.width && p.y >= 0 && p.y <= area.height && p.z == 0;
}

double share_near_hotspots(const Map& map, const std::vector<Movement>& all, float radius) {
    std::size_t near = 0;
    for (const Movement& player : all) {
        near += std::any_of(map.hotspots.begin(), map.hotspots.end(), [&](const Vec3& hotspot) {
            return map.options.area.distance(player.position(), hotspot) <= radius;
        });
    }
    return static_cast<double>(near) / static_cast<double>(all.size());
}

class EveryMovement : public testing::TestWithParam<MovementOptions> {};

TEST_P(EveryMovement, StaysInside) {
    const Map map{GetParam(), Seed{1}};
    auto all = players(map, 50);
    for (int round = 0; round < 1000; ++round) {
        for (Movement& player : all) {
            ASSERT_TRUE(is_inside(map.options.area, player.position()));
            player.advance();
        }
    }
}

TEST_P(EveryMovement, IsTheStepItAnnounced) {
    const Map map{GetParam(), Seed{1}};
    auto all = players(map, 50);
    for (int round = 0; round < 200; ++round) {
        for (Movement& player : all) {
            const Vec3 expected = map.options.area.inside(player.position() + player.step());
            EXPECT_LE(length(player.step()), static_cast<float>(map.options.step_most) * 1.0001F);
            player.advance();
            ASSERT_EQ(player.position(), expected);
        }
    }
}

TEST_P(EveryMovement, FollowsFromTheSeed) {
    const Map map{GetParam(), Seed{1}};
    auto a = players(map, 3);
    auto b = players(map, 3);
    for (int round = 0; round < 300; ++round) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i].advance();
            b[i].advance();
        }
    }
    EXPECT_EQ(a[1].position(), b[1].position());
    EXPECT_NE(a[0].position(), a[1].position());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryMovement,
                         testing::Values(random_on({}, Border::reflect), random_on({}, Border::stop),
                                         random_on({.wraps = true}, Border::wrap),
                                         random_on({.width = 3000, .height = 1000}, Border::reflect),
                                         hotspots_on({}), hotspots_on({.wraps = true}),
                                         hotspots_on({.width = 5000, .height = 700})));

TEST(RandomMovement, SpreadsEvenly) {
    MovementOptions options = random_on({}, Border::reflect);
    options.step_least = options.step_most = 25;  // every player gets everywhere in these rounds
    const Map map{options, Seed{1}};
    auto all = players(map, 400);
    std::array<double, 16> quarters{};  // of the sides
    for (int round = 0; round < 2000; ++round) {
        for (Movement& player : all) player.advance();
        if (round % 20 != 0) continue;
        for (const Movement& player : all) {
            const auto x = static_cast<std::size_t>(std::min(player.position().x / 250, 3.0F));
            const auto y = static_cast<std::size_t>(std::min(player.position().y / 250, 3.0F));
            quarters[4 * y + x] += 1;
        }
    }
    for (const double count : quarters) EXPECT_NEAR(count / (100 * 400) * 16, 1, 0.1);
}

TEST(RandomMovement, DrawsItsStepsBetweenTheLimits) {
    MovementOptions options = random_on({.wraps = true}, Border::wrap);
    options.step_least = 0;
    options.step_most = 4;
    const Map map{options, Seed{1}};
    Movement player{map, RandomStream{Seed{3}, "movement"}};
    double sum = 0;
    for (int round = 0; round < 4000; ++round) {
        player.advance();
        sum += static_cast<double>(length(player.step()));
    }
    EXPECT_NEAR(sum / 4000, 2, 0.1);
}

TEST(RandomMovement, TurnsAsOftenAsItShould) {
    MovementOptions options = random_on({.wraps = true}, Border::wrap);
    options.turn_probability = 0.25;
    const Map map{options, Seed{1}};
    Movement player{map, RandomStream{Seed{3}, "movement"}};
    int turns = 0;
    for (int round = 0; round < 4000; ++round) {
        const Vec3 before = player.step();
        player.advance();
        turns += player.step() == before ? 0 : 1;
    }
    EXPECT_NEAR(turns / 4000.0, 0.25, 0.03);
}

TEST(HotspotMovement, Gathers) {
    const Map map{hotspots_on({.width = 3000, .height = 3000}), Seed{1}};
    ASSERT_EQ(map.hotspots.size(), 10U);
    auto all = players(map, 300);
    EXPECT_EQ(share_near_hotspots(map, all, 100.5F), 1);
    for (int round = 0; round < 1500; ++round) {
        for (Movement& player : all) player.advance();
    }
    // The circles are 3.5 % of the area; the rest of the players is on the way to one.
    EXPECT_GT(share_near_hotspots(map, all, 100.5F), 0.3);
}

TEST(HotspotMovement, GoesToAnotherOneAfterAWhile) {
    const Map map{hotspots_on({.width = 3000, .height = 3000}), Seed{1}};
    std::size_t visited = 0;
    for (const Vec3& hotspot : map.hotspots) {
        Movement again{map, RandomStream{Seed{3}, "movement"}};
        bool here = false;
        for (int round = 0; round < 20'000 && !here; ++round) {
            again.advance();
            here = map.options.area.distance(again.position(), hotspot) < 90;
        }
        visited += here ? 1 : 0;
    }
    EXPECT_GE(visited, 9U);
}

TEST(RecordedMovement, IsTheTrackTakenUpInTheRoundOfTheNewcomer) {
    const Track track{{10, 10, 0}, {13, 14, 0}, {13, 14, 0}, {20, 14, 0}};
    const Map map{{}, Seed{1}, {track}};
    Movement player{map, map.tracks[0], 1};
    EXPECT_EQ(player.position(), track[1]);
    EXPECT_EQ(player.step(), Vec3{});
    player.advance();
    EXPECT_FALSE(player.finished());
    EXPECT_EQ(player.velocity(), (Vec3{7, 0, 0}));
    player.advance();
    EXPECT_EQ(player.position(), track[3]);
    EXPECT_TRUE(player.finished());
    player.advance();
    EXPECT_EQ(player.position(), track[3]);
    EXPECT_TRUE((Movement{map, map.tracks[0], 9}.finished()));  // too late for this track
}

TEST(Area, TheShortWayRoundATorus) {
    const Area torus{.width = 1000, .height = 500, .wraps = true};
    EXPECT_FLOAT_EQ(torus.distance({10, 10, 0}, {990, 490, 0}), std::sqrt(800.0F));
    EXPECT_EQ(torus.inside({-5, 505, 0}), (Vec3{995, 5, 0}));
    const Area flat{.width = 1000, .height = 500};
    EXPECT_EQ(flat.inside({-5, 505, 0}), (Vec3{0, 500, 0}));
}

}  // namespace
}  // namespace fray::lab
