// Any text as a map of Panzer: refused with one line that names the file, or a map that comes back from its
// text and can be played on.

#include <fray/assert.hpp>

#include "games/panzer/rules/map_report.hpp"
#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace fray;
using namespace fray::panzer;

void play(const Map& map) {
    Rules rules{map};
    const std::size_t tanks = std::min<std::size_t>(map.most_tanks(), 6);
    auto battle = rules.start({.tanks = tanks, .mode = Mode::free_for_all, .seed = Seed{1}});
    FRAY_ASSERT(battle);
    std::vector<Input> inputs(tanks);
    for (int i = 0; i < 90; ++i) {
        for (std::size_t k = 0; k < tanks; ++k) {
            inputs[k].throttle = k % 2 == 0 ? kFull : -kFull;
            inputs[k].steer = static_cast<std::int8_t>(static_cast<int>(k % 3) - 1);
            inputs[k].aim = static_cast<Angle>(k * 9000);
            inputs[k].gun = inputs[k].shell = true;
        }
        rules.step(*battle, inputs);
        const Ground ground{map, battle->doors};
        for (const Tank& tank : battle->tanks)
            FRAY_ASSERT(!tank.alive() || !ground.is_solid(map.place_of(tank.position)));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{data, data + size};
    const auto map = parse_map(text, "file");
    if (!map) {
        const std::string& message = map.error().message;
        FRAY_ASSERT(message.starts_with("file:") && message.find('\n') == std::string::npos);
        return 0;
    }
    const auto again = parse_map(to_text(*map), "file");
    FRAY_ASSERT(again && *again == *map);
    const MapReport report = inspect(*map);
    FRAY_ASSERT(report.reachable_cells <= report.ground_cells);
    play(*map);
    return 0;
}
