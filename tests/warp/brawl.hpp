#pragma once
// Players that look for trouble: they drive at enemies, items, doors and the flag, fire at all times, come
// and go. Messages are sent when a key changes.

#include <fray/random.hpp>

#include "games/panzer/warp/part_battle.hpp"

#include <algorithm>
#include <vector>

namespace fray::panzer {

class Brawl {
public:
    Brawl(const Map& map, Seed seed, std::size_t tanks) : map_{&map}, random_{seed, "brawl"}, goals_(tanks) {}

    /// Puts all tanks into a small part of the map, some of them into each other.
    void gather(PartBattle& game) {
        game.copy_to(battle_, 0);
        const Vec2 middle = battle_.mode == Mode::flag ? battle_.flag.position : map_->items[0];
        for (PartNumber i = 0; i < game.layout().tanks; ++i) {
            TankPart part = std::get<TankPart>(game.get(i));
            do part.tank.position = middle + anywhere(60);
            while (!map_->holds(part.tank.position) ||
                   map_->at(map_->place_of(part.tank.position)) >= Cell::concrete);
            game.set(i, part);
        }
    }

    /// Half of the tanks enter anew soon, several in the same tick.
    static void destroy_half(PartBattle& game) {
        for (PartNumber i = 0; i < game.layout().tanks; i += 2) {
            TankPart part = std::get<TankPart>(game.get(i));
            part.tank.armour = 0;
            part.tank.respawn_wait = static_cast<std::uint16_t>(20 + i / 4 * 5);
            game.set(i, part);
        }
    }

    void press(const PartBattle& game, Tick tick) {
        messages_.clear();
        game.copy_to(battle_, tick);
        for (PartNumber i = 0; i < game.layout().tanks; ++i) {
            const Tank& tank = battle_.tanks[i];
            if (random_.chance(0.02)) goals_[i] = goal(i);
            if (random_.chance(0.1)) send({.tank = i, .input = keys(tank, goals_[i])});
            if (random_.chance(0.0005)) send({.tank = i, .kind = BattleMessage::Kind::leave});
            if (!game.is_present(i) && random_.chance(0.01))
                send({.tank = i, .kind = BattleMessage::Kind::enter});
        }
    }
    [[nodiscard]] const std::vector<Stamped<BattleMessage>>& messages() const { return messages_; }

private:
    struct Goal {
        PartNumber enemy = 0;
        Vec2 place{};
        bool is_enemy = true;
    };

    void send(const BattleMessage& message) { messages_.push_back({{}, message}); }
    Vec2 anywhere(double side) {
        return {static_cast<float>(random_.uniform(-side / 2, side / 2)),
                static_cast<float>(random_.uniform(-side / 2, side / 2))};
    }
    Goal goal(PartNumber tank) {
        const Vec2 here = battle_.tanks[tank].position;
        const auto nearest = [&](const auto& places, const auto& place_of) {
            return place_of(*std::ranges::min_element(
                places, {}, [&](const auto& place) { return square_length(place_of(place) - here); }));
        };
        Goal goal{.enemy = nearest_enemy(tank)};
        const std::uint32_t choice = random_.below(6);
        goal.is_enemy = choice > 2;
        if (choice == 0) goal.place = nearest(map_->items, [](const Vec2& item) { return item; });
        if (choice == 1) goal.place = battle_.flag.position;
        if (choice == 2 && map_->doors.empty()) goal.is_enemy = true;
        if (choice == 2 && !map_->doors.empty())
            goal.place =
                nearest(map_->doors, [](const DoorPlace& door) { return (door.low + door.high) * 0.5F; });
        return goal;
    }
    PartNumber nearest_enemy(PartNumber tank) {
        PartNumber best = random_.below(static_cast<std::uint32_t>(goals_.size()));
        if (random_.chance(0.2)) return best;
        for (PartNumber i = 0; i < goals_.size(); ++i) {
            const auto away = [&](PartNumber other) {
                return square_length(battle_.tanks[other].position - battle_.tanks[tank].position);
            };
            if (i != tank && battle_.tanks[i].alive() && (best == tank || away(i) < away(best))) best = i;
        }
        return best;
    }
    Input keys(const Tank& tank, const Goal& goal) {
        const Vec2& enemy = battle_.tanks[goal.enemy].position;
        const Angle way = angle_of((goal.is_enemy ? enemy : goal.place) - tank.position);
        const std::int16_t turn = turn_between(tank.hull, way);
        Input input{.throttle = kFull, .aim = angle_of(enemy - tank.position), .gun = true};
        input.steer = turn > 0 ? kFull : static_cast<std::int8_t>(-kFull);
        if (std::abs(turn) < degrees(10)) input.steer = 0;
        if (random_.chance(0.1)) input.throttle = static_cast<std::int8_t>(-kFull);
        input.shell = random_.chance(0.3);
        return input;
    }

    const Map* map_;
    RandomStream random_;
    std::vector<Goal> goals_;
    Battle battle_;  // as seen
    std::vector<Stamped<BattleMessage>> messages_;
};

}  // namespace fray::panzer
