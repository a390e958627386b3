#include "games/panzer/bots/senses.hpp"

#include "games/panzer/rules/rules.hpp"

#include <algorithm>

namespace fray::panzer {

void Senses::consider(const Vec2& from, const Vec2& at, std::size_t number) {
    const float square = square_length(at - from);
    if (square <= kViewRange * kViewRange)
        candidates_.push_back({square, static_cast<std::uint32_t>(number)});
}

void Senses::keep_nearest() {
    const auto before = [](const Candidate& a, const Candidate& b) {
        return a.square_distance != b.square_distance ? a.square_distance < b.square_distance
                                                      : a.number < b.number;
    };
    if (candidates_.size() > kMostSightings) {
        std::nth_element(candidates_.begin(), candidates_.begin() + kMostSightings, candidates_.end(),
                         before);
        candidates_.resize(kMostSightings);
    }
    std::sort(candidates_.begin(), candidates_.end(), before);
}

void Senses::see_tanks(const Battle& battle, View& view) {
    candidates_.clear();
    view.tanks.clear();
    const Vec2 eye = view.self.position;
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) {
        if (battle.tanks[i].alive() && i != view.number) consider(eye, battle.tanks[i].position, i);
    }
    keep_nearest();
    const Ground ground{*map_, battle.doors};
    for (const Candidate& candidate : candidates_) {
        if (view.tanks.size() == kMostSeen) return;
        const Tank& tank = battle.tanks[candidate.number];
        if (!sees(ground, eye, tank.position)) continue;
        view.tanks.push_back({.number = static_cast<std::uint16_t>(candidate.number),
                              .position = tank.position,
                              .velocity = direction(tank.hull) * tank.speed,
                              .turret = tank.turret,
                              .is_friend = tank.team != 0 && tank.team == view.self.team});
    }
}

void Senses::see_shells(const Battle& battle, View& view) {
    candidates_.clear();
    view.shells.clear();
    const Vec2 eye = view.self.position;
    for (std::size_t i = 0; i < battle.shells.size(); ++i) consider(eye, battle.shells[i].position, i);
    keep_nearest();
    const Ground ground{*map_, battle.doors};
    for (const Candidate& candidate : candidates_) {
        if (view.shells.size() == kMostShells) return;
        const Shell& shell = battle.shells[candidate.number];
        if (!sees(ground, eye, shell.position)) continue;
        view.shells.push_back({shell.position, shell.velocity, shell.shooter == view.number});
    }
}

void Senses::see_items(const Battle& battle, View& view) {
    candidates_.clear();
    view.items.clear();
    const Vec2 eye = view.self.position;
    for (std::size_t i = 0; i < map_->items.size(); ++i) {
        if (battle.items[i].wait == 0) consider(eye, map_->items[i], i);
    }
    keep_nearest();
    const Ground ground{*map_, battle.doors};
    for (const Candidate& candidate : candidates_) {
        if (view.items.size() == kMostItems) return;
        const Vec2& at = map_->items[candidate.number];
        if (sees(ground, eye, at)) view.items.push_back({static_cast<std::uint16_t>(candidate.number), at});
    }
}

void Senses::see_doors(const Battle& battle, View& view) {
    candidates_.clear();
    view.doors.clear();
    const Vec2 eye = view.self.position;
    for (std::size_t i = 0; i < map_->doors.size(); ++i) {
        const DoorPlace& door = map_->doors[i];
        consider(eye, (door.low + door.high) * 0.5F, i);
    }
    keep_nearest();
    const Ground ground{*map_, battle.doors};
    for (const Candidate& candidate : candidates_) {
        if (view.doors.size() == kMostDoors) return;
        const DoorPlace& door = map_->doors[candidate.number];
        // A closed door hides its own middle: a point before it is looked at.
        const Vec2 middle = (door.low + door.high) * 0.5F;
        const float distance = length(middle - eye);
        const float before = map_->cell;
        if (distance > before && !sees(ground, eye, eye + (middle - eye) * ((distance - before) / distance)))
            continue;
        const bool is_open = battle.doors[candidate.number].opened == kDoorSteps;
        view.doors.push_back({static_cast<std::uint16_t>(candidate.number), is_open});
    }
}

/// For the most that there can be at any time, so that later fillings allocate nothing.
void Senses::make_room(const Battle& battle, View& view) {
    const std::size_t shells = battle.tanks.size() * (kShellLife / kShellSteps + 1U);
    candidates_.reserve(std::max({shells, map_->items.size(), map_->doors.size()}));
    view.tanks.reserve(kMostSeen);
    view.shells.reserve(kMostShells);
    view.items.reserve(kMostItems);
    view.doors.reserve(kMostDoors);
}

void Senses::fill_view(const Battle& battle, std::uint16_t number, View& view) {
    view.step = battle.step;
    view.number = number;
    view.self = battle.tanks[number];
    make_room(battle, view);
    see_tanks(battle, view);
    see_shells(battle, view);
    see_items(battle, view);
    see_doors(battle, view);
    view.flag.reset();
    if (battle.mode == Mode::flag) view.flag = SeenFlag{battle.flag.carrier, battle.flag.position};
}

}  // namespace fray::panzer
