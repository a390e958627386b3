#pragma once
// How players move (pSense, section 4.1): in discrete steps, one per round, on a flat area.
//
//   random    straight on, with a new direction now and then: players spread evenly
//   hotspot   to one of a few places, random steps around it for a while, then to another one: players gather
//             there and on the paths between
//   traces    as recorded players did, each along its own track
//
// Between two steps, a player glides along the next step and publishes its velocity, or it stands still and
// jumps, with zero velocity.

#include <fray/geometry.hpp>
#include <fray/random.hpp>

#include "lab/metrics/area.hpp"
#include "lab/workloads/tracks.hpp"

#include <cstdint>
#include <vector>

namespace fray::lab {

enum class Border : std::uint8_t {
    reflect,  ///< the step is mirrored at the border, and so is the direction
    wrap,     ///< the area is a torus
    stop,     ///< the player stays at the border until it turns
};

enum class Motion : std::uint8_t { glide, jump };

struct MovementOptions {
    Area area{};
    Border border = Border::reflect;
    Motion motion = Motion::glide;  ///< between two steps
    double step_least = 5;          ///< units per round; drawn evenly for every step
    double step_most = 5;
    double turn_probability = 0.1;  ///< per round: a new direction
    std::uint32_t hotspots = 0;     ///< 0: random movement
    double hotspot_radius = 100;
    double stay_rounds = 200;  ///< at a hotspot, on average; drawn evenly from 0.5 to 1.5 times this
};

/// Shared by all players of a run.
struct Map {
    MovementOptions options;
    std::vector<Vec3> hotspots;
    std::vector<Track> tracks;  ///< of recorded players; empty: no recorded movement

    Map(const MovementOptions& options, Seed seed, std::vector<Track> tracks = {});
};

class Movement {
public:
    /// Starts at a random position of the area, or around a hotspot. The map must outlive this.
    Movement(const Map& map, RandomStream random);
    /// Moves along a track of the map, starting in this round.
    Movement(const Map& map, const Track& track, std::uint32_t round);

    /// One round later: the player is at position() + step(), and its next step is known.
    void advance();
    [[nodiscard]] const Vec3& position() const { return position_; }
    /// The offset of the next advance().
    [[nodiscard]] const Vec3& step() const { return step_; }
    /// The velocity that other players can see, in units per round.
    [[nodiscard]] Vec3 velocity() const { return map_->options.motion == Motion::glide ? step_ : Vec3{}; }
    /// The track has ended: its player left then.
    [[nodiscard]] bool finished() const { return track_ != nullptr && round_ + 1 >= track_->size(); }

private:
    void plan_step();
    void plan_recorded_step();
    void plan_random_step(double length);
    void plan_roaming_step(double length);
    void turn();
    void choose_hotspot();
    [[nodiscard]] bool near_hotspot(const Vec3& point) const;
    [[nodiscard]] double draw_stay();

    const Map* map_;
    RandomStream random_;
    Vec3 position_{};
    Vec3 step_{};
    Vec3 direction_{};
    std::uint32_t hotspot_ = 0;
    double stay_ = 0;               ///< rounds left at the hotspot
    const Track* track_ = nullptr;  ///< and the player's position on it
    std::size_t round_ = 0;
};

}  // namespace fray::lab
