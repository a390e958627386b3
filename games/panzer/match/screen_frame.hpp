#pragma once
// What one screen shows at one moment, as a recording holds it. Places and directions are whole numbers of
// the steps to which they are rounded, so that a frame comes back from its file with the same bits.

#include <fray/random.hpp>
#include <fray/serialize.hpp>
#include <fray/time.hpp>

#include "games/panzer/rules/battle.hpp"
#include "games/panzer/rules/map.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::panzer {

inline constexpr std::int32_t kScreenUnitsPerMetre = 50;  ///< places are rounded to 0.02 m
inline constexpr unsigned kScreenAngleBits = 12;          ///< as finely as direction() tells angles apart
inline constexpr std::int32_t kMostScreenScore = 1'000'000;
inline constexpr std::uint32_t kMostScreenCount = 1'000'000;  ///< kills, and deaths
inline constexpr std::size_t kMostScreenShells = 8192;
inline constexpr std::size_t kMostScreenThings = kNone;                   ///< items, and doors
inline constexpr std::uint32_t kMostScreenMillis = 7 * 24 * 3600 * 1000;  ///< a week
inline constexpr std::size_t kMostMapNameBytes = 32;
inline constexpr std::size_t kMostScreenNameBytes = 24;  ///< of a player; longer names are cut

struct ScreenPlace {
    std::int32_t x = 0;  ///< in steps of 0.02 m
    std::int32_t y = 0;
    [[nodiscard]] Vec2 metres() const {
        return {static_cast<float>(x) / kScreenUnitsPerMetre, static_cast<float>(y) / kScreenUnitsPerMetre};
    }
    friend constexpr bool operator==(const ScreenPlace&, const ScreenPlace&) = default;
};
/// A direction of the screen (4,096 steps make a circle) as an Angle.
[[nodiscard]] constexpr Angle angle_of_screen(std::uint16_t steps) {
    return static_cast<Angle>(steps << (16U - kScreenAngleBits));
}

/// One slot: a tank and its line of the scoreboard.
struct ScreenTank {
    ScreenPlace place;
    std::uint16_t hull = 0;  ///< see angle_of_screen()
    std::uint16_t turret = 0;
    std::int16_t armour = 0;  ///< 0: destroyed, or not there
    std::int16_t shield = 0;
    std::uint8_t team = 0;
    std::int32_t score = 0;
    std::uint32_t kills = 0;
    std::uint32_t deaths = 0;
    std::string name;  ///< at most kMostScreenNameBytes, without control characters

    [[nodiscard]] bool alive() const { return armour > 0; }
    friend bool operator==(const ScreenTank&, const ScreenTank&) = default;
};

struct ScreenShell {
    std::uint16_t shooter = kNone;  ///< a slot; kNone if it is not on the screen
    ScreenPlace place;
    std::uint16_t heading = 0;
    friend constexpr bool operator==(const ScreenShell&, const ScreenShell&) = default;
};

/// Only used in mode flag.
struct ScreenFlag {
    std::uint16_t carrier = kNone;
    ScreenPlace place;  ///< where it lies; (0, 0) while a tank carries it
    friend constexpr bool operator==(const ScreenFlag&, const ScreenFlag&) = default;
};

struct ScreenFrame {
    std::uint32_t at = 0;           ///< milliseconds since the start of the match
    std::vector<ScreenTank> tanks;  ///< by slot; the player whose screen it is has slot 0
    std::vector<ScreenShell> shells;
    std::vector<std::uint8_t> items;  ///< by Map::items: 1 if one lies there, otherwise 0
    std::vector<std::uint8_t> doors;  ///< by Map::doors: Door::opened
    ScreenFlag flag;
    friend bool operator==(const ScreenFrame&, const ScreenFrame&) = default;
};

/// What stays the same during a recording.
struct ScreenHeader {
    std::string map;  ///< 1 to 32 lower-case letters, digits or _
    std::uint64_t map_fingerprint = 0;
    std::uint32_t cell = 4;  ///< side of a cell of the map, metres
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    Mode mode{};
    Seed seed;                 ///< of the match
    std::uint32_t player = 0;  ///< the number of the player whose screen it is
    std::string player_name;   ///< at most kMostScreenNameBytes, without control characters
    std::uint32_t ticks_per_second = 20;

    /// The place in the north-east corner of the map; that in the south-west is (0, 0).
    [[nodiscard]] ScreenPlace corner() const {
        const std::uint32_t units = cell * kScreenUnitsPerMetre;
        return {static_cast<std::int32_t>(columns * units), static_cast<std::int32_t>(rows * units)};
    }
    friend bool operator==(const ScreenHeader&, const ScreenHeader&) = default;
};

[[nodiscard]] ScreenHeader screen_header(const Map& map, Mode mode, Seed seed, std::uint32_t player,
                                         std::string_view player_name);

/// At most kMostScreenNameBytes of the name, with ? for control characters: other players choose their names,
/// and recordings are printed on terminals.
[[nodiscard]] std::string screen_name(std::string_view name);
[[nodiscard]] bool is_screen_name(std::string_view name);
[[nodiscard]] bool is_map_name(std::string_view name);

/// The battle as its screen shows it. What is outside the ranges above, or outside the map, is clamped.
/// `names` are by tank; missing ones are empty.
[[nodiscard]] ScreenFrame screen_frame(const ScreenHeader& header, Duration since_start, const Battle& battle,
                                       std::span<const std::string> names);

template <class Stream>
void serialize(Stream& stream, ScreenHeader& header) {
    stream.text(header.map, kMostMapNameBytes);
    stream.whole(header.map_fingerprint);
    stream.integer(header.cell, static_cast<std::uint32_t>(kLeastCell),
                   static_cast<std::uint32_t>(kMostCell));
    stream.integer(header.columns, 1, kMostSide);
    stream.integer(header.rows, 1, kMostSide);
    stream.enumeration(header.mode, kLastMode);
    stream.whole(header.seed.value);
    stream.integer(header.player, 0, kMostTanks - 1);
    stream.text(header.player_name, kMostScreenNameBytes);
    stream.integer(header.ticks_per_second, 1, 1000);
}

}  // namespace fray::panzer
