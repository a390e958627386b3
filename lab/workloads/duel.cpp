#include "lab/workloads/duel.hpp"

#include "lab/workloads/snagger_pair.hpp"

#include <cmath>
#include <cstring>
#include <numbers>

namespace fray::lab {

namespace {

constexpr float kRadius = 1;  // of the target: a ship is about 2 % of the screen wide
// Shots are distributed evenly over a disc of this many radii: a quarter of them hits.
constexpr float kSpread = 2;

bool hits(const Vec3& target, const Vec3& aim) { return distance(target, aim) <= kRadius; }

std::vector<std::uint8_t> to_bytes(const Vec3& aim) {
    std::vector<std::uint8_t> bytes(sizeof aim);
    std::memcpy(bytes.data(), &aim, sizeof aim);
    return bytes;
}

Vec3 aim_of(const std::vector<std::uint8_t>& bytes) {
    Vec3 aim;
    if (bytes.size() == sizeof aim) std::memcpy(&aim, bytes.data(), sizeof aim);
    return aim;
}

/// The same points for all algorithms, so that they are compared under equal conditions.
Vec3 aim_at(const Vec3& target, std::uint32_t number) {
    const double angle = number * std::numbers::pi * (3 - std::sqrt(5.0));
    const double share = std::fmod(number * std::numbers::sqrt2, 1.0);
    const double off = kSpread * kRadius * std::sqrt(share);
    return target +
           Vec3{static_cast<float>(off * std::cos(angle)), static_cast<float>(off * std::sin(angle)), 0};
}

}  // namespace

void Duel::drawn(Swarm& swarm, PeerIndex shooter, const EntityId& by, const Replica& other) {
    Player& player = players_[shooter];
    const SessionInstant now = swarm.session_time(swarm.now());
    if (pause_ == Duration{0} || now < player.next) return;
    player.next = now + pause_;
    const Vec3 aim = aim_at(other.pose.position, player.shots++);
    const auto request = swarm.interact(shooter, by, other.id, to_bytes(aim));
    if (request) player.waiting[*request] = {now, hits(other.pose.position, aim)};
}

void Duel::event(Swarm& swarm, PeerIndex index, const Event& event) {
    if (const auto* asked = std::get_if<Asked>(&event)) {
        const bool hit = hits(asked->then.pose.position, aim_of(asked->bytes));
        (void)swarm.answer(index, asked->request, std::array{static_cast<std::uint8_t>(hit)});
    }
    const auto* answered = std::get_if<Answered>(&event);
    if (answered == nullptr || index >= players_.size() || !answered->answered) return;
    Player& player = players_[index];
    const auto shot = player.waiting.find(answered->request);
    if (shot == player.waiting.end()) return;
    const bool hit = !answered->bytes.empty() && answered->bytes.front() != 0;
    player.decisions.push_back({.asked = shot->second.asked,
                                .shown = swarm.session_time(swarm.now()) + kDrawing,
                                .as_seen = hit == shot->second.hits});
    player.waiting.erase(shot);
}

}  // namespace fray::lab
