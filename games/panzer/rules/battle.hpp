#pragma once
// The whole state of a battle as plain values: copy it to save it, assign it to restore it, compare it field
// by field. The map and the players' inputs are outside of it. rules.hpp moves it one step on.

#include <fray/random.hpp>

#include "games/panzer/rules/ground.hpp"
#include "games/panzer/rules/tank.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fray::panzer {

inline constexpr std::size_t kMostTanks = 2048;

enum class Mode : std::uint8_t {
    free_for_all,
    teams,  ///< tanks of a team do not hurt each other
    flag,   ///< all against all for one flag; its carrier gets a point per second
};
inline constexpr Mode kLastMode = Mode::flag;
/// "ffa", "teams" or "flag".
[[nodiscard]] std::string_view to_string(Mode mode);

/// What a power-up does. All look the same until they are taken.
enum class ItemKind : std::uint8_t { armour, shield, fire_rate, gun_power, engine, trap };
inline constexpr std::size_t kItemKinds = 6;
[[nodiscard]] std::string_view to_string(ItemKind kind);

struct Item {
    std::uint16_t wait = 0;   ///< steps until it lies there again; 0: it does
    std::uint32_t taken = 0;  ///< how often it was; with the seed it decides the next kind
    friend constexpr bool operator==(const Item&, const Item&) = default;
};

/// A shell in flight. It is slow, so it can be dodged.
struct Shell {
    std::uint16_t shooter = 0;
    std::uint16_t life = 0;  ///< steps until it explodes by itself
    Vec2 position{};
    Vec2 velocity{};  ///< metres per second
    friend constexpr bool operator==(const Shell&, const Shell&) = default;
};

struct Flag {
    std::uint16_t carrier = kNone;  ///< a tank, or kNone
    std::uint16_t held = 0;         ///< steps since the carrier's last point
    Vec2 position{};                ///< where it lies, or its carrier is
    friend constexpr bool operator==(const Flag&, const Flag&) = default;
};

/// What a player has achieved. Every death has one cause, and every kill is somebody's death.
struct Record {
    std::int32_t score = 0;
    std::uint32_t kills = 0;
    std::uint32_t deaths = 0;
    std::uint32_t accidents = 0;  ///< deaths by a trap or an own shell
    std::uint32_t shots = 0;      ///< of the gun
    std::uint32_t hits = 0;       ///< of them
    std::uint32_t shells = 0;
    std::uint32_t pickups = 0;
    friend constexpr bool operator==(const Record&, const Record&) = default;
};

struct Battle {
    Seed seed{};
    Mode mode{};
    std::uint32_t step = 0;
    std::vector<Tank> tanks;
    std::vector<Record> records;  ///< by tank
    std::vector<Shell> shells;    ///< oldest first
    std::vector<Item> items;      ///< by Map::items
    std::vector<Door> doors;      ///< by Map::doors
    Flag flag;

    friend bool operator==(const Battle&, const Battle&) = default;
};

/// What the item will be for the tank that takes it next.
[[nodiscard]] ItemKind kind_of(Seed seed, std::uint16_t item, std::uint32_t taken);
/// A hash over every field.
[[nodiscard]] std::uint64_t fingerprint(const Battle& battle);
/// The first field in which two battles differ, with both values ("tanks[3].armour: 80, 66"); empty if none.
[[nodiscard]] std::string first_difference(const Battle& a, const Battle& b);

}  // namespace fray::panzer
