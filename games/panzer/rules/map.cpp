#include "games/panzer/rules/map.hpp"

#include <fray/fingerprint.hpp>

namespace fray::panzer {

std::uint64_t Map::fingerprint() const {
    Fingerprint print;
    print.add(std::string_view{name}).add(cell);
    print.add(static_cast<std::uint64_t>(columns)).add(static_cast<std::uint64_t>(rows));
    for (const Cell c : cells) print.add(std::uint64_t{static_cast<std::uint8_t>(c)});
    for (const Spawn& s : spawns) {
        print.add(s.position.x).add(s.position.y).add(std::uint64_t{s.heading}).add(std::uint64_t{s.team});
    }
    for (const Vec2& item : items) print.add(item.x).add(item.y);
    for (const Vec2& flag : flags) print.add(flag.x).add(flag.y);
    return print.value();
}

}  // namespace fray::panzer
