#pragma once
// Turns what the screen shows into instances, sprites and beams.

#include "games/panzer/client/effects.hpp"
#include "games/panzer/client/moment.hpp"
#include "games/panzer/client/picture.hpp"
#include "games/panzer/client/terrain.hpp"

#include <cstddef>
#include <cstdint>

namespace fray::panzer::client {

/// Rotation and place of something that stands on the ground.
struct Stand {
    glm::mat3 axes{1};  ///< columns: ahead, left, up
    glm::vec3 place{};
};
[[nodiscard]] Stand stand_on(const Heights& heights, const Vec2& place, float yaw, float pitch);
[[nodiscard]] std::uint32_t tank_colour(const Moment& moment, std::size_t number);

class Scene {
public:
    /// Both must outlive the scene.
    Scene(const Map& map, const Heights& heights) : map_{&map}, heights_{&heights} {}

    /// Tanks beyond `sight` metres from the camera are left out.
    void build(const Moment& moment, const Effects& effects, const Camera& camera, float sight,
               Picture& picture) const;

private:
    void add_tank(const Moment& moment, const Effects& effects, std::size_t number, Picture& picture) const;
    void add_running_gear(const Stand& stand, const TankMotion& motion, const glm::vec3& colour,
                          Picture& picture) const;
    void add_turret(const Stand& stand, float turn, float recoil, const glm::vec3& colour, bool is_own,
                    Picture& picture) const;
    void add_things(const Moment& moment, Picture& picture) const;
    void add_flag(const Moment& moment, float turn, Picture& picture) const;
    static void add_particle(const Particle& particle, Picture& picture);
    void add_particles(const Effects& effects, Picture& picture) const;

    const Map* map_;
    const Heights* heights_;
};

}  // namespace fray::panzer::client
