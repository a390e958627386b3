#include "games/panzer/warp/links.hpp"

#include <algorithm>
#include <numeric>

namespace fray::panzer {

namespace {

/// How far a tank gets in a step by driving: at full speed with the best engine, and as far again along a
/// wall that it is pushed out of.
constexpr float kDrive = 2 * kTopSpeed * (1 + kEngineStep * kMostLevel) * kStep;
/// Tanks that are this close before the step may be close enough after driving to be pushed apart.
constexpr float kContact = 2 * (Crowd::kDisc + kDrive);
/// How far one other tank can push: a radius, and a wall back by as much.
constexpr float kPush = 2 * kTankRadius;
/// More than the rounding of the rules' geometry.
constexpr float kRounding = 0.1F;
/// From the place of a shell before the step to the middle of a tank that it can hurt in the step.
constexpr float kShellReach = kShellSpeed * kStep + kBlastRadius + kTankRadius + kRounding;

/// The square of the distance from a point to a line.
float square_distance(const Vec2& point, const Vec2& from, const Vec2& unit, float way) {
    const Vec2 to = point - from;
    const float ahead = std::clamp(dot(to, unit), 0.0F, way);
    return square_length(to - unit * ahead);
}

/// Whether a line comes into a box. One axis at a time: cuts the line to the part that is in the box.
bool is_in_box(const Vec2& from, const Vec2& unit, float way, const Vec2& low, const Vec2& high) {
    float enters = 0;
    float leaves = way;
    const auto cut = [&](float start, float direction, float least, float most) {
        if (direction == 0) return start >= least && start <= most;
        const float a = (least - start) / direction;
        const float b = (most - start) / direction;
        enters = std::max(enters, std::min(a, b));
        leaves = std::min(leaves, std::max(a, b));
        return enters <= leaves;
    };
    return cut(from.x, unit.x, low.x, high.x) && cut(from.y, unit.y, low.y, high.y);
}

/// A destroyed tank is far from everything, also from other destroyed ones.
Vec2 nowhere(PartNumber tank) { return {-1e6F * static_cast<float>(tank + 1), 0}; }

}  // namespace

Links::Links(const Map& map, const Battle& battle)
    : map_{&map},
      layout_{.tanks = static_cast<PartNumber>(battle.tanks.size()),
              .items = static_cast<PartNumber>(battle.items.size()),
              .doors = static_cast<PartNumber>(battle.doors.size())},
      mode_{battle.mode},
      seed_{battle.seed},
      open_doors_(battle.doors.size(), Door{.opened = kDoorSteps, .hold = kDoorHold}),
      from_west_(battle.tanks.size()),
      tanks_(battle.tanks.size()),
      at_(battle.tanks.size()) {
    std::iota(from_west_.begin(), from_west_.end(), PartNumber{0});
}

// --- What tanks may do in this tick -------------------------------------------------------------------

/// Finds the tanks that may push each other by a sweep from west to east. The order changes little from one
/// call to the next, so that sorting takes about one comparison per tank.
void Links::find_slack() {
    const auto x = [&](PartNumber tank) { return at_[tank].x; };
    for (std::size_t i = 1; i < from_west_.size(); ++i) {
        for (std::size_t k = i; k > 0 && x(from_west_[k]) < x(from_west_[k - 1]); --k)
            std::swap(from_west_[k], from_west_[k - 1]);
    }
    slack_.assign(layout_.tanks, kDrive);
    for (std::size_t i = 0; i < from_west_.size(); ++i) {
        for (std::size_t k = i + 1; k < from_west_.size(); ++k) {
            if (x(from_west_[k]) - x(from_west_[i]) >= kContact) break;
            if (!may_collide(from_west_[i], from_west_[k])) continue;
            slack_[from_west_[i]] += kPush;
            slack_[from_west_[k]] += kPush;
        }
    }
}

void Links::find_areas(Tick tick, Messages messages) {
    for (PartNumber i = 0; i < layout_.tanks; ++i)
        at_[i] = tank_at(i).alive() ? tank_at(i).position : nowhere(i);
    find_slack();
    areas_.clear();
    entering_.clear();
    entries_.clear();
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        const TankPart& part = tanks_[i];
        for (std::uint8_t k = 0; k < part.shell_count; ++k)
            areas_.push_back({i, part.shells[k].position, {}, 0, kShellReach});
        if (part.tank.alive())
            find_weapons(i, part.input);
        else if (may_enter(i, messages))
            entering_.push_back(i);
    }
    for (const Stamped<BattleMessage>& message : messages) {
        const BattleMessage& body = message.body;
        if (body.tank < layout_.tanks && tank_at(body.tank).alive()) find_weapons(body.tank, body.input);
    }
    for (const PartNumber tank : entering_) find_entry(tank, tick, messages);
}

