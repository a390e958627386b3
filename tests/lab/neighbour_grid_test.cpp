#include "lab/metrics/neighbour_grid.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace fray::lab {
namespace {

/// The given number of players, every third of them absent.
std::vector<Placed> scattered(const Area& area, std::size_t count) {
    RandomStream random{Seed{5}, "places"};
    std::vector<Placed> players;
    for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<float>(random.uniform(0, double{area.width}));
        const auto y = static_cast<float>(random.uniform(0, double{area.height}));
        players.push_back({.position = {x, y, 0}, .present = i % 3 != 0});
    }
    return players;
}

float nearest_of_all(const Area& area, const std::vector<Placed>& players, const Vec3& place) {
    float least = std::numeric_limits<float>::max();
    for (const Placed& player : players) {
        if (player.present) least = std::min(least, area.distance(player.position, place));
    }
    return least;
}

class EveryArea : public testing::TestWithParam<Area> {};

TEST_P(EveryArea, TheNearestIsTheNearestOfAll) {
    const Area& area = GetParam();
    for (const std::size_t count : {2UL, 5UL, 30UL, 600UL}) {
        const auto players = scattered(area, count);
        NeighbourGrid grid{area, 50};
        grid.place(players);
        for (const Placed& place : scattered(area, 300)) {
            const auto found = grid.nearest(place.position);
            ASSERT_TRUE(found);
            ASSERT_TRUE(players[found->who].present);
            ASSERT_EQ(found->distance, nearest_of_all(area, players, place.position)) << count;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryArea,
                         testing::Values(Area{.width = 1000, .height = 1000},
                                         Area{.width = 3000, .height = 400},
                                         Area{.width = 1000, .height = 1000, .wraps = true},
                                         Area{.width = 400, .height = 2000, .wraps = true}));

TEST(NeighbourGrid, WhereNobodyIsThereIsNoNearest) {
    const std::vector<Placed> players{{.position = {1, 1, 0}, .present = false}};
    NeighbourGrid grid{{}, 50};
    grid.place(players);
    EXPECT_FALSE(grid.nearest({1, 1, 0}));
}

}  // namespace
}  // namespace fray::lab
