#include "lab/workloads/movement.hpp"

#include "core/math.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {
namespace {

Vec3 direction_of(double radians) {
    return {static_cast<float>(math::cos(radians)), static_cast<float>(math::sin(radians)), 0};
}

/// One axis of a step at the border: the new position, and whether the direction reverses.
bool reflect(float& to, float extent) {
    if (to >= 0 && to <= extent) return false;
    to = std::clamp(to < 0 ? -to : 2 * extent - to, 0.0F, extent);
    return true;
}

Vec3 somewhere_around(const Vec3& centre, double radius, RandomStream& random) {
    while (true) {  // four of five draws lie in the circle
        const double x = random.uniform(-1, 1);
        const double y = random.uniform(-1, 1);
        if (x * x + y * y <= 1)
            return centre + Vec3{static_cast<float>(x * radius), static_cast<float>(y * radius), 0};
    }
}

}  // namespace

Map::Map(const MovementOptions& chosen, Seed seed, std::vector<Track> recorded)
    : options{chosen}, tracks{std::move(recorded)} {
    RandomStream random{seed, "hotspots"};
    // Circles lie completely inside: otherwise some hotspots would be denser than others.
    const auto margin = options.area.wraps ? 0.0 : options.hotspot_radius;
    for (std::uint32_t i = 0; i < options.hotspots; ++i) {
        const double x = random.uniform(margin, double{options.area.width} - margin);
        const double y = random.uniform(margin, double{options.area.height} - margin);
        hotspots.push_back({static_cast<float>(x), static_cast<float>(y), 0});
    }
}

Movement::Movement(const Map& map, RandomStream random) : map_{&map}, random_{random} {
    const MovementOptions& options = map.options;
    position_ = {static_cast<float>(random_.uniform(0, double{options.area.width})),
                 static_cast<float>(random_.uniform(0, double{options.area.height})), 0};
    if (options.hotspots > 0) {
        hotspot_ = random_.below(options.hotspots);
        position_ =
            options.area.inside(somewhere_around(map.hotspots[hotspot_], options.hotspot_radius, random_));
        stay_ = random_.uniform(0, options.stay_rounds);
    }
    turn();
    plan_step();
}

Movement::Movement(const Map& map, const Track& track, std::uint32_t round)
    : map_{&map}, random_{Seed{}, "recorded players draw nothing"}, track_{&track}, round_{round} {
    position_ = map.options.area.inside(track[std::min<std::size_t>(round, track.size() - 1)]);
    plan_recorded_step();
}

void Movement::turn() { direction_ = direction_of(random_.uniform(0, 2 * math::kPi)); }

double Movement::draw_stay() {
    return random_.uniform(map_->options.stay_rounds / 2, map_->options.stay_rounds * 3 / 2);
}

void Movement::choose_hotspot() {
    if (map_->options.hotspots > 1) {
        const std::uint32_t other = random_.below(map_->options.hotspots - 1);
        hotspot_ = other + (other >= hotspot_ ? 1 : 0);
    }
    stay_ = draw_stay();
}

bool Movement::near_hotspot(const Vec3& point) const {
    return map_->options.area.distance(point, map_->hotspots[hotspot_]) <=
           static_cast<float>(map_->options.hotspot_radius);
}

void Movement::advance() {
    position_ = map_->options.area.inside(position_ + step_);
    if (track_ == nullptr) return plan_step();
    ++round_;
    plan_recorded_step();
}

void Movement::plan_recorded_step() {
    step_ = finished() ? Vec3{} : map_->options.area.inside((*track_)[round_ + 1]) - position_;
}

void Movement::plan_step() {
    const MovementOptions& options = map_->options;
    const double length = random_.uniform(options.step_least, options.step_most);
    if (random_.chance(options.turn_probability)) turn();
    if (options.hotspots == 0) return plan_random_step(length);
    if (near_hotspot(position_)) {
        stay_ -= 1;
        if (stay_ > 0) return plan_roaming_step(length);
        choose_hotspot();
    }
    // On the way: moves towards the hotspot until it is inside its circle.
    const Vec3 way = options.area.between(position_, map_->hotspots[hotspot_]);
    const float left = fray::length(way);
    if (left > 0) direction_ = way * (1 / left);
    step_ = direction_ * static_cast<float>(length);
}

void Movement::plan_random_step(double length) {
    const Area& area = map_->options.area;
    step_ = direction_ * static_cast<float>(length);
    if (area.wraps) return;
    Vec3 to = position_ + step_;
    if (map_->options.border == Border::reflect) {
        if (reflect(to.x, area.width)) direction_.x = -direction_.x;
        if (reflect(to.y, area.height)) direction_.y = -direction_.y;
    }
    step_ = area.inside(to) - position_;
}

void Movement::plan_roaming_step(double length) {
    const Area& area = map_->options.area;
    constexpr int kTries = 8;  // from the rim of the circle, about half of all directions lead into it
    for (int i = 0; i < kTries; ++i) {
        step_ = direction_ * static_cast<float>(length);
        if (near_hotspot(area.inside(position_ + step_))) break;
        turn();
    }
    if (!near_hotspot(area.inside(position_ + step_))) {
        const Vec3 back = area.between(position_, map_->hotspots[hotspot_]);
        const float far = fray::length(back);
        step_ = far > 0 ? back * (std::min(static_cast<float>(length), far) / far) : Vec3{};
    }
    if (!area.wraps) step_ = area.inside(position_ + step_) - position_;
}

}  // namespace fray::lab