void Links::find_weapons(PartNumber number, const Input& input) {
    const Tank& tank = tank_at(number);
    if (input.gun && tank.gun_wait <= 1) add_shot(number, input);
    if (input.shell && tank.shell_wait <= 1)
        areas_.push_back({number, tank.position, {}, 0, kMuzzle + slack(number) + kShellReach});
}

/// Where a shot ends is exact unless other things push the tank first: then it may start anywhere near, and
/// fly past a wall in front of the tank.
void Links::add_shot(PartNumber number, const Input& input) {
    Tank tank = tank_at(number);
    const Vec2 before = tank.position;
    const Ground open{*map_, open_doors_};
    drive(open, tank, input);
    const Vec2 unit = direction(tank.turret);
    if (slack(number) == kDrive && !may_bump_into_door(number)) {
        const float way = free_way(open, tank.position, unit, kGunRange);
        areas_.push_back({number, tank.position, unit, way, kTankRadius + kRounding});
    } else {
        const float away = slack(number);
        areas_.push_back({number, before, unit, kGunRange, kTankRadius + away + kRounding});
    }
}

bool Links::may_enter(PartNumber tank, Messages messages) const {
    if (tank_at(tank).respawn_wait > 1) return false;
    return tanks_[tank].is_present || std::ranges::any_of(messages, [&](const auto& message) {
               return message.body.tank == tank && message.body.kind == BattleMessage::Kind::enter;
           });
}

/// A tank enters at the place that is farthest from its nearest enemy, of those that Rules::enter tries until
/// it has found a free one.
void Links::find_entry(PartNumber number, Tick tick, Messages messages) {
    const std::uint8_t team = tank_at(number).team;
    const auto step = static_cast<std::uint32_t>(tick) + 1;
    for (std::uint8_t i = 0; i < kMostSpawnsTried; ++i) {
        const Spawn& spawn = spawn_tried(*map_, seed_, step, static_cast<std::uint16_t>(number), i);
        if (team != 0 && spawn.team != 0 && spawn.team != team) continue;
        const bool is_free = !add_nearest(number, spawn.position, messages);
        if (is_free && entering_.size() == 1) return;
    }
}

/// Links an entering tank to all that may be the nearest to a place at the end of the tick. False if none is
/// near. Tanks farther away than one that surely lives on make no difference.
bool Links::add_nearest(PartNumber number, const Vec2& place, Messages messages) {
    const std::uint8_t team = tank_at(number).team;
    nearby_.clear();
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        const bool is_friend = team != 0 && tank_at(i).team == team;
        // A friend is only in the way.
        const float most = (is_friend ? 2 * Crowd::kDisc : kSafeDistance) + slack(i) + kRounding;
        const float square = square_length(at_[i] - place);
        if (square <= most * most) nearby_.push_back({i, std::sqrt(square), is_friend});
    }
    std::ranges::sort(nearby_, {}, [&](const Nearby& near) { return near.away + slack(near.tank); });
    const auto sure = std::ranges::find_if(
        nearby_, [&](const Nearby& near) { return !near.is_friend && surely_lives(near.tank, messages); });
    for (const Nearby& near : nearby_) {
        const float least = near.away - slack(near.tank) - kRounding;
        if (near.is_friend || sure == nearby_.end() || least <= sure->away + slack(sure->tank))
            entries_.push_back({number, near.tank});
    }
    return !nearby_.empty();
}

/// Whether nothing can destroy a living tank in this tick: no weapon, no trap, no message.
bool Links::surely_lives(PartNumber tank, Messages messages) const {
    if (std::ranges::any_of(areas_, [&](const Area& area) { return may_meet(area, tank); })) return false;
    bool is_at_item = false;
    each_cell(tank, [&](std::size_t cell) {
        const std::uint16_t item = map_->item_in[cell];
        is_at_item = is_at_item || (item != kNone && may_take(tank, item));
    });
    return !is_at_item && std::ranges::none_of(messages, [&](const auto& message) {
        return message.body.tank == tank && message.body.kind == BattleMessage::Kind::leave;
    });
}

// --- All parts that are linked to one -----------------------------------------------------------------

void Links::add_linked(PartNumber part, PartSet& set) const {
    if (part < layout_.first_item())
        add_linked_to_tank(part, set);
    else if (part < layout_.first_door())
        add_linked_to_item(static_cast<std::uint16_t>(part - layout_.first_item()), set);
    else if (part < layout_.flag())
        add_linked_to_door(static_cast<std::uint16_t>(part - layout_.first_door()), set);
    else if (mode_ == Mode::flag)
        add_linked_to_flag(set);
}

