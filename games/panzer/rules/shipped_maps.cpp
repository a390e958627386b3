#include "games/panzer/rules/shipped_maps.hpp"

#include "games/panzer/rules/map_text.hpp"

#include <string>

namespace fray::panzer {

Result<Map> shipped_map(std::string_view name) {
    std::string known;
    for (const ShippedMap& map : shipped_maps()) {
        if (map.name == name) return parse_map(map.text, std::string{name} + ".map");
        known += (known.empty() ? "" : ", ") + std::string{map.name};
    }
    return Error{"unknown map \"" + std::string{name} + "\" (known: " + known + ")"};
}

}  // namespace fray::panzer
