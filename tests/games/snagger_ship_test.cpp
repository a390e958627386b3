#include "games/any_keys.hpp"
#include "games/snagger/rules/entity.hpp"
#include "games/snagger/rules/ship.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fray::snagger {
namespace {

constexpr Input kUp{.thrust = true};
constexpr Input kLeft{.left = true};
constexpr Input kRight{.right = true};
constexpr float kRounding = 1.0001F;

Ship ship_at(const Vec3& place, float yaw) { return {.pose = {.position = place, .yaw = yaw}}; }

Ship after(Ship ship, const Input& input, int ticks) {
    for (int i = 0; i < ticks; ++i) ship = advance(ship, input);
    return ship;
}

bool is_on_screen(const Vec3& point) {
    return point.x >= 0 && point.x <= kWidth && point.y >= 0 && point.y <= kHeight && point.z == 0;
}

TEST(SnaggerShip, RestsWithoutKeys) {
    const Ship ship = ship_at({50, 30, 0}, 45);
    EXPECT_EQ(after(ship, {}, 100), ship);
}

TEST(SnaggerShip, ThrustsWhereItPointsUpToTheTopSpeed) {
    const Ship ship = after(ship_at({10, 30, 0}, 0), kUp, 300);
    EXPECT_GT(ship.pose.position.x, 50);
    EXPECT_EQ(ship.pose.position.y, 30);
    EXPECT_NEAR(length(ship.pose.velocity), kTopSpeed, 0.01F);
    const Ship up = after(ship_at({10, 30, 0}, 90), kUp, 60);
    EXPECT_GT(up.pose.position.y, 35);
    EXPECT_NEAR(up.pose.position.x, 10, 1e-4F);
}

TEST(SnaggerShip, GlidesToRest) {
    Ship ship = after(ship_at({10, 30, 0}, 0), kUp, 60);
    const float fast = length(ship.pose.velocity);
    ship = after(ship, {}, 120);
    EXPECT_GT(fast, 10);
    EXPECT_LT(length(ship.pose.velocity), fast / 30);
}

TEST(SnaggerShip, TurnsAreExactAndBothKeysTurnNothing) {
    const Ship ship = ship_at({50, 30, 0}, 90);
    EXPECT_EQ(after(ship, kLeft, 32).pose.yaw, 180);
    EXPECT_EQ(after(ship, kRight, 64).pose.yaw, 270);
    EXPECT_EQ(after(ship, kRight, 128), ship);
    EXPECT_EQ(after(ship, {.left = true, .right = true}, 10), ship);
}

TEST(SnaggerShip, StopsAcrossAnEdgeAndSlidesAlongIt) {
    const Ship ship = after(ship_at({95, 10, 0}, 45), kUp, 90);
    EXPECT_EQ(ship.pose.position.x, kWidth);
    EXPECT_EQ(ship.pose.velocity.x, 0);
    EXPECT_GT(ship.pose.velocity.y, 5);
    EXPECT_GT(ship.pose.position.y, 15);
}

RC_GTEST_PROP(SnaggerShip, StaysOnTheScreenAndBelowTheTopSpeedWhateverIsPressed, ()) {
    const auto x = static_cast<float>(*rc::gen::inRange(0, 101));
    const auto y = static_cast<float>(*rc::gen::inRange(0, 76));
    Ship ship = ship_at({x, y, 0}, 0);
    for (const Inputs& inputs : any_keys()) {
        ship = advance(ship, inputs[0]);
        RC_ASSERT(is_on_screen(ship.pose.position));
        RC_ASSERT(length(ship.pose.velocity) <= kTopSpeed * kRounding);
        RC_ASSERT(ship.pose.yaw >= 0 && ship.pose.yaw < 360 && ship.pose.pitch == 0);
    }
}

RC_GTEST_PROP(SnaggerShip, TravelsIn64BitsWithinHalfAStep, ()) {
    Ship ship = ship_at({50, 30, 0}, 0);
    for (const Inputs& inputs : any_keys()) ship = advance(ship, inputs[0]);
    std::array<std::uint8_t, 8> memory{};
    BitWriter out{memory};
    write(out, ship);
    RC_ASSERT(!out.overflowed() && out.bit_count() == 64U);
    BitReader in{memory};
    Ship back;
    RC_ASSERT(read(in, back));
    RC_ASSERT(distance(back.pose.position, ship.pose.position) <= kPlacePrecision);
    RC_ASSERT(distance(back.pose.velocity, ship.pose.velocity) <= kVelocityPrecision);
    RC_ASSERT(back.pose.yaw == ship.pose.yaw && back.snagging == ship.snagging);
}

RC_GTEST_PROP(SnaggerShip, AnyBytesAreRefusedOrAShipOnTheScreen, (std::array<std::uint8_t, 8> bytes)) {
    BitReader in{bytes};
    Ship ship;
    if (!read(in, ship)) return;
    RC_ASSERT(is_on_screen(ship.pose.position));
    RC_ASSERT(ship.pose.yaw >= 0 && ship.pose.yaw < 360);
}

TEST(SnaggerEntity, EveryInputTravelsInOneByte) {
    for (unsigned bits = 0; bits < 16; ++bits) {
        EXPECT_EQ(measure(keys_of(bits)), 4U);
        EXPECT_EQ(input_bytes(keys_of(bits)).size(), 1U);
        EXPECT_EQ(input_of(input_bytes(keys_of(bits))), keys_of(bits));
    }
    EXPECT_EQ(input_of({}), Input{});
    EXPECT_EQ(input_bytes(keys_of(15)), std::vector(kKeys.begin(), kKeys.end()));
}

TEST(SnaggerEntity, TheMotionModelIsTheShipItself) {
    const World snagger = world();
    ASSERT_TRUE(snagger.check()) << snagger.check().error().message;
    ASSERT_EQ(snagger.types.size(), 1U);
    const Ship ship = after(ship_at({30, 30, 0}, 45), kUp, 20);
    const Input keys{.thrust = true, .right = true};
    const Pose model = snagger.types[0].advance(ship.pose, {}, input_bytes(keys), 15);
    EXPECT_EQ(model, after(ship, keys, 15).pose);
    EXPECT_GT(distance(model.position, ship.pose.position), 1);
    EXPECT_EQ(snagger.types[0].advance(ship.pose, {}, {}, 15), after(ship, {}, 15).pose);
}

}  // namespace
}  // namespace fray::snagger
