#include "games/panzer/warp/links.hpp"

#include <algorithm>

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

}  // namespace

Links::Links(const Map& map, const Battle& battle)
    : map_{&map},
      layout_{.tanks = static_cast<PartNumber>(battle.tanks.size()),
              .items = static_cast<PartNumber>(battle.items.size()),
              .doors = static_cast<PartNumber>(battle.doors.size())},
      mode_{battle.mode},
      seed_{battle.seed},
      open_doors_(battle.doors.size(), Door{.opened = kDoorSteps, .hold = kDoorHold}),
      tanks_(battle.tanks.size()) {}

// --- What tanks may do in this tick -------------------------------------------------------------------

void Links::find_areas(Tick tick, Messages messages) {
    contacts_.assign(layout_.tanks, kUnknown);
    areas_.clear();
    entering_.clear();
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        const TankPart& part = tanks_[i];
        for (std::uint8_t k = 0; k < part.shell_count; ++k)
            areas_.push_back({i, part.shells[k].position, {}, 0, kShellReach, true});
        if (part.tank.alive())
            find_weapons(i, part.input);
        else if (may_enter(i, messages))
            entering_.push_back(i);
    }
    for (const Stamped<BattleMessage>& message : messages) {
        const BattleMessage& body = message.body;
        if (body.tank < layout_.tanks && tank_at(body.tank).alive()) find_weapons(body.tank, body.input);
    }
    for (const PartNumber tank : entering_) find_entry(tank, tick);
}

void Links::find_weapons(PartNumber number, const Input& input) {
    const Tank& tank = tank_at(number);
    if (input.gun && tank.gun_wait <= 1) add_shot(number, input);
    if (input.shell && tank.shell_wait <= 1)
        areas_.push_back({number, tank.position, {}, 0, kMuzzle + slack(number) + kShellReach, true});
}

/// Where a shot ends is exact unless other things push the tank first: then it may start anywhere near, and
/// fly past a wall in front of the tank.
void Links::add_shot(PartNumber number, const Input& input) {
    Tank tank = tank_at(number);
    const Vec2 before = tank.position;
    const Ground open{*map_, open_doors_};
    drive(open, tank, input);
    const Vec2 unit = direction(tank.turret);
    if (contacts(number) == 0 && !may_bump_into_door(number)) {
        const float way = free_way(open, tank.position, unit, kGunRange);
        areas_.push_back({number, tank.position, unit, way, kTankRadius + kRounding, true});
    } else {
        const float away = slack(number);
        areas_.push_back({number, before, unit, kGunRange, kTankRadius + away + kRounding, true});
    }
}

bool Links::may_enter(PartNumber tank, Messages messages) const {
    if (tank_at(tank).respawn_wait > 1) return false;
    return tanks_[tank].is_present || std::ranges::any_of(messages, [&](const auto& message) {
               return message.body.tank == tank && message.body.kind == BattleMessage::Kind::enter;
           });
}

/// The places that Rules::enter tries, up to the first that is surely free. It reads where all tanks near
/// them are.
void Links::find_entry(PartNumber number, Tick tick) {
    const std::uint8_t team = tank_at(number).team;
    const auto step = static_cast<std::uint32_t>(tick) + 1;
    for (std::uint8_t i = 0; i < kMostSpawnsTried; ++i) {
        const Spawn& spawn = spawn_tried(*map_, seed_, step, static_cast<std::uint16_t>(number), i);
        if (team != 0 && spawn.team != 0 && spawn.team != team) continue;
        const Area area{number, spawn.position, {}, 0, kSafeDistance + kRounding, false};
        if (!is_taken(area)) return;
        areas_.push_back(area);
    }
}

bool Links::is_taken(const Area& spawn) const {
    if (entering_.size() > 1) return true;
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        if (may_meet(spawn, i)) return true;
    }
    return false;
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
    if (tank_at(tank).alive()) {
        each_cell(tank, [&](std::size_t cell) {
            for (const std::uint16_t door : map_->doors_near_cell(cell)) set.add(layout_.first_door() + door);
            const std::uint16_t item = map_->item_in[cell];
            if (item != kNone && may_take(tank, item)) set.add(layout_.first_item() + item);
        });
    }
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
    const Tank& first = tank_at(a);
    const Tank& second = tank_at(b);
    if (square_length(first.position - second.position) >= kContact * kContact) return false;
    return first.alive() && second.alive();
}

bool Links::may_meet(const Area& area, PartNumber number) const {
    const Tank& tank = tank_at(number);
    if (!tank.alive()) return false;
    const float square = square_distance(tank.position, area.from, area.unit, area.way);
    const float near = area.width + kDrive;
    if (square <= near * near) return true;
    const float most = area.width + slack(number);
    return square <= most * most;
}

bool Links::may_cross(const Area& area, std::uint16_t number) const {
    if (!area.needs_doors) return false;
    const DoorPlace& door = map_->doors[number];
    const Vec2 around{area.width, area.width};
    return is_in_box(area.from, area.unit, area.way, door.low - around, door.high + around);
}

bool Links::may_take(PartNumber number, std::uint16_t item) const {
    const Tank& tank = tank_at(number);
    if (!tank.alive()) return false;
    const float most = kItemReach + slack(number) + kRounding;
    return square_length(tank.position - map_->items[item]) <= most * most;
}

/// The flag may be dropped in this tick, and be taken by a tank near the one that carried it.
bool Links::may_take_flag(PartNumber number) const {
    if (flag_.carrier == number) return true;
    const Tank& tank = tank_at(number);
    if (!tank.alive()) return false;
    const bool is_carried = flag_.carrier != kNone;
    const Vec2& place = is_carried ? tank_at(flag_.carrier).position : flag_.position;
    const float most = kFlagReach + slack(number) + (is_carried ? slack(flag_.carrier) : 0) + kRounding;
    return square_length(tank.position - place) <= most * most;
}

bool Links::may_open(PartNumber tank, std::uint16_t door) const {
    bool found = false;
    if (!tank_at(tank).alive()) return found;
    each_cell(tank, [&](std::size_t cell) {
        found = found || std::ranges::count(map_->doors_near_cell(cell), door) != 0;
    });
    return found;
}

bool Links::may_bump_into_door(PartNumber number) const {
    constexpr float kReach = kTankRadius + kDrive + kRounding;
    const Vec2& at = tank_at(number).position;
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
    const Vec2& at = tank_at(number).position;
    const CellPlace low = map_->place_of(at - Vec2{away, away});
    const CellPlace high = map_->place_of(at + Vec2{away, away});
    for (std::int32_t row = low.row; row <= high.row; ++row) {
        for (std::int32_t column = low.column; column <= high.column; ++column) {
            if (map_->contains({column, row})) visit(map_->index({column, row}));
        }
    }
}

/// How many other tanks may push this one. Counted once per tick.
std::uint32_t Links::contacts(PartNumber tank) const {
    std::uint32_t& count = contacts_[tank];
    if (count != kUnknown) return count;
    count = 0;
    for (PartNumber i = 0; i < layout_.tanks; ++i) count += i != tank && may_collide(tank, i) ? 1 : 0;
    return count;
}

/// How far from its present place a living tank may be at any time of this tick.
float Links::slack(PartNumber tank) const { return kDrive + kPush * static_cast<float>(contacts(tank)); }

}  // namespace fray::panzer
