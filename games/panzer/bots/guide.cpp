#include "games/panzer/bots/guide.hpp"

#include "games/panzer/bots/face.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

constexpr float kLook = 0.4F;   // seconds: it drives to where the goal will be
constexpr float kBackOff = 8;   // metres; so far it backs rather than turns round
constexpr float kClose = 3;     // metres; so close it follows the track of the goal
constexpr float kAligned = 45;  // degrees
constexpr float kBend = 12;     // degrees per metre beside the track
constexpr float kMostBend = 30;
constexpr float kSlowest = 0.3F;         // metres per second; below, the goal stands
constexpr float kBeside = 100;           // degrees; farther aside it first turns, or backs
constexpr float kSteerOfStep = 1.5F;     // degrees: what a tank turns in one step
constexpr float kHurry = 0.25F;          // of the top speed: what a converging replica makes in addition
constexpr std::uint8_t kMostBehind = 8;  // shots; what is older is not replayed

Facing facing_of_tank(const Pose&, std::span<const std::uint8_t> payload) {
    return {in_degrees(tank_of({}, payload).turret), 0};
}

CountedTank counted(std::span<const std::uint8_t> payload) {
    return value_of<CountedTank>(payload).value_or(CountedTank{});
}

/// The next place on the way to a goal: the goal itself, or the corner before it.
Vec2 next_place(const TankGuide& guide, const Vec2& from, const Vec2& goal) {
    if (guide.query == nullptr || guide.query->is_straight(from, goal)) return goal;
    NavPath path;
    if (!guide.query->find_path(from, goal, path) || path.count == 0) return goal;
    return path.corners[0];
}

std::int8_t key(float share) {
    return static_cast<std::int8_t>(std::lround(std::clamp(share, -1.0F, 1.0F) * kFull));
}

/// The throttle that brings the speed to this one: keys are coarse, so it alternates between the next two.
std::int8_t throttle_for(const Tank& tank, float speed) {
    const float top = speed >= 0 ? top_speed(tank) : kReverseSpeed;
    const float level = std::clamp(speed / top, -1.0F, 1.0F) * kFull;
    const float rounded = tank.speed < speed ? std::ceil(level) : std::floor(level);
    return static_cast<std::int8_t>(rounded);
}

float degrees_between(Angle from, Angle to) {
    return static_cast<float>(turn_between(from, to)) * (360.0F / 65536);
}

Angle wanted_turret(const Tank& tank, const GuideStep& step, const ShownWorld& world, Angle told) {
    const auto& aim = step.guidance.aim;
    const auto target = aim && !step.converging ? world.shown(aim->target) : std::nullopt;
    if (!target) return told;
    const auto deviation = static_cast<std::int16_t>(aim->deviation.yaw * (65536.0F / 360));
    return bearing_of(tank.position, {target->position.x, target->position.y}, deviation);
}

/// A gun fires at most once per loading time: at multiples of it, so that the guide needs no memory.
std::uint8_t replayed(const Tank& tank, std::uint8_t shown, std::uint8_t told, const GuideStep& step) {
    const auto behind = static_cast<std::uint8_t>(told - shown);
    if (behind == 0 || behind > kMostBehind) return told;
    const Duration load = gun_steps(tank) * Duration{1'000'000} / kStepsPerSecond;
    const auto rounds = [&](SessionInstant t) { return t.time_since_epoch() / load; };
    const bool fires = rounds(step.from) != rounds(step.from + step.length);
    return static_cast<std::uint8_t>(shown + (fires ? 1 : 0));
}

/// Moves a position at most so far towards a goal, and out of walls.
void slide(const TankGuide& guide, const Vec2& goal, float most, Vec2& position) {
    const Vec2 left = goal - position;
    const float apart = length(left);
    if (apart == 0) return;
    position += left * (std::min(most, apart) / apart);
    push_out(guide.field->ground(), position);
}

Vec2 away(const Tank& tank, const Pose& goal) {
    return Vec2{goal.position.x, goal.position.y} - tank.position;
}

bool is_close(const Tank& tank, const Pose& goal) {
    return length(away(tank, goal)) < kClose &&
           std::abs(degrees_between(tank.hull, degrees(goal.yaw))) < kAligned;
}

/// Close to the goal and aligned with it: keeps its heading and speed, and bends towards its track.
Input keys_beside(const Tank& tank, const Pose& goal) {
    const Angle heading = degrees(goal.yaw);
    const Vec2 unit = direction(heading);
    const Vec2 left = away(tank, goal);
    const float goal_speed = dot({goal.velocity.x, goal.velocity.y}, unit);
    const float aside = unit.x * left.y - unit.y * left.x;  // positive: the track lies to the left
    const float bend = std::clamp(aside * kBend, -kMostBend, kMostBend) * std::clamp(goal_speed, -1.0F, 1.0F);
    Input keys;
    keys.steer = key((degrees_between(tank.hull, heading) + bend) / kSteerOfStep);
    keys.throttle = throttle_for(tank, goal_speed + dot(left, direction(tank.hull)) / kLook);
    return keys;
}

