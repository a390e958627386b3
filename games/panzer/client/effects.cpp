#include "games/panzer/client/effects.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/models.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace fray::panzer::client {

namespace {

constexpr std::size_t kMostParticles = 1500;
constexpr std::size_t kMostMarks = 1400;
constexpr float kMarkEvery = 0.55F;  // metres
constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

Vec2 unit_of(float radians) { return {std::cos(radians), std::sin(radians)}; }
float decayed(float value, float seconds, float lasts) { return std::max(0.0F, value - seconds / lasts); }
float gun_seconds(const ShownTank& tank) {
    return static_cast<float>(kGunSteps - kGunSteps * tank.fire_rate / 6) * kStep;
}

}  // namespace

float Effects::random(float low, float high) {
    return low + (high - low) * static_cast<float>(random_.below(65536)) / 65535.0F;
}

glm::vec3 Effects::raised(const Vec2& place, float height) const {
    return {place.x, place.y, heights_->at(place) + height};
}

void Effects::add(const Particle& particle) {
    if (particles_.size() < kMostParticles) particles_.push_back(particle);
}

// --- what happened ---

void Effects::see(const Moment& moment) {
    tanks_.resize(std::max(tanks_.size(), moment.tanks.size()));
    const auto elapsed = static_cast<float>(moment.at - last_.at);
    // After a jump in time, as in a recording, nothing is known of what happened between.
    const bool follows = has_last_ && elapsed > 0 && elapsed < 0.6F;
    if (follows) {
        see_shells(moment, elapsed);
        for (std::size_t i = 0; i < std::min(last_.tanks.size(), moment.tanks.size()); ++i)
            see_tank(moment, i, elapsed);
    }
    last_ = moment;
    has_last_ = true;
}

void Effects::see_tank(const Moment& moment, std::size_t number, float elapsed) {
    const ShownTank& before = last_.tanks[number];
    const ShownTank& now = moment.tanks[number];
    TankMotion& motion = tanks_[number];
    motion.gun_rest = std::max(0.0F, motion.gun_rest - elapsed);
    if (before.alive() && !now.alive()) {
        // A tank that leaves the session ends without a last hit: it does not matter here.
        destroy(moment, number);
        return;
    }
    if (!before.alive() && now.alive()) {
        motion.entered = 0;
        motion.burnt = 9;
        return;
    }
    if (!now.alive()) return;
    const bool reloads = now.gun_wait > before.gun_wait;
    if (reloads || (now.fires && motion.gun_rest <= 0 && now.gun_wait == 0)) {
        motion.gun_rest = gun_seconds(now);
        shoot(moment, number);
    }
    if (now.shell_wait > before.shell_wait && number == moment.own)
        noise(Noise::Kind::launch, now.position, true);
    if (now.armour + now.shield < before.armour + before.shield) see_hit(moment, number);
    const bool gained =
        now.armour > before.armour || now.shield > before.shield ||
        now.gun_power + now.fire_rate + now.engine > before.gun_power + before.fire_rate + before.engine;
    if (gained && number == moment.own) noise(Noise::Kind::item, now.position, true);
}

std::size_t Effects::likely_shooter(const Moment& moment, std::size_t target) const {
    std::size_t best = kNobody;
    float best_error = 0.12F;  // radians
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        const ShownTank& other = moment.tanks[i];
        if (i == target || !other.alive()) continue;
        const Vec2 way = moment.tanks[target].position - other.position;
        if (square_length(way) > kGunRange * kGunRange) continue;
        const float error =
            std::abs(std::remainder(std::atan2(way.y, way.x) - other.turret, 2 * std::numbers::pi_v<float>));
        if (error < best_error) {
            best = i;
            best_error = error;
        }
    }
    return best;
}

