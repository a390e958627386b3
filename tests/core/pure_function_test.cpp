#include <fray/pure_function.hpp>
#include <fray/world.hpp>

#include "core/motion.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace fray {
namespace {

using Sum = PureFunction<int(int, const int&)>;

struct Table {
    int base;
};
int plain_sum(int a, const int& b) { return a + b; }
int table_sum(const Table& table, int a, const int& b) { return table.base + a + b; }

TEST(PureFunction, IsAFunctionALambdaOrNothing) {
    EXPECT_TRUE(Sum{} == nullptr);
    EXPECT_TRUE(Sum{nullptr} == nullptr);
    const Sum function = &plain_sum;
    EXPECT_TRUE(function != nullptr);
    EXPECT_EQ(function(1, 2), 3);
    Sum lambda;
    lambda = [](int a, const int& b) { return a * b; };
    EXPECT_EQ(lambda(3, 4), 12);
}

TEST(PureFunction, GetsItsContextFirstAndCopiesReferToTheSame) {
    Table table{100};
    const Sum function = Sum::with<&table_sum>(table);
    const Sum copy = function;
    EXPECT_TRUE(copy != nullptr);
    EXPECT_EQ(copy(1, 2), 103);
    table.base = 200;
    EXPECT_EQ(copy(1, 2), 203);
    EXPECT_EQ(function(1, 2), 203);
}

/// A wall at x = limit.
struct Wall {
    float limit;
};
Pose until_the_wall(const Wall& wall, const Pose& pose, std::span<const std::uint8_t>,
                    std::span<const std::uint8_t>, std::uint32_t ticks) {
    Pose next = pose;
    next.position.x = std::min(wall.limit, pose.position.x + static_cast<float>(ticks));
    return next;
}

TEST(Motion, AModelSeesTheContextThatItWasRegisteredWith) {
    const Wall near{5};
    const Wall far{50};
    World world;
    world.types = {EntityType::bare("near", AdvanceFunction::with<&until_the_wall>(near)),
                   EntityType::bare("far", AdvanceFunction::with<&until_the_wall>(far))};
    const World copy = world;
    EXPECT_EQ(go_on(copy, EntityTypeId{0}, {}, {}, {}, 20 * copy.tick).position.x, 5);
    EXPECT_EQ(go_on(copy, EntityTypeId{1}, {}, {}, {}, 20 * copy.tick).position.x, 20);
    EXPECT_EQ(copy.fingerprint(), world.fingerprint());
}

}  // namespace
}  // namespace fray
