#pragma once
// Drives a tank to a point along the mesh. Bots use it, and replicas that are guided to a predicted position:
// it needs to know the tank, not the battle.
//
//     GoTo go_to{query};
//     go_to.start({.place = item});
//     const Drive drive = go_to.step(tank, others);   // once per step of the rules

#include "games/panzer/bots/nav_mesh.hpp"
#include "games/panzer/rules/input.hpp"
#include "games/panzer/rules/tank.hpp"

#include <cstdint>
#include <span>

namespace fray::panzer {

/// The driver's part of an Input.
struct Drive {
    std::int8_t throttle = 0;
    std::int8_t steer = 0;
    friend constexpr bool operator==(const Drive&, const Drive&) = default;
};

/// The fastest speed at which a tank's turning circle has at most this radius (metres).
[[nodiscard]] float speed_for_radius(float radius);
/// Turns towards a point and drives there, no faster than allows to meet it; in place if the point is beside
/// or behind.
[[nodiscard]] Drive drive_towards(const Tank& tank, const Vec2& point, float most_speed);

class GoTo {
public:
    struct Goal {
        Vec2 place{};
        float radius = 1.5F;  ///< metres; so close counts as arrived
        bool stop = true;     ///< brake in time to stand there, instead of driving through
        friend constexpr bool operator==(const Goal&, const Goal&) = default;
    };
    enum class State : std::uint8_t {
        idle,
        driving,
        arrived,
        unreachable,  ///< no path leads there; the tank stays
    };

    /// The query must outlive this object.
    explicit GoTo(const NavQuery& query) : query_{&query} {}

    /// Keeps the present path if the place is nearly the same.
    void start(const Goal& goal);
    void stop() { state_ = State::idle; }
    /// The keys of the coming step. `others`: tanks nearby that are to be passed, not rammed.
    [[nodiscard]] Drive step(const Tank& self, std::span<const Vec2> others = {});

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const Goal& goal() const { return goal_; }
    /// How often the tank was stuck and backed off.
    [[nodiscard]] std::uint32_t recoveries() const { return recoveries_; }

private:
    void plan(const Tank& self);
    void pass_corners(const Tank& self);
    [[nodiscard]] float allowed_speed(const Tank& self) const;
    [[nodiscard]] Vec2 around(const Tank& self, const Vec2& point, std::span<const Vec2> others) const;
    [[nodiscard]] bool is_stuck(const Tank& self, const Drive& drive);
    void begin_recovery();

    const NavQuery* query_;
    Goal goal_{};
    NavPath path_{};
    std::size_t next_ = 0;  // corner of the path
    State state_ = State::idle;
    bool has_path_ = false;
    Drive last_{};
    std::uint16_t planned_ago_ = 0;  // steps
    std::uint16_t stuck_for_ = 0;    // steps
    std::uint16_t recovering_ = 0;   // steps left
    std::uint32_t recoveries_ = 0;
    Drive recovery_{};
};

}  // namespace fray::panzer
