#include "games/panzer/match/screen_frame.hpp"

#include "games/panzer/rules/entity.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

/// Whether a control character begins here: of ASCII, or one of U+0080 to U+009F in UTF-8, which some
/// terminals obey as well.
bool is_control_at(std::string_view text, std::size_t i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    return byte == 0xC2 && i + 1 < text.size() && static_cast<std::uint8_t>(text[i + 1]) < 0xA0;
}

std::int32_t screen_units(float metres, std::int32_t most) {
    const float units = metres * kScreenUnitsPerMetre;
    if (!(units > 0)) return 0;  // NaN too
    return units < static_cast<float>(most) ? static_cast<std::int32_t>(units + 0.5F) : most;
}

ScreenPlace screen_place(const ScreenHeader& header, const Vec2& position) {
    const ScreenPlace most = header.corner();
    return {std::min(screen_units(position.x, most.x), most.x),
            std::min(screen_units(position.y, most.y), most.y)};
}

constexpr std::uint16_t screen_angle(Angle angle) {
    return static_cast<std::uint16_t>(angle >> (16U - kScreenAngleBits));
}

ScreenTank screen_tank(const ScreenHeader& header, const Tank& tank, const Record& record) {
    return {.place = screen_place(header, tank.position),
            .hull = screen_angle(tank.hull),
            .turret = screen_angle(tank.turret),
            .armour = std::clamp<std::int16_t>(tank.armour, 0, kMostArmour),
            .shield = std::clamp<std::int16_t>(tank.shield, 0, kMostShield),
            .team = std::min<std::uint8_t>(tank.team, 2),
            .score = std::clamp(record.score, -kMostScreenScore, kMostScreenScore),
            .kills = std::min(record.kills, kMostScreenCount),
            .deaths = std::min(record.deaths, kMostScreenCount),
            .name = {}};
}

std::uint16_t screen_slot(std::uint16_t tank, std::size_t tanks) { return tank < tanks ? tank : kNone; }

void add_shells(const ScreenHeader& header, const Battle& battle, ScreenFrame& frame) {
    for (const Shell& shell : battle.shells) {
        if (frame.shells.size() == kMostScreenShells) break;
        frame.shells.push_back({.shooter = screen_slot(shell.shooter, frame.tanks.size()),
                                .place = screen_place(header, shell.position),
                                .heading = screen_angle(angle_of(shell.velocity))});
    }
}

void add_things(const ScreenHeader& header, const Battle& battle, ScreenFrame& frame) {
    for (const Item& item : battle.items) frame.items.push_back(item.wait == 0 ? 1 : 0);
    for (const Door& door : battle.doors) frame.doors.push_back(std::min(door.opened, kDoorSteps));
    frame.items.resize(std::min(frame.items.size(), kMostScreenThings));
    frame.doors.resize(std::min(frame.doors.size(), kMostScreenThings));
    if (header.mode != Mode::flag) return;
    frame.flag.carrier = screen_slot(battle.flag.carrier, frame.tanks.size());
    if (frame.flag.carrier == kNone) frame.flag.place = screen_place(header, battle.flag.position);
}

}  // namespace

ScreenHeader screen_header(const Map& map, Mode mode, Seed seed, std::uint32_t player,
                           std::string_view player_name) {
    return {.map = map.name,
            .map_fingerprint = map.fingerprint(),
            .cell = static_cast<std::uint32_t>(map.cell),
            .columns = static_cast<std::uint32_t>(map.columns),
            .rows = static_cast<std::uint32_t>(map.rows),
            .mode = mode,
            .seed = seed,
            .player = player,
            .player_name = screen_name(player_name),
            .ticks_per_second = kStepsPerSecond / kStepsPerTick};
}

std::string screen_name(std::string_view name) {
    std::string text{name.substr(0, kMostScreenNameBytes)};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_control_at(text, i)) text[i] = '?';
    }
    return text;
}

bool is_screen_name(std::string_view name) { return screen_name(name) == name; }

bool is_map_name(std::string_view name) {
    const auto is_fine = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.size() <= kMostMapNameBytes && std::ranges::all_of(name, is_fine);
}

ScreenFrame screen_frame(const ScreenHeader& header, Duration since_start, const Battle& battle,
                         std::span<const std::string> names) {
    ScreenFrame frame;
    const auto millis = std::clamp<std::int64_t>(micros(since_start) / 1000, 0, kMostScreenMillis);
    frame.at = static_cast<std::uint32_t>(millis);
    const std::size_t tanks = std::min(battle.tanks.size(), kMostTanks);
    frame.tanks.reserve(tanks);
    for (std::size_t i = 0; i < tanks; ++i) {
        const Record record = i < battle.records.size() ? battle.records[i] : Record{};
        frame.tanks.push_back(screen_tank(header, battle.tanks[i], record));
        if (i < names.size()) frame.tanks.back().name = screen_name(names[i]);
    }
    add_shells(header, battle, frame);
    add_things(header, battle, frame);
    return frame;
}

}  // namespace fray::panzer
