#include "games/panzer/rules/entity.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

constexpr float kPositionPrecision = 0.02F;
constexpr float kVelocityPrecision = 0.02F;
constexpr unsigned kHullBits = 12;
/// Rounding of a position or a velocity on the way, both ends, both axes.
constexpr float kRoundingSlack = 0.1F;
/// Updates are stamped by ticks: a change may take one more than its stamps say.
constexpr Duration kStampSlack = 50ms;
constexpr float kFastest = kTopSpeed * (1 + kEngineStep * kMostLevel);
constexpr float kWallSlack = 0.25F;

Angle angle_of_yaw(float yaw) {
    // To the nearest step of the hull on the wire.
    constexpr float kPerDegree = (1U << kHullBits) / 360.0F;
    const auto whole = static_cast<std::int32_t>(yaw * kPerDegree + 0.5F);
    return static_cast<Angle>(static_cast<std::uint32_t>(whole) << (16U - kHullBits));
}

float turn(Angle from, Angle to) {
    return std::abs(static_cast<float>(turn_between(from, to))) * (360.0F / 65536);
}

bool enters_at_spawn(const Map& map, const Tank& tank, float reach) {
    return std::ranges::any_of(map.spawns, [&](const Spawn& spawn) {
        return square_length(spawn.position - tank.position) <= reach * reach;
    });
}

bool is_in_wall(const Battlefield& field, const Vec2& position) {
    Vec2 out = position;
    push_out(field.ground(), out);
    return square_length(out - position) > kWallSlack * kWallSlack;
}

/// Whether speed and heading fit the rules: a tank drives where its hull points.
bool drives_ahead(const Tank& tank, const Pose& pose) {
    const Vec2 velocity{pose.velocity.x, pose.velocity.y};
    const Vec2 aside = velocity - direction(tank.hull) * tank.speed;
    return square_length(aside) <= kRoundingSlack * kRoundingSlack &&
           tank.speed <= top_speed(tank) + kRoundingSlack && tank.speed >= -kReverseSpeed - kRoundingSlack;
}

}  // namespace

Battlefield::Battlefield(const Map& map) : map_{&map}, doors_(map.doors.size()) {
    for (Door& door : doors_) door.opened = kDoorSteps;
}

World world(const Battlefield& field) {
    const Map& map = field.map();
    World world;
    world.name = "panzer " + map.name;
    world.version = static_cast<std::uint32_t>(map.fingerprint());
    world.low = {0, 0, 0};
    world.high = {map.width(), map.height(), 0};
    world.position_precision = kPositionPrecision;
    world.velocity_limit = kFastest + 1;
    world.velocity_precision = kVelocityPrecision;
    world.angle_bits = kHullBits;
    world.tick = 50ms;
    world.types = {EntityType::of<TankPayload>("tank", AdvanceFunction::with<&advance_tank>(field))};
    world.types[0].valid = ValidFunction::with<&is_possible>(field);
    return world;
}

Pose pose_of(const Tank& tank) {
    const Vec2 velocity = direction(tank.hull) * tank.speed;
    Pose pose;
    pose.position = {tank.position.x, tank.position.y, 0};
    pose.velocity = {velocity.x, velocity.y, 0};
    pose.yaw = in_degrees(tank.hull);
    return pose;
}

State state_of_tank(const Tank& tank, const Input& input, EntityTypeId type) {
    State state = state_of(pose_of(tank),
                           TankPayload{.turret = tank.turret,
                                       .armour = tank.armour,
                                       .shield = tank.shield,
                                       .team = tank.team,
                                       .fire_rate = tank.fire_rate,
                                       .gun_power = tank.gun_power,
                                       .engine = tank.engine},
                           type);
    state.input = input_bytes(input);
    return state;
}

Tank tank_of(const Pose& pose, std::span<const std::uint8_t> payload) {
    BitReader in{payload};
    TankPayload held;
    if (!read(in, held)) held = {};
    Tank tank;
    tank.position = {pose.position.x, pose.position.y};
    tank.hull = angle_of_yaw(pose.yaw);
    tank.speed = dot({pose.velocity.x, pose.velocity.y}, direction(tank.hull));
    tank.turret = held.turret;
    tank.armour = held.armour;
    tank.shield = held.shield;
    tank.team = held.team;
    tank.fire_rate = held.fire_rate;
    tank.gun_power = held.gun_power;
    tank.engine = held.engine;
    return tank;
}

std::vector<std::uint8_t> input_bytes(const Input& input) {
    std::vector<std::uint8_t> bytes((measure(input) + 7) / 8);
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

Pose advance_tank(const Battlefield& field, const Pose& pose, std::span<const std::uint8_t> payload,
                  std::span<const std::uint8_t> input, std::uint32_t ticks) {
    Tank tank = tank_of(pose, payload);
    if (!tank.alive() || ticks == 0) return pose;
    const Input keys = input_of(input);
    const Ground ground = field.ground();
    for (std::uint32_t i = 0; i < ticks * kStepsPerTick; ++i) drive(ground, tank, keys);
    return pose_of(tank);
}

bool is_possible(const Battlefield& field, const Pose& before, std::span<const std::uint8_t> payload_before,
                 const Pose& after, std::span<const std::uint8_t> payload_after, Duration elapsed) {
    const Tank from = tank_of(before, payload_before);
    const Tank to = tank_of(after, payload_after);
    if (!to.alive()) return true;  // it has given up; nothing is gained by it
    if (!drives_ahead(to, after) || is_in_wall(field, to.position)) return false;
    const auto time = static_cast<float>(seconds(elapsed + kStampSlack));
    const float reach = (kFastest + kPushSpeed) * time + kRoundingSlack;
    if (!from.alive()) return enters_at_spawn(field.map(), to, reach);
    constexpr float kStepOfAngle = 2 * 360.0F / (1U << kHullBits);
    return square_length(to.position - from.position) <= reach * reach &&
           turn(from.hull, to.hull) <= kTurnRateAtRest * time + kStepOfAngle &&
           turn(from.turret, to.turret) <= kTurretRate * time + kStepOfAngle;
}

}  // namespace fray::panzer
