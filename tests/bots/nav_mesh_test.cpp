#include "games/panzer/bots/nav_mesh.hpp"

#include "bots/bot_fields.hpp"
#include "games/panzer/rules/tank.hpp"
#include "support/allocations.hpp"

#include <ctime>
#include <thread>

namespace fray::panzer {
namespace {

TEST(NavMesh, IsReadyForEveryShippedMap) {
    for (const char* name : {"duel", "arena", "ruins", "plains"}) {
        const Map map = field_named(name);
        const std::clock_t begin = std::clock();
        const NavMesh mesh = mesh_of(map);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        std::printf("%s: %.2f s of CPU time, %zu polygons in %zu tiles\n", name, seconds, mesh.polygons(),
                    mesh.tiles());
        const NavQuery query{mesh};
        for (const Spawn& spawn : map.spawns) ASSERT_TRUE(query.nearest(spawn.position)) << name;
        for (const Vec2& item : map.items) {
            const auto place = query.nearest(item);
            ASSERT_TRUE(place) << name;
            EXPECT_LT(length(*place - item), 0.1F) << name << ": an item lies where a tank can be";
        }
    }
}

TEST(NavMesh, HasAPathToEveryCellThatIsReachableAndToNoOther) {
    std::size_t reachable = 0;
    std::size_t others = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Map map = random_field(Seed{seed});
        const NavMesh mesh = mesh_of(map);
        const NavQuery query{mesh};
        const CellPlace from{0, map.rows - 1};
        const std::vector<bool> expected = reachable_cells(map, from);
        NavPath path;
        for (std::int32_t row = 0; row < map.rows; ++row) {
            for (std::int32_t column = 0; column < map.columns; ++column) {
                const CellPlace to{column, row};
                if (is_wall(map.at(to)) || to == from) continue;
                const bool found =
                    query.find_path(map.middle_of(from), map.middle_of(to), path) && path.is_complete;
                // A path with more corners than fit is continued on the way.
                const bool ends_early = path.count == kMostCorners;
                EXPECT_TRUE(found == expected[map.index(to)] || (ends_early && expected[map.index(to)]))
                    << "seed " << seed << ", column " << column << ", row " << row << ", found " << found;
                ++(expected[map.index(to)] ? reachable : others);
            }
        }
    }
    EXPECT_GT(reachable, 1000U);
    EXPECT_GT(others, 100U);
}

TEST(NavMesh, KeepsPathsClearOfWallsByTheRadiusOfATank) {
    const Map map = field_named("ruins");
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    const std::vector<Door> open(map.doors.size(), Door{.opened = kDoorSteps, .hold = 0});
    const Ground ground{map, open};
    NavPath path;
    std::size_t corners = 0;
    for (std::size_t i = 0; i + 1 < map.spawns.size(); ++i) {
        Vec2 at = map.spawns[i].position;
        ASSERT_TRUE(query.find_path(at, map.spawns[i + 1].position, path));
        for (std::size_t c = 0; c < path.count; ++c, ++corners) {
            const Vec2 way = path.corners[c] - at;
            for (float share = 0; share <= 1; share += 0.05F) {
                const Vec2 place = at + way * share;
                Vec2 pushed = place;
                push_out(ground, pushed);
                EXPECT_LT(length(pushed - place), 0.4F) << "the path leads into a wall";
            }
            at = path.corners[c];
        }
    }
    EXPECT_GT(corners, 300U);
}

TEST(NavMesh, LeadsTowardsAGoalThatIsTooFarForOneSearch) {
    const Map map = field_named("plains");
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    Vec2 at = map.spawns.front().position;
    const Vec2 goal = map.spawns.back().position;
    ASSERT_GT(length(goal - at), 3000.0F);
    NavPath path;
    int searches = 0;
    do {
        ASSERT_TRUE(query.find_path(at, goal, path));
        at = path.corners[path.count - 1];
    } while (!path.is_complete && ++searches < 20);
    EXPECT_TRUE(path.is_complete);
    EXPECT_GT(searches, 0) << "one search was enough: the test shows nothing";
}

TEST(NavMesh, AnswersDoNotDependOnEarlierQuestionsNorOnOtherThreads) {
    const Map map = field_named("ruins");
    const NavMesh mesh = mesh_of(map);
    const auto ask_all = [&](std::vector<Vec2>& answers, bool backwards) {
        const NavQuery query{mesh};
        NavPath path;
        const std::size_t count = map.spawns.size() - 1;
        answers.resize(count);
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t i = backwards ? count - 1 - n : n;
            query.find_path(map.spawns[i].position, map.spawns[i + 1].position, path);
            answers[i] = path.corners[0];
        }
    };
    std::vector<Vec2> first;
    std::vector<Vec2> second;
    std::thread one{[&] { ask_all(first, false); }};
    std::thread other{[&] { ask_all(second, true); }};
    one.join();
    other.join();
    ASSERT_GT(first.size(), 50U);
    EXPECT_EQ(first, second);
}

TEST(NavMesh, QueriesAllocateNothing) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizer has operators new of its own";
    const Map map = field_named("ruins");
    const NavMesh mesh = mesh_of(map);
    const NavQuery query{mesh};
    NavPath path;
    const std::uint64_t before = test::allocations();
    ASSERT_GT(before, 0U) << "nothing is counted";
    for (std::size_t i = 1; i < map.spawns.size(); ++i)
        ASSERT_TRUE(query.find_path(map.spawns[0].position, map.spawns[i].position, path));
    EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace fray::panzer