/// Converging and close: it slides to the goal, so it only turns to its heading and takes on its speed.
Input keys_beside_converging(const Tank& tank, const Pose& goal) {
    const Vec2 wish = Vec2{goal.velocity.x, goal.velocity.y} + away(tank, goal) * (1 / kLook);
    Input keys;
    keys.steer = key(degrees_between(tank.hull, degrees(goal.yaw)) / kSteerOfStep);
    keys.throttle = throttle_for(tank, dot(wish, direction(tank.hull)));
    return keys;
}

}  // namespace

State counted_state_of_tank(const Tank& tank, const Input& input, std::uint8_t shots, EntityTypeId type) {
    const State plain = state_of_tank(tank, input, type);
    State state = state_of(plain.pose, CountedTank{*plain.as<TankPayload>(), shots}, type);
    state.input = plain.input;
    return state;
}

void add_guide(World& world, const TankGuide& guide) {
    const EntityType plain = world.types[0];
    EntityType& type = world.types[0] = EntityType::of<CountedTank>(plain.name, plain.advance);
    type.valid = plain.valid;
    type.guide = GuideFunction::with<&guide_tank>(guide);
    type.facing = &facing_of_tank;
}

Input keys_towards(const TankGuide& guide, const Tank& tank, const Pose& goal) {
    const Vec2 velocity{goal.velocity.x, goal.velocity.y};
    const Angle heading = degrees(goal.yaw);
    const Vec2 place = Vec2{goal.position.x, goal.position.y} + velocity * kLook;
    const float goal_speed = dot(velocity, direction(heading));
    const Vec2 next = next_place(guide, tank.position, place);
    const Vec2 way = next - tank.position;
    const float apart = length(way);
    if (is_close(tank, goal)) return keys_beside(tank, goal);
    Input keys;
    const float ahead = degrees_between(tank.hull, angle_of(way));
    const bool backs = goal_speed < -kSlowest || (apart < kBackOff && std::abs(ahead) > kBeside);
    const float error =
        backs ? degrees_between(static_cast<Angle>(tank.hull + 0x8000), angle_of(way)) : ahead;
    keys.steer = key(error / kSteerOfStep);
    const Vec2 unit = direction(tank.hull);
    const float along = std::max((backs ? -1.0F : 1.0F) * dot(way, unit), 0.0F) / kLook;
    keys.throttle =
        throttle_for(tank, backs ? -std::min(along, kReverseSpeed) : std::min(along, top_speed(tank)));
    return keys;
}

Guided guide_tank(const TankGuide& guide, const GuideStep& step, const ShownWorld& world,
                  std::vector<std::uint8_t>& payload) {
    const CountedTank told = counted(step.told_payload);
    const CountedTank shown = counted(step.shown_payload);
    Pose pose = step.shown;
    if (told.tank.armour <= 0) {  // destroyed: it stays where it is
        pose.velocity = {};
        return {pose, false};
    }
    if (step.placed || shown.tank.armour <= 0) return {step.direct, true};
    Tank tank = tank_of(step.shown, step.told_payload);
    tank.turret = shown.tank.turret;
    const Angle turret = wanted_turret(tank, step, world, told.tank.turret);
    const Pose& goal = step.guidance.predicted;
    const Vec2 place{goal.position.x, goal.position.y};
    const Vec2 start = tank.position;
    const bool slides = step.converging && length(away(tank, goal)) < kClose;
    for (std::uint32_t i = 0; i < kStepsPerTick; ++i) {
        Input keys = slides ? keys_beside_converging(tank, goal) : keys_towards(guide, tank, goal);
        keys.aim = face(tank.turret, turret, kTurretRate);
        drive(guide.field->ground(), tank, keys);
    }
    // A converging replica is up to 25 % faster than a tank: it drifts to where it should be, around walls.
    const float most = step.top_speed * static_cast<float>(seconds(step.length));
    if (slides) tank.position = start;
    if (step.converging) slide(guide, place, slides ? most : most * kHurry / (1 + kHurry), tank.position);
    CountedTank next = told;
    next.tank.turret = tank.turret;
    next.shots = replayed(tank, shown.shots, told.shots, step);
    payload.resize((measure(next) + 7) / 8);
    BitWriter out{payload};
    write(out, next);
    out.finish();
    return {pose_of(tank), false};
}

}  // namespace fray::panzer