void Effects::see_hit(const Moment& moment, std::size_t number) {
    const ShownTank& tank = moment.tanks[number];
    TankMotion& motion = tanks_[number];
    const bool by_shield = tank.shield < last_.tanks[number].shield;
    motion.hit = 1;
    if (by_shield) motion.shield = 1;
    const std::size_t shooter = likely_shooter(moment, number);
    noise(by_shield ? Noise::Kind::shield : Noise::Kind::hit, tank.position, number == moment.own);
    for (int i = 0; i < 7; ++i) {
        const float turn = random(0, 6.28F);
        add({Particle::Kind::spark,
             raised(tank.position, 1.2F),
             {std::cos(turn) * random(2, 7), std::sin(turn) * random(2, 7), random(2, 6)},
             0.12F,
             0,
             0,
             random(0.25F, 0.5F),
             rgb(look::kFlash)});
    }
    if (shooter != kNobody) {
        const Vec2 way = moment.tanks[shooter].position - tank.position;
        if (number == moment.own) arcs_.push_back({std::atan2(way.y, way.x), 0});
        // Of tanks whose trigger is not known (in a recording), a hit is all there is to see.
        if (shooter != moment.own && tanks_[shooter].flash_rest <= 0) shoot(moment, shooter);
        if (shooter == moment.own && tanks_[shooter].gun_rest > 0) {
            hit_marker_ = 1;
            noise(Noise::Kind::hit_confirmed, tank.position, true);
        }
    }
    if (number == moment.own) shake_ = std::max(shake_, 0.12F);
}

void Effects::flash(const Moment& moment, std::size_t shooter, float size) {
    const ShownTank& tank = moment.tanks[shooter];
    TankMotion& motion = tanks_[shooter];
    const Vec2 ahead = unit_of(tank.turret);
    const glm::vec3 muzzle =
        raised(tank.position + ahead * TankShape::kMuzzleX, TankShape::kTurretZ + TankShape::kBarrelZ);
    motion.recoil = 1;
    motion.flash_rest = 0.3F;
    add({Particle::Kind::flash, muzzle, {}, size, 0, 0, 0.09F, rgb(look::kFlash)});
    for (int i = 0; i < 4; ++i)
        add({Particle::Kind::smoke,
             muzzle,
             {ahead.x * random(1, 5) + random(-1, 1), ahead.y * random(1, 5) + random(-1, 1),
              random(0.2F, 1)},
             0.25F,
             1.1F,
             0,
             random(0.3F, 0.7F),
             rgb(0xD8D2C4)});
}

void Effects::shoot(const Moment& moment, std::size_t shooter) {
    const ShownTank& tank = moment.tanks[shooter];
    const Vec2 ahead = unit_of(tank.turret);
    // Doors are not known as the rules hold them: tracers end at walls and at tanks.
    const std::vector<Door> open(map_->doors.size(), Door{.opened = kDoorSteps, .hold = 0});
    float way = free_way({*map_, open}, tank.position, ahead, kGunRange);
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        if (i != shooter && moment.tanks[i].alive())
            way = std::min(way, way_to_tank(tank.position, ahead, moment.tanks[i].position, way));
    }
    flash(moment, shooter, 1.1F);
    const Vec2 end = tank.position + ahead * way;
    constexpr float height = TankShape::kTurretZ + TankShape::kBarrelZ;
    tracers_.push_back({raised(tank.position + ahead * TankShape::kMuzzleX, height),
                        raised(end, height - 0.3F), 0, shooter == moment.own});
    if (way < kGunRange - 1) {
        for (int i = 0; i < 5; ++i)
            add({Particle::Kind::dust,
                 raised(end, height - 0.3F),
                 {random(-2, 2) - ahead.x * 2, random(-2, 2) - ahead.y * 2, random(0, 2)},
                 0.2F,
                 0.9F,
                 0,
                 random(0.3F, 0.6F),
                 rgb(0xBCB09A)});
    }
    noise(Noise::Kind::shot, tank.position, shooter == moment.own);
    if (shooter == moment.own) shake_ = std::max(shake_, 0.05F);
}

void Effects::see_shells(const Moment& moment, float elapsed) {
    const auto is_near = [](const ShownShell& a, const Vec2& b) {
        constexpr float kNear = 2.5F;
        return square_length(a.position - b) < kNear * kNear;
    };
    for (const ShownShell& old : last_.shells) {
        const Vec2 now = old.position + unit_of(old.heading) * (kShellSpeed * elapsed);
        const bool flies = std::ranges::any_of(
            moment.shells, [&](const ShownShell& s) { return s.shooter == old.shooter && is_near(s, now); });
        if (flies) continue;
        const Vec2 half = old.position + unit_of(old.heading) * (kShellSpeed * elapsed / 2);
        explode(raised(half, 0.9F), 1.0F);
        noise(Noise::Kind::explosion, half, old.shooter == moment.own);
    }
    for (const ShownShell& shell : moment.shells) {
        if (shell.shooter >= moment.tanks.size() || tanks_[shell.shooter].flash_rest > 0) continue;
        const Vec2 way = shell.position - moment.tanks[shell.shooter].position;
        constexpr float kJustFired = kMuzzle + kShellSpeed * 0.06F;
        if (square_length(way) < kJustFired * kJustFired) {
            flash(moment, shell.shooter, 1.5F);
            if (shell.shooter != moment.own) noise(Noise::Kind::launch, shell.position, false);
        }
    }
}

