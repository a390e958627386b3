#pragma once
// The rules of Panzer: from one step of a battle to the next. Pure and deterministic: the same map, battle
// and inputs give the same bits with every compiler.
//
//     Rules rules{map};
//     Battle battle = rules.start({.tanks = 16, .seed = Seed{7}});
//     rules.step(battle, inputs);            // 1/60 s later
//
// In a step: tanks drive and are pushed apart, guns fire, shells fly, tanks open doors and take items, the
// flag is carried, destroyed tanks enter again. Tanks act in the order of their numbers.

#include <fray/result.hpp>

#include "games/panzer/rules/battle.hpp"
#include "games/panzer/rules/crowd.hpp"
#include "games/panzer/rules/input.hpp"
#include "games/panzer/rules/map.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray::panzer {

inline constexpr float kGunRange = 150;  ///< metres
inline constexpr float kMuzzle =
    2.6F;  ///< metres from the middle of the tank to where shells leave the barrel
inline constexpr float kShellSpeed = 38;
inline constexpr std::uint16_t kShellLife = steps(4);
inline constexpr std::int16_t kShellDamage = 45;        ///< of a direct hit
inline constexpr float kBlastRadius = 5;                ///< metres; the damage falls to zero there
inline constexpr float kItemReach = kLeastCell / 2;     ///< metres; never beyond the item's own cell
inline constexpr std::uint16_t kItemSteps = steps(15);  ///< until an item lies there again
inline constexpr std::int16_t kItemArmour = 50;
inline constexpr std::int16_t kItemShield = 30;
inline constexpr std::int16_t kTrapDamage = 60;  ///< of the armour; shields do not help
inline constexpr float kFlagReach = 3;
inline constexpr std::uint8_t kMostSpawnsTried = 16;
/// A tank enters where no enemy is nearer, or at the best of the places tried.
inline constexpr float kSafeDistance = 60;

/// What happened in a step, for screens, bots and statistics. The battle does not depend on it.
struct Happening {
    enum class Kind : std::uint8_t {
        shot,  ///< `tank` fired its gun; `at`: where the shot ended; `other`: the tank that was hit, or kNone
        launch,     ///< `tank` fired a shell
        explosion,  ///< of a shell of `tank`
        damage,     ///< `other` lost `amount` of armour to `tank`
        death,      ///< `other` was destroyed by `tank`; by itself if both are the same
        pickup,     ///< `tank` took item number `other`; `amount`: its ItemKind
        door,       ///< door number `other` begins to open for `tank`
        spawn,      ///< `tank` entered
        flag,       ///< `tank` took the flag
        // Only where things are decided elsewhere (ThingsAre::elsewhere): the tank may ask for them.
        at_item,  ///< `tank` is where it can take item number `other`
        at_door,  ///< `tank` is near door number `other`, which is closed or about to close
        at_flag,  ///< `tank` is where it can take the flag
    };
    Kind kind{};
    std::uint16_t tank = 0;
    std::uint16_t other = kNone;
    std::int16_t amount = 0;
    Vec2 at{};
    friend constexpr bool operator==(const Happening&, const Happening&) = default;
};

/// A gun shot: where it ends, and which tank it hits.
struct GunShot {
    float way = 0;  ///< metres
    std::uint16_t hit = kNone;
};
/// How far along a ray with this unit direction the disc of a tank begins; `most` if it is not met before.
[[nodiscard]] float way_to_tank(const Vec2& from, const Vec2& unit, const Vec2& tank, float most);
/// The damage that a shell does at this distance from the explosion to the middle of a tank.
[[nodiscard]] std::int16_t blast_damage(float distance);
/// Gives the effect of an item to a tank. Returns the armour lost (to a trap).
std::int16_t apply_item(Tank& tank, ItemKind kind);

/// The spawn point that a tank tries to enter at, as number `attempt` of kMostSpawnsTried.
[[nodiscard]] const Spawn& spawn_tried(const Map& map, Seed seed, std::uint32_t step, std::uint16_t tank,
                                       std::uint8_t attempt);

/// Where items, doors and the flag are decided in step_own().
enum class ThingsAre : std::uint8_t {
    here,       ///< this battle: the tank takes items of its own, and doors open for every tank
    elsewhere,  ///< their owners: the program sets them in the battle before each step
};

/// Some parts of a battle, by their numbers, which ascend.
struct Subset {
    std::span<const std::uint16_t> tanks;
    std::span<const std::uint16_t> items;
    std::span<const std::uint16_t> doors;
    bool flag = false;
};

class Rules {
public:
    /// The map must outlive the rules.
    explicit Rules(const Map& map) : map_{&map} {}