void Links::add_linked_to_tank(PartNumber tank, PartSet& set) const {
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        if (may_collide(tank, i)) set.add(i);
    }
    for (const Area& area : areas_) {
        if (area.tank == tank)
            add_linked_to_area(area, set);
        else if (may_meet(area, tank))
            set.add(area.tank);
    }
    if (std::ranges::find(entering_, tank) != entering_.end()) {
        for (const PartNumber other : entering_) set.add(other);
    }
    for (const Entry& entry : entries_) {
        if (entry.entering == tank) set.add(entry.other);
        if (entry.other == tank) set.add(entry.entering);
    }
    each_cell(tank, [&](std::size_t cell) {
        for (const std::uint16_t door : map_->doors_near_cell(cell)) set.add(layout_.first_door() + door);
        const std::uint16_t item = map_->item_in[cell];
        if (item != kNone && may_take(tank, item)) set.add(layout_.first_item() + item);
    });
    if (mode_ == Mode::flag && may_take_flag(tank)) set.add(layout_.flag());
}

void Links::add_linked_to_area(const Area& area, PartSet& set) const {
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        if (may_meet(area, i)) set.add(i);
    }
    for (PartNumber i = 0; i < layout_.doors; ++i) {
        if (may_cross(area, static_cast<std::uint16_t>(i))) set.add(layout_.first_door() + i);
    }
}

void Links::add_linked_to_item(std::uint16_t item, PartSet& set) const {
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        if (may_take(i, item)) set.add(i);
    }
}

void Links::add_linked_to_door(std::uint16_t door, PartSet& set) const {
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        if (may_open(i, door)) set.add(i);
    }
    for (const Area& area : areas_) {
        if (may_cross(area, door)) set.add(area.tank);
    }
}

void Links::add_linked_to_flag(PartSet& set) const {
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        if (may_take_flag(i)) set.add(i);
    }
}

// --- One link -----------------------------------------------------------------------------------------

bool Links::may_collide(PartNumber a, PartNumber b) const {
    return square_length(at_[a] - at_[b]) < kContact * kContact;
}

bool Links::may_meet(const Area& area, PartNumber tank) const {
    const float most = area.width + slack(tank);
    return square_distance(at_[tank], area.from, area.unit, area.way) <= most * most;
}

bool Links::may_cross(const Area& area, std::uint16_t number) const {
    const DoorPlace& door = map_->doors[number];
    const Vec2 around{area.width, area.width};
    return is_in_box(area.from, area.unit, area.way, door.low - around, door.high + around);
}

bool Links::may_take(PartNumber number, std::uint16_t item) const {
    const float most = kItemReach + slack(number) + kRounding;
    return square_length(at_[number] - map_->items[item]) <= most * most;
}

/// The flag may be dropped in this tick, and be taken by a tank near the one that carried it.
bool Links::may_take_flag(PartNumber number) const {
    if (flag_.carrier == number) return true;
    const bool is_carried = flag_.carrier != kNone;
    const Vec2& place = is_carried ? at_[flag_.carrier] : flag_.position;
    const float most = kFlagReach + slack(number) + (is_carried ? slack(flag_.carrier) : 0) + kRounding;
    return square_length(at_[number] - place) <= most * most;
}

bool Links::may_open(PartNumber tank, std::uint16_t door) const {
    bool found = false;
    each_cell(tank, [&](std::size_t cell) {
        found = found || std::ranges::count(map_->doors_near_cell(cell), door) != 0;
    });
    return found;
}

bool Links::may_bump_into_door(PartNumber number) const {
    constexpr float kReach = kTankRadius + kDrive + kRounding;
    const Vec2& at = at_[number];
    bool found = false;
    each_cell(number, [&](std::size_t cell) {
        for (const std::uint16_t door : map_->doors_near_cell(cell)) {
            const DoorPlace& place = map_->doors[door];
            found = found ||
                    is_in_box(at, {}, 0, place.low - Vec2{kReach, kReach}, place.high + Vec2{kReach, kReach});
        }
    });
    return found;
}

/// Calls visit(cell index) for every cell that the tank's middle may be in after this tick's motion. What is
/// nearer to it than kDoorReach, it may touch: that is more than a radius.
template <class Visit>
void Links::each_cell(PartNumber number, Visit&& visit) const {
    static_assert(kDoorReach > kTankRadius + kRounding);
    const float away = slack(number) + kRounding;
    const Vec2& at = at_[number];
    const CellPlace low = map_->place_of(at - Vec2{away, away});
    const CellPlace high = map_->place_of(at + Vec2{away, away});
    for (std::int32_t row = low.row; row <= high.row; ++row) {
        for (std::int32_t column = low.column; column <= high.column; ++column) {
            if (map_->contains({column, row})) visit(map_->index({column, row}));
        }
    }
}

}  // namespace fray::panzer
