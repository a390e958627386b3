#pragma once
// What a player's screen shows: all that a bot knows of a battle. The program that runs the bot fills it,
// from a Battle with fill_view(), or from the replicas that a peer holds.
//
// A screen shows what lies within kViewRange of the player's tank and is not hidden by walls or closed doors.
// The place of the flag is marked for everybody, as in other games with flags. Armour of other tanks and
// kinds of items are not shown.

#include "games/panzer/rules/battle.hpp"
#include "games/panzer/rules/map.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray::panzer {

inline constexpr float kViewRange = 120;        ///< metres
inline constexpr std::size_t kMostSeen = 16;    ///< tanks; nearer ones first
inline constexpr std::size_t kMostShells = 12;  ///< shells, likewise
inline constexpr std::size_t kMostItems = 6;    ///< items, likewise
inline constexpr std::size_t kMostDoors = 4;    ///< doors, likewise
inline constexpr std::size_t kMostSightings =
    32;  ///< candidates of a kind that are looked at; the rest is hidden

struct SeenTank {
    std::uint16_t number = kNone;
    Vec2 position{};
    Vec2 velocity{};  ///< metres per second
    Angle turret = 0;
    bool is_friend = false;
};
struct SeenShell {
    Vec2 position{};
    Vec2 velocity{};
    bool is_own = false;
};
struct SeenItem {
    std::uint16_t number = kNone;  ///< of Map::items
    Vec2 position{};
};
struct SeenDoor {
    std::uint16_t number = kNone;  ///< of Map::doors
    bool is_open = false;
};
struct SeenFlag {
    std::uint16_t carrier = kNone;
    Vec2 position{};
};

/// Reuse one: after the first filling nothing is allocated.
struct View {
    std::uint32_t step = 0;
    std::uint16_t number = kNone;  ///< of the player's own tank
    Tank self{};
    std::vector<SeenTank> tanks;  ///< alive, nearest first; likewise the others
    std::vector<SeenShell> shells;
    std::vector<SeenItem> items;  ///< that lie there
    std::vector<SeenDoor> doors;
    std::optional<SeenFlag> flag;  ///< in the mode with a flag
};

/// What tank `number` sees of a battle.
class Senses {
public:
    /// The map must outlive this object.
    explicit Senses(const Map& map) : map_{&map} {}
    void fill_view(const Battle& battle, std::uint16_t number, View& view);

private:
    struct Candidate {
        float square_distance;
        std::uint32_t number;
    };
    void see_tanks(const Battle& battle, View& view);
    void see_shells(const Battle& battle, View& view);
    void see_items(const Battle& battle, View& view);
    void see_doors(const Battle& battle, View& view);
    void make_room(const Battle& battle, View& view);
    void consider(const Vec2& from, const Vec2& at, std::size_t number);
    /// The nearest candidates, in order; at most kMostSightings.
    void keep_nearest();

    const Map* map_;
    std::vector<Candidate> candidates_;  // scratch
};

}  // namespace fray::panzer