void Effects::explode(const glm::vec3& at, float size) {
    add({Particle::Kind::flash, at, {}, 3.6F * size, 0, 0, 0.14F, rgb(look::kFlash)});
    for (int i = 0; i < 12; ++i) {
        const float turn = random(0, 6.28F);
        const float out = random(1, 6) * size;
        add({Particle::Kind::fire,
             at + glm::vec3{random(-0.5F, 0.5F), random(-0.5F, 0.5F), random(-0.2F, 0.6F)},
             {std::cos(turn) * out, std::sin(turn) * out, random(1, 5) * size},
             random(0.5F, 1.0F) * size,
             1.6F,
             0,
             random(0.35F, 0.7F),
             rgb(look::kFire)});
    }
    for (int i = 0; i < 10; ++i) {
        const float turn = random(0, 6.28F);
        add({Particle::Kind::smoke,
             at + glm::vec3{0, 0, 0.5F},
             {std::cos(turn) * random(0.4F, 2.5F), std::sin(turn) * random(0.4F, 2.5F), random(1, 3)},
             random(0.45F, 0.85F) * size,
             0.55F,
             0,
             random(0.8F, 1.7F),
             glm::mix(rgb(look::kSmoke), rgb(0x9A8570), random(0, 0.6F))});
        add({Particle::Kind::spark,
             at,
             {std::cos(turn) * random(4, 12), std::sin(turn) * random(4, 12), random(3, 10)},
             random(0.1F, 0.22F),
             0,
             0,
             random(0.5F, 1.0F),
             rgb(look::kFire)});
    }
    const ShownTank* own = last_.own_tank();
    if (own == nullptr) return;
    const float far = length(own->position - Vec2{at.x, at.y});
    shake_ = std::max(shake_, 0.35F * std::max(0.0F, 1 - far / 35) * size);
}

void Effects::destroy(const Moment& moment, std::size_t number) {
    const ShownTank& before = last_.tanks[number];
    TankMotion& motion = tanks_[number];
    motion.burnt = 0;
    motion.wreck = before.position;
    motion.wreck_hull = before.hull;
    motion.wreck_turret = before.turret + 0.5F;
    explode(raised(before.position, 1), 1.5F);
    noise(Noise::Kind::destroyed, before.position, number == moment.own);
    const std::size_t shooter = likely_shooter(last_, number);
    if (shooter == moment.own && shooter != kNobody) hit_marker_ = 1;
}

// --- time passes ---

void Effects::advance(const Moment& shown, float seconds) {
    for (std::size_t i = 0; i < std::min(tanks_.size(), shown.tanks.size()); ++i) {
        animate(shown.tanks[i], tanks_[i], seconds);
        smoke_of(shown.tanks[i], tanks_[i], seconds);
    }
    for (const ShownShell& shell : shown.shells) {
        if (random(0, 1) < seconds * 40)
            add({Particle::Kind::trail,
                 raised(shell.position, 1.3F),
                 {0, 0, 0.4F},
                 0.22F,
                 0.5F,
                 0,
                 0.6F,
                 rgb(0xE6DFD0)});
    }
    advance_particles(seconds);
    for (Tracer& tracer : tracers_) tracer.age += seconds;
    std::erase_if(tracers_, [](const Tracer& t) { return t.age > kTracerLasts; });
    for (TrackMark& mark : marks_) mark.age += seconds;
    for (DamageArc& arc : arcs_) arc.age += seconds;
    std::erase_if(arcs_, [](const DamageArc& arc) { return arc.age > 1.6F; });
    shake_ *= std::exp(-seconds * 7);
    hit_marker_ = decayed(hit_marker_, seconds, 0.35F);
    constexpr std::size_t kMostNoises = 64;
    if (noises_.size() > kMostNoises) noises_.clear();
}

