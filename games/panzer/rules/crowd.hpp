#pragma once
// Finds tanks by place: a hash table of square buckets, filled anew in every step. Its cost depends on the
// number of tanks, not on the size of the map. It is scratch memory, not part of the battle's state.

#include "games/panzer/rules/tank.hpp"
#include "games/panzer/rules/units.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray::panzer {

class Crowd {
public:
    static constexpr float kBucket = 16;  ///< metres; wider than a tank, so a tank lies in at most four
    static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
    /// Tanks are pushed apart after they were entered: the margin keeps them findable.
    static constexpr float kDisc = kTankRadius + 0.5F;

    /// Empties the table and makes room for so many tanks.
    void clear(std::size_t tanks);
    /// Enters a tank into every bucket that its disc overlaps, and a margin. First calls visit(other) for
    /// each tank that is there already, some more than once: all that it may touch. At most one call per tank
    /// and clear().
    template <class Visit>
    void add(std::uint32_t tank, const Vec2& position, Visit&& visit) {
        const std::int32_t left = bucket(position.x - kDisc);
        const std::int32_t right = bucket(position.x + kDisc);
        const std::int32_t top = bucket(position.y + kDisc);
        for (std::int32_t y = bucket(position.y - kDisc); y <= top; ++y) {
            for (std::int32_t x = left; x <= right; ++x) {
                const std::uint64_t place = place_of(x, y);
                std::uint32_t& head = heads_[slot(place)];
                in_slot(head, place, visit);
                entries_[used_] = {place, tank, head};
                head = used_++;
            }
        }
    }

    /// Calls visit(tank) for each tank in the buckets that a disc overlaps; some more than once, and some
    /// that do not touch it.
    template <class Visit>
    void near(const Vec2& centre, float radius, Visit&& visit) const {
        const std::int32_t left = bucket(centre.x - radius);
        const std::int32_t right = bucket(centre.x + radius);
        const std::int32_t top = bucket(centre.y + radius);
        for (std::int32_t y = bucket(centre.y - radius); y <= top; ++y) {
            for (std::int32_t x = left; x <= right; ++x) in_bucket(x, y, visit);
        }
    }
    /// The same for the buckets that a ray crosses, nearest first. Stops where visit(tank, way) has returned
    /// a way shorter than that to the next bucket; `way` is the shortest so far.
    template <class Visit>
    float along(const Vec2& from, const Vec2& unit, float way, Visit&& visit) const;

    [[nodiscard]] std::size_t memory_bytes() const {
        return sizeof(*this) + heads_.capacity() * sizeof(heads_[0]) + entries_.capacity() * sizeof(Entry);
    }

private:
    struct Entry {
        std::uint64_t place;
        std::uint32_t tank;
        std::uint32_t next;  // in the same slot of the table
    };
    [[nodiscard]] static std::int32_t bucket(float at) { return floor_of(at * (1 / kBucket)); }
    [[nodiscard]] static std::uint64_t place_of(std::int32_t x, std::int32_t y) {
        return std::uint64_t{static_cast<std::uint32_t>(x)} << 32U | static_cast<std::uint32_t>(y);
    }
    [[nodiscard]] std::size_t slot(std::uint64_t place) const {
        return static_cast<std::size_t>((place * 0x9E3779B97F4A7C15U) >> shift_);
    }
    template <class Visit>
    void in_slot(std::uint32_t first, std::uint64_t place, Visit&& visit) const {
        for (std::uint32_t i = first; i != kNobody; i = entries_[i].next) {
            if (entries_[i].place == place) visit(entries_[i].tank);
        }
    }
    template <class Visit>
    void in_bucket(std::int32_t x, std::int32_t y, Visit&& visit) const {
        const std::uint64_t place = place_of(x, y);
        in_slot(heads_[slot(place)], place, visit);
    }
    template <class Visit>
    float across(const Vec2& from, const Vec2& unit, float way, Visit&& visit) const;

    std::vector<std::uint32_t> heads_;
    std::vector<Entry> entries_;
    std::uint32_t used_ = 0;  // entries
    unsigned shift_ = 0;
};

template <class Visit>
float Crowd::along(const Vec2& from, const Vec2& unit, float way, Visit&& visit) const {
    const Vec2 to = from + unit * way;
    const std::int32_t x = bucket(from.x);
    const std::int32_t y = bucket(from.y);
    // The way of a shell in one step is short: it hardly ever leaves a bucket.
    if (x != bucket(to.x) || y != bucket(to.y)) return across(from, unit, way, visit);
    in_bucket(x, y, [&](std::uint32_t tank) { way = visit(tank, way); });
    return way;
}

template <class Visit>
float Crowd::across(const Vec2& from, const Vec2& unit, float way, Visit&& visit) const {
    std::int32_t x = bucket(from.x);
    std::int32_t y = bucket(from.y);
    constexpr float kFar = 1e9F;
    const std::int32_t step_x = unit.x > 0 ? 1 : -1;
    const std::int32_t step_y = unit.y > 0 ? 1 : -1;
    const float per_x = unit.x == 0 ? kFar : kBucket / std::abs(unit.x);
    const float per_y = unit.y == 0 ? kFar : kBucket / std::abs(unit.y);
    float next_x =
        unit.x == 0 ? kFar : (static_cast<float>(unit.x > 0 ? x + 1 : x) * kBucket - from.x) / unit.x;
    float next_y =
        unit.y == 0 ? kFar : (static_cast<float>(unit.y > 0 ? y + 1 : y) * kBucket - from.y) / unit.y;
    for (float reached = 0; reached < way;) {
        in_bucket(x, y, [&](std::uint32_t tank) { way = visit(tank, way); });
        const bool along_x = next_x < next_y;
        reached = along_x ? next_x : next_y;
        (along_x ? next_x : next_y) += along_x ? per_x : per_y;
        (along_x ? x : y) += along_x ? step_x : step_y;
    }
    return way;
}

}  // namespace fray::panzer
