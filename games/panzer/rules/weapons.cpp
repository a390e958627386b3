// The part of Rules that shoots: the gun, which hits at once, and shells, which fly.

#include "games/panzer/rules/rules.hpp"

#include <algorithm>

namespace fray::panzer {

namespace {
constexpr float kBeforeWall = 0.01F;  // metres
}

float way_to_tank(const Vec2& from, const Vec2& unit, const Vec2& tank, float most) {
    const Vec2 to = tank - from;
    const float ahead = dot(to, unit);
    if (ahead <= 0) return most;
    const float aside = square_length(to) - ahead * ahead;
    constexpr float kSquare = kTankRadius * kTankRadius;
    if (aside >= kSquare) return most;
    return std::min(most, std::max(0.0F, ahead - std::sqrt(kSquare - aside)));
}

std::int16_t blast_damage(float distance) {
    // A direct hit is as far from the middle as the hull's edge.
    const float share = (kBlastRadius - std::max(distance - kTankRadius, 0.0F)) / kBlastRadius;
    return static_cast<std::int16_t>(static_cast<float>(kShellDamage) * std::max(share, 0.0F));
}

void Rules::fire(Battle& battle, std::uint16_t shooter, const Input& input) {
    Tank& tank = battle.tanks[shooter];
    if (tank.gun_wait != 0) --tank.gun_wait;
    if (tank.shell_wait != 0) --tank.shell_wait;
    if (!tank.alive()) return;
    if (input.gun && tank.gun_wait == 0) fire_gun(battle, shooter);
    if (input.shell && tank.shell_wait == 0) launch(battle, shooter);
}

void Rules::fire_gun(Battle& battle, std::uint16_t shooter) {
    Tank& tank = battle.tanks[shooter];
    tank.gun_wait = gun_steps(tank);
    ++battle.records[shooter].shots;
    const Vec2 unit = direction(tank.turret);
    std::uint16_t hit = kNone;
    const float free = free_way(ground(battle), tank.position, unit, kGunRange);
    const float way = crowd_.along(tank.position, unit, free, [&](std::uint32_t other, float most) {
        if (other == shooter || !battle.tanks[other].alive()) return most;
        const float reached = way_to_tank(tank.position, unit, battle.tanks[other].position, most);
        if (reached < most) hit = static_cast<std::uint16_t>(other);
        return reached;
    });
    report({Happening::Kind::shot, shooter, hit, 0, tank.position + unit * way});
    if (hit == kNone || !decides(hit)) return;
    ++battle.records[shooter].hits;
    hurt(battle, shooter, hit, gun_damage(tank));
}

void Rules::launch(Battle& battle, std::uint16_t shooter) {
    Tank& tank = battle.tanks[shooter];
    tank.shell_wait = kShellSteps;
    ++battle.records[shooter].shells;
    const Vec2 unit = direction(tank.turret);
    // The barrel may reach into a wall: the shell then starts in front of it.
    const float muzzle = std::max(0.0F, free_way(ground(battle), tank.position, unit, kMuzzle) - kBeforeWall);
    battle.shells.push_back({shooter, kShellLife, tank.position + unit * muzzle, unit * kShellSpeed});
    report({Happening::Kind::launch, shooter, kNone, 0, battle.shells.back().position});
}

void Rules::fly_shells(Battle& battle) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < battle.shells.size(); ++i) {
        Shell shell = battle.shells[i];
        if (fly(battle, shell)) battle.shells[kept++] = shell;
    }
    battle.shells.resize(kept);
}

void Rules::hit_own(Battle& battle, std::uint16_t shooter, std::uint16_t own, std::int16_t damage) {
    happenings_.clear();
    own_ = own;
    hurt(battle, shooter, own, damage);
}

void Rules::add_shell(Battle& battle, Shell shell, std::uint32_t late, std::uint16_t own) {
    happenings_.clear();
    own_ = own;
    fill_crowd(battle);
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(late, kShellLife); ++i) {
        if (!fly(battle, shell)) return;
    }
    battle.shells.push_back(shell);
}

/// False if the shell has exploded.
bool Rules::fly(Battle& battle, Shell& shell) {
    constexpr float kWay = kShellSpeed * kStep;
    const Vec2 unit = shell.velocity * (1 / kShellSpeed);
    static_assert(kWay < kLeastCell);
    const bool is_open = (map_->around[map_->index(map_->place_of(shell.position))] & kSolidAround) == 0;
    const float free = is_open ? kWay : free_way(ground(battle), shell.position, unit, kWay);
    const float way = crowd_.along(shell.position, unit, free, [&](std::uint32_t other, float most) {
        if (other == shell.shooter || !battle.tanks[other].alive()) return most;
        return way_to_tank(shell.position, unit, battle.tanks[other].position, most);
    });
    if (way == kWay && --shell.life != 0) {
        shell.position += unit * way;
        return true;
    }
    // Explodes in front of a wall, not inside it: the wall shields what is behind it.
    shell.position += unit * std::max(0.0F, way - kBeforeWall);
    explode(battle, shell);
    return false;
}

void Rules::explode(Battle& battle, const Shell& shell) {
    report({Happening::Kind::explosion, shell.shooter, kNone, 0, shell.position});
    // Each tank once, in the order of their numbers, however many buckets they lie in.
    constexpr float kReach = kBlastRadius + kTankRadius;
    std::uint32_t last = Crowd::kNobody;
    while (true) {
        std::uint32_t next = Crowd::kNobody;
        crowd_.near(shell.position, kReach, [&](std::uint32_t other) {
            const bool is_later = last == Crowd::kNobody || other > last;
            if (is_later && other < next) next = other;
        });
        if (next == Crowd::kNobody) return;
        last = next;
        const Tank& tank = battle.tanks[next];
        if (!tank.alive()) continue;
        const std::int16_t damage = blast_damage(length(tank.position - shell.position));
        if (damage > 0 && sees(ground(battle), shell.position, tank.position))
            hurt(battle, shell.shooter, static_cast<std::uint16_t>(next), damage);
    }
}

void Rules::hurt(Battle& battle, std::uint16_t shooter, std::uint16_t target, std::int16_t damage) {
    Tank& tank = battle.tanks[target];
    const bool is_friend = shooter != target && tank.team != 0 && tank.team == battle.tanks[shooter].team;
    if (is_friend || !tank.alive() || !decides(target)) return;
    const std::int16_t lost = take_damage(tank, damage);
    report({Happening::Kind::damage, shooter, target, lost, tank.position});
    if (!tank.alive()) destroy(battle, shooter, target);
}

void Rules::destroy(Battle& battle, std::uint16_t shooter, std::uint16_t target) {
    Tank& tank = battle.tanks[target];
    tank.respawn_wait = kRespawnSteps;
    tank.speed = 0;
    Record& record = battle.records[target];
    ++record.deaths;
    if (shooter == target) {
        ++record.accidents;
        --record.score;
    } else {
        ++battle.records[shooter].kills;
        ++battle.records[shooter].score;
    }
    if (battle.flag.carrier == target) battle.flag = {.carrier = kNone, .held = 0, .position = tank.position};
    report({Happening::Kind::death, shooter, target, 0, tank.position});
}

}  // namespace fray::panzer
