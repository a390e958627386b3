#pragma once
// Which parts of a battle may read or write each other in one tick. Geometry on the values before the tick,
// with bounds on what the tick can do; too many links cost time, a missing one would be an error.

#include "games/panzer/warp/battle_part.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fray::panzer {

class Links {
public:
    /// The map must outlive the links.
    Links(const Map& map, const Battle& battle);

    /// Adds to the set all that its members may touch, directly or through others. at(part): its value before
    /// the tick.
    template <class At>
    void close(Tick tick, std::span<const Stamped<BattleMessage>> messages, At&& at, PartSet& set) {
        for (PartNumber i = 0; i < layout_.tanks; ++i) tanks_[i] = std::get<TankPart>(at(i));
        if (mode_ == Mode::flag) flag_ = std::get<Flag>(at(layout_.flag()));
        find_areas(tick, messages);
        for (std::size_t i = 0; i < set.size() && !set.has_all(); ++i) add_linked(set.members()[i], set);
    }

private:
    /// What a tank's gun or shell may touch in this tick: all within `width` of a line.
    struct Area {
        PartNumber tank;
        Vec2 from;
        Vec2 unit;
        float way;
        float width;
    };
    /// A tank that may enter in this tick, and one whose place decides where.
    struct Entry {
        PartNumber entering;
        PartNumber other;
    };
    struct Nearby {
        PartNumber tank;
        float away;
        bool is_friend;
    };
    using Messages = std::span<const Stamped<BattleMessage>>;

    void find_slack();
    void find_areas(Tick tick, Messages messages);
    void find_weapons(PartNumber tank, const Input& input);
    void add_shot(PartNumber tank, const Input& input);
    void find_entry(PartNumber tank, Tick tick, Messages messages);
    bool add_nearest(PartNumber entering, const Vec2& place, Messages messages);
    [[nodiscard]] bool may_enter(PartNumber tank, Messages messages) const;
    [[nodiscard]] bool surely_lives(PartNumber tank, Messages messages) const;

    void add_linked(PartNumber part, PartSet& set) const;
    void add_linked_to_tank(PartNumber tank, PartSet& set) const;
    void add_linked_to_area(const Area& area, PartSet& set) const;
    void add_linked_to_item(std::uint16_t item, PartSet& set) const;
    void add_linked_to_door(std::uint16_t door, PartSet& set) const;
    void add_linked_to_flag(PartSet& set) const;

    [[nodiscard]] bool may_collide(PartNumber a, PartNumber b) const;
    [[nodiscard]] bool may_meet(const Area& area, PartNumber tank) const;
    [[nodiscard]] bool may_cross(const Area& area, std::uint16_t door) const;
    [[nodiscard]] bool may_take(PartNumber tank, std::uint16_t item) const;
    [[nodiscard]] bool may_take_flag(PartNumber tank) const;
    [[nodiscard]] bool may_open(PartNumber tank, std::uint16_t door) const;
    [[nodiscard]] bool may_bump_into_door(PartNumber tank) const;
    template <class Visit>
    void each_cell(PartNumber tank, Visit&& visit) const;

    [[nodiscard]] float slack(PartNumber tank) const { return slack_[tank]; }
    [[nodiscard]] const Tank& tank_at(PartNumber tank) const { return tanks_[tank].tank; }

    const Map* map_;
    PartLayout layout_;
    Mode mode_;
    Seed seed_;
    std::vector<Door> open_doors_;
    std::vector<PartNumber> from_west_;  // all tanks

    // Of the tick that is looked at.
    std::vector<TankPart> tanks_;
    std::vector<Vec2> at_;      // by tank
    std::vector<float> slack_;  // by tank: how far from its place it may be at any time of the tick
    Flag flag_;
    std::vector<Area> areas_;
    std::vector<PartNumber> entering_;
    std::vector<Entry> entries_;
    std::vector<Nearby> nearby_;  // to a place where a tank may enter
};

}  // namespace fray::panzer
