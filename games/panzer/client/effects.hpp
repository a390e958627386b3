#pragma once
// What the game does not simulate, and players see: flashes, tracers, explosions, smoke, dust, track marks,
// wrecks, recoil. Derived from the moments alone: the same moments give the same effects.

#include <fray/random.hpp>

#include "games/panzer/client/moment.hpp"
#include "games/panzer/client/terrain.hpp"
#include "games/panzer/rules/ground.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fray::panzer::client {

/// How a tank looks besides its state.
struct TankMotion {
    float rolled = 0;   ///< metres, for wheels and treads
    float pitch = 0;    ///< radians; negative: the nose is down
    float recoil = 0;   ///< 0 to 1
    float shield = 0;   ///< 0 to 1: was hit
    float hit = 0;      ///< 0 to 1: was hit, shown white
    float burnt = 9;    ///< seconds since it was destroyed
    float entered = 9;  ///< seconds since it entered
    float gun_rest = 0;
    float flash_rest = 0;
    float mark_way = 0;
    float speed = 0;
    Vec2 wreck{};
    float wreck_hull = 0;
    float wreck_turret = 0;
};

struct Particle {
    enum class Kind : std::uint8_t { fire, smoke, dust, spark, flash, trail };
    Kind kind{};
    glm::vec3 position{};
    glm::vec3 velocity{};
    float size = 1;
    float grows = 0;  ///< per second
    float age = 0;
    float life = 1;
    glm::vec3 colour{1};
};
struct Tracer {
    glm::vec3 from{}, to{};
    float age = 0;
    bool is_own = false;
};
struct TrackMark {
    Vec2 place{};
    float angle = 0;
    float age = 0;
};
/// From where the own tank was hit.
struct DamageArc {
    float angle = 0;  ///< radians, in the world
    float age = 0;
};

/// For the sound: what happened since the last call of take_noises().
struct Noise {
    enum class Kind : std::uint8_t { shot, launch, explosion, hit, shield, item, destroyed, hit_confirmed };
    Kind kind{};
    Vec2 place{};
    bool is_own = false;
};

class Effects {
public:
    static constexpr float kWreckBurns = 3;  ///< seconds
    static constexpr float kMarkFades = 10;
    static constexpr float kTracerLasts = 0.14F;

    /// Both must outlive this object.
    Effects(const Map& map, const Heights& heights) : map_{&map}, heights_{&heights} {}

    /// A new moment of the game: what happened since the last one.
    void see(const Moment& moment);
    /// Time passes; `shown` is what the screen shows now.
    void advance(const Moment& shown, float seconds);

    [[nodiscard]] std::span<const TankMotion> tanks() const { return tanks_; }
    [[nodiscard]] std::span<const Particle> particles() const { return particles_; }
    [[nodiscard]] std::span<const Tracer> tracers() const { return tracers_; }
    [[nodiscard]] std::span<const TrackMark> marks() const { return marks_; }
    [[nodiscard]] std::span<const DamageArc> arcs() const { return arcs_; }
    [[nodiscard]] float shake() const { return shake_; }            ///< metres
    [[nodiscard]] float hit_marker() const { return hit_marker_; }  ///< 1 to 0 after an own hit
    [[nodiscard]] std::vector<Noise> take_noises() { return std::exchange(noises_, {}); }

private:
    void see_tank(const Moment& moment, std::size_t number, float elapsed);
    void see_hit(const Moment& moment, std::size_t number);
    void see_shells(const Moment& moment, float elapsed);
    void shoot(const Moment& moment, std::size_t shooter);
    void flash(const Moment& moment, std::size_t shooter, float size);
    void explode(const glm::vec3& at, float size);
    void destroy(const Moment& moment, std::size_t number);
    void animate(const ShownTank& tank, TankMotion& motion, float seconds);
    void smoke_of(const ShownTank& tank, TankMotion& motion, float seconds);
    void burn(const TankMotion& motion, float seconds);
    void kick_up_dust(const ShownTank& tank, float seconds);
    void leave_marks(const ShownTank& tank, TankMotion& motion, float seconds);
    void advance_particles(float seconds);
    void add(const Particle& particle);
    [[nodiscard]] glm::vec3 raised(const Vec2& place, float height) const;
    [[nodiscard]] std::size_t likely_shooter(const Moment& moment, std::size_t target) const;
    float random(float low, float high);
    void noise(Noise::Kind kind, const Vec2& place, bool is_own) { noises_.push_back({kind, place, is_own}); }

    const Map* map_;
    const Heights* heights_;
    RandomStream random_{Seed{1}, "effects"};
    Moment last_;
    bool has_last_ = false;
    std::vector<TankMotion> tanks_;
    std::vector<Particle> particles_;
    std::vector<Tracer> tracers_;
    std::vector<TrackMark> marks_;
    std::size_t next_mark_ = 0;
    std::vector<DamageArc> arcs_;
    std::vector<Noise> noises_;
    float shake_ = 0;
    float hit_marker_ = 0;
};

}  // namespace fray::panzer::client