void Effects::animate(const ShownTank& tank, TankMotion& motion, float seconds) {
    motion.rolled = std::fmod(motion.rolled + tank.speed * seconds, 1000.0F);
    const float thrust = seconds > 0 ? (tank.speed - motion.speed) / seconds : 0.0F;
    motion.speed = tank.speed;
    const float wanted = std::clamp(thrust * 0.006F, -0.09F, 0.07F);
    motion.pitch += (wanted - motion.pitch) * (1 - std::exp(-seconds * 9));
    motion.recoil = decayed(motion.recoil, seconds, 0.35F);
    motion.flash_rest = decayed(motion.flash_rest, seconds, 1);
    motion.shield = decayed(motion.shield, seconds, 0.5F);
    motion.hit = decayed(motion.hit, seconds, 0.18F);
    motion.burnt += seconds;
    motion.entered += seconds;
}

void Effects::smoke_of(const ShownTank& tank, TankMotion& motion, float seconds) {
    if (!tank.alive()) return burn(motion, seconds);
    kick_up_dust(tank, seconds);
    leave_marks(tank, motion, seconds);
}

void Effects::burn(const TankMotion& motion, float seconds) {
    if (motion.burnt > kWreckBurns) return;
    const glm::vec3 at = raised(motion.wreck, 1.0F) + glm::vec3{random(-0.8F, 0.8F), random(-0.8F, 0.8F), 0};
    if (random(0, 1) < seconds * 22)
        add({Particle::Kind::fire,
             at,
             {0, 0, random(1.5F, 3)},
             random(0.3F, 0.6F),
             0.4F,
             0,
             random(0.3F, 0.6F),
             rgb(look::kFire)});
    if (random(0, 1) < seconds * 12)
        add({Particle::Kind::smoke,
             at + glm::vec3{0, 0, 0.8F},
             {0.5F, 0.2F, random(2, 3)},
             random(0.4F, 0.8F),
             0.8F,
             0,
             random(1.2F, 2.2F),
             rgb(0x4A4038)});
}

void Effects::kick_up_dust(const ShownTank& tank, float seconds) {
    const Vec2 back = unit_of(tank.hull);
    const float speed = std::abs(tank.speed);
    if (random(0, 1) < seconds * speed * 1.1F) {
        const float side = random(0, 1) < 0.5F ? -1.2F : 1.2F;
        const Vec2 at =
            tank.position - back * (1.7F * (tank.speed < 0 ? -1.0F : 1.0F)) + Vec2{-back.y, back.x} * side;
        add({Particle::Kind::dust,
             raised(at, 0.2F),
             {random(-0.5F, 0.5F), random(-0.5F, 0.5F), random(0.3F, 1)},
             random(0.15F, 0.35F),
             0.8F,
             0,
             random(0.5F, 1.1F),
             rgb(0xD8C8A0)});
    }
    constexpr std::int16_t kSmokes = 40;
    if (tank.armour < kSmokes && random(0, 1) < seconds * 9)
        add({Particle::Kind::smoke,
             raised(tank.position - back * 1.2F, 1.3F),
             {0.3F, 0.2F, random(1, 2)},
             0.25F,
             0.6F,
             0,
             random(0.8F, 1.4F),
             rgb(0x5A5048)});
}

void Effects::leave_marks(const ShownTank& tank, TankMotion& motion, float seconds) {
    const Vec2 back = unit_of(tank.hull);
    motion.mark_way += std::abs(tank.speed) * seconds;
    if (motion.mark_way < kMarkEvery) return;
    motion.mark_way = 0;
    for (const float side : {-TankShape::kTreadY, TankShape::kTreadY}) {
        const TrackMark mark{tank.position + Vec2{-back.y, back.x} * side, tank.hull, 0};
        if (marks_.size() < kMostMarks)
            marks_.push_back(mark);
        else
            marks_[next_mark_++ % kMostMarks] = mark;
    }
}

void Effects::advance_particles(float seconds) {
    for (Particle& particle : particles_) {
        particle.age += seconds;
        particle.position += particle.velocity * seconds;
        particle.size += particle.grows * seconds;
        if (particle.kind == Particle::Kind::spark)
            particle.velocity.z -= 14 * seconds;
        else
            particle.velocity *= std::exp(-seconds * 1.8F);
        particle.position.z = std::max(particle.position.z, 0.05F);
    }
    std::erase_if(particles_, [](const Particle& p) { return p.age >= p.life; });
}

}  // namespace fray::panzer::client
