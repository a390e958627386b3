#include "games/snagger/rules/entity.hpp"

namespace fray::snagger {

World world() {
    World world;
    world.name = "snagger";
    world.low = {0, 0, 0};
    world.high = {kWidth, kHeight, 0};
    world.position_precision = kPlacePrecision;
    world.velocity_limit = kVelocityLimit;
    world.velocity_precision = kVelocityPrecision;
    world.angle_bits = kYawBits;
    world.tick = 16'667us;  // a sixtieth of a second, in whole microseconds
    world.types = {EntityType::bare("ship", &advance_pose)};
    return world;
}

Pose advance_pose(const Pose& pose, std::span<const std::uint8_t> /*payload*/,
                  std::span<const std::uint8_t> input, std::uint32_t ticks) {
    const Input keys = input_of(input);
    Ship ship{.pose = pose};
    for (std::uint32_t i = 0; i < ticks; ++i) ship = advance(ship, keys);
    return ship.pose;
}

std::vector<std::uint8_t> input_bytes(const Input& input) {
    std::vector<std::uint8_t> bytes(1);
    BitWriter out{bytes};
    write(out, input);
    out.finish();
    return bytes;
}

Input input_of(std::span<const std::uint8_t> bytes) {
    BitReader in{bytes};
    Input input;
    return read(in, input) ? input : Input{};
}

}  // namespace fray::snagger
