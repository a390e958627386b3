#include "lab/workloads/tank_crowd.hpp"

#include "games/panzer/rules/map_text.hpp"

#include <algorithm>
#include <string>

namespace fray::lab {
namespace {

using panzer::Tank;

constexpr std::size_t kFieldCells = 32;  // of 16 m
constexpr float kFieldMargin = 24;       // metres that a goal keeps away from the border
constexpr float kGoalReached = 12;
constexpr float kCarrierCircle = 30;
constexpr float kAimWeight = 1.25F;  // weight of the aim

panzer::Map open_map() {
    std::string text = "map crowd\ncell 16\ngrid\n";
    for (std::size_t row = 0; row < kFieldCells; ++row) {
        const bool is_border = row == 0 || row + 1 == kFieldCells;
        text += is_border ? std::string(kFieldCells, 'H') : "H" + std::string(kFieldCells - 2, '.') + "H";
        text += '\n';
    }
    text.replace(text.find('.'), 1, "s");
    return panzer::parse_map(text + "end\n", "open field").value();
}

panzer::Vec2 any_place(const OpenField& field, RandomStream& choice) {
    const double span = static_cast<double>(field.width() - 2 * kFieldMargin);
    return {kFieldMargin + static_cast<float>(choice.uniform() * span),
            kFieldMargin + static_cast<float>(choice.uniform() * span)};
}

/// Towards a direction: full lock if it is far off.
std::int8_t steer_towards(const Tank& tank, panzer::Angle wanted) {
    constexpr int kPerStep = 512;  // of an angle, about 3 degrees
    const int turn = panzer::turn_between(tank.hull, wanted) / kPerStep;
    return static_cast<std::int8_t>(std::clamp<int>(turn, -panzer::kFull, panzer::kFull));
}

}  // namespace

OpenField::OpenField() : map_{open_map()}, field_{map_} {}

TankCrowd::Driver& TankCrowd::driver(PeerIndex index) {
    if (index >= drivers_.size()) drivers_.resize(index + std::size_t{1});
    auto& slot = drivers_[index];
    if (slot) return *slot;
    slot.emplace(Driver{.tank = {}, .keys = {}, .goal = {}, .choice = {seed_, "tank", index}});
    Driver& who = *slot;
    who.tank.armour = panzer::kFullArmour;
    who.tank.position = any_place(field_, who.choice);
    who.tank.hull = static_cast<panzer::Angle>(who.choice.below(65536));
    who.goal = any_place(field_, who.choice);
    return who;
}

void TankCrowd::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    Driver& who = driver(index);
    const auto entity = swarm.publish(index, panzer::state_of_tank(who.tank, who.keys));
    FRAY_ASSERT(entity);
    who.entity = *entity;
    who.framed = swarm.now();
}

void TankCrowd::frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    Driver& who = driver(index);
    steer(index, who);
    const panzer::Ground ground = field_.ground();
    for (std::uint32_t i = 0; i < panzer::kStepsPerTick; ++i) panzer::drive(ground, who.tank, who.keys);
    who.framed = swarm.now();
    const auto updated = swarm.update(index, who.entity, panzer::state_of_tank(who.tank, who.keys));
    FRAY_ASSERT(updated);
    if (gaze_ == Gaze::carrier && index != 0) look(swarm, index, now, peer);
}

void TankCrowd::steer(PeerIndex index, Driver& who) const {
    const panzer::Vec2 way = who.goal - who.tank.position;
    if (panzer::length(way) < kGoalReached) who.goal = any_place(field_, who.choice);
    if (gaze_ == Gaze::carrier && index == 0) {
        const panzer::Vec2 middle{field_.width() / 2, field_.width() / 2};
        const auto turn = static_cast<float>(seconds(who.framed)) * 0.4F;
        who.goal = middle + panzer::direction(panzer::degrees(turn * 57)) * kCarrierCircle;
    }
    const panzer::Angle wanted = panzer::angle_of(way);
    who.keys.steer = steer_towards(who.tank, wanted);
    who.keys.throttle = panzer::kFull;
    who.keys.aim = panzer::sent_aim(wanted);
}

/// At the first tank, where the screen shows it, as a sniper: those beside it hardly count.
void TankCrowd::look(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) const {
    const Driver& who = *drivers_[index];
    const auto target = entity(0);
    const auto shown = target ? peer.replica(now, *target) : std::nullopt;
    if (!shown) return;
    const panzer::Vec2 place{shown->pose.position.x, shown->pose.position.y};
    const panzer::Vec2 way = place - who.tank.position;
    const AttentionWeights weights{
        .proximity = 0, .aim = kAimWeight, .look = Look{.yaw = panzer::in_degrees(panzer::angle_of(way))}};
    FRAY_ASSERT(set_attention(swarm, index, weights));
}

std::optional<EntityId> TankCrowd::entity(PeerIndex index) const {
    if (index >= drivers_.size() || !drivers_[index]) return std::nullopt;
    return drivers_[index]->entity;
}

std::optional<Vec3> TankCrowd::truth(PeerIndex index, Duration at) const {
    if (index >= drivers_.size() || !drivers_[index]) return std::nullopt;
    const Driver& who = *drivers_[index];
    const auto since = static_cast<float>(seconds(at - who.framed));
    const panzer::Vec2 place =
        who.tank.position + panzer::direction(who.tank.hull) * (who.tank.speed * since);
    return Vec3{place.x, place.y, 0};
}

}  // namespace fray::lab