    struct Setup {
        std::size_t tanks = 2;  ///< 2 to kMostTanks
        Mode mode{};
        Seed seed{};
    };
    /// Returns an error if the map has no room for so many tanks, or lacks what the mode needs.
    [[nodiscard]] Result<Battle> start(const Setup& setup);
    /// One step; one input per tank.
    void step(Battle& battle, std::span<const Input> inputs);
    /// One step of a part of the battle, as step() does it if the subset meets nothing else in this step: the
    /// other tanks, items and doors are neither read nor written. battle.shells: those of the subset's tanks.
    void step_subset(Battle& battle, std::span<const Input> inputs, const Subset& subset);
    /// One step of a peer that decides about one tank only. The other tanks are replicas: they stay where the
    /// program has put them, and nothing happens to them. A shot is reported with the tank that it meets, but
    /// does no damage there; a shell hurts the own tank only.
    void step_own(Battle& battle, std::uint16_t own, const Input& input, ThingsAre things);
    /// For the owner of tank `own`: what other peers' decisions and claims do to it. happenings() tells.
    void hit_own(Battle& battle, std::uint16_t shooter, std::uint16_t own, std::int16_t damage);
    void give_own(Battle& battle, std::uint16_t own, std::uint16_t item, ItemKind kind);
    /// Adds a shell that was fired `late` steps ago: it flies on at once, and may explode.
    void add_shell(Battle& battle, Shell shell, std::uint32_t late, std::uint16_t own);

    [[nodiscard]] const Map& map() const { return *map_; }
    /// What happened in the last step, in order.
    [[nodiscard]] std::span<const Happening> happenings() const { return happenings_; }

private:
    void drive_all(Battle& battle, std::span<const Input> inputs);
    void drive_tank(Battle& battle, const Ground& around, std::size_t tank, const Input& input);
    void drive_own(Battle& battle, std::uint16_t own, const Input& input);
    static void limit_push(Tank& tank, const Vec2& before);
    void fill_crowd(const Battle& battle);
    void enter_crowd(const Battle& battle, std::uint32_t tank);
    void push_apart(Battle& battle);
    void push(Battle& battle, const Ground& around, std::uint32_t tank, const Vec2& way) const;
    void touch(Battle& battle);
    /// Most tanks are not.
    [[nodiscard]] bool is_at_things(const Tank& tank) const {
        return tank.alive() &&
               (map_->around[map_->index(map_->place_of(tank.position))] & (kItemHere | kDoorsNear)) != 0;
    }
    void touch_by(Battle& battle, std::uint16_t tank);
    void touch_own(Battle& battle, std::uint16_t own, ThingsAre things);
    void find_things(const Battle& battle, std::uint16_t own);
    [[nodiscard]] std::uint16_t item_at(const Battle& battle, std::uint16_t tank, std::size_t cell) const;
    void hold_open(Battle& battle, std::uint16_t tank, std::uint16_t number);
    static void pass_time(Battle& battle);
    static void pass_time(Door& door);
    static void pass_time(Item& item);
    void fire(Battle& battle, std::uint16_t shooter, const Input& input);
    void fire_gun(Battle& battle, std::uint16_t shooter);
    void launch(Battle& battle, std::uint16_t shooter);
    void fly_shells(Battle& battle);
    bool fly(Battle& battle, Shell& shell);
    void explode(Battle& battle, const Shell& shell);
    void hurt(Battle& battle, std::uint16_t shooter, std::uint16_t target, std::int16_t damage);
    void destroy(Battle& battle, std::uint16_t shooter, std::uint16_t target);
    void take(Battle& battle, std::uint16_t tank, std::uint16_t item);
    void give(Battle& battle, std::uint16_t tank, std::uint16_t item, ItemKind kind);
    void carry_flag(Battle& battle);
    void carry_flag(Battle& battle, std::span<const std::uint16_t> tanks);
    bool take_flag(Battle& battle, std::size_t tank);
    static void hold_flag(Battle& battle);
    void respawn(Battle& battle, std::uint16_t tank);
    void enter(Battle& battle, std::uint16_t tank);
    [[nodiscard]] const Spawn* find_start(const Battle& battle, std::size_t tank,
                                          std::vector<bool>& is_taken) const;
    [[nodiscard]] float safety(const Battle& battle, std::uint16_t tank, const Vec2& place) const;
    [[nodiscard]] Ground ground(const Battle& battle) const { return {*map_, battle.doors}; }
    [[nodiscard]] bool decides(std::uint32_t tank) const { return own_ == kNone || own_ == tank; }
    void report(const Happening& happening) { happenings_.push_back(happening); }

    const Map* map_;
    std::uint16_t own_ = kNone;  // the only tank that this step decides about; kNone: all
    Crowd crowd_;                // the living tanks in this step; scratch
    struct Pair {
        std::uint32_t first;
        std::uint32_t second;
    };
    std::vector<Pair> close_;            // tanks that may overlap; scratch
    std::vector<Happening> happenings_;  // scratch
};

}  // namespace fray::panzer
