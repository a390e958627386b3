// fray_snagger_record FOLDER: lets the pilots play the ten recordings, writes them, and prints their figures.

#include "games/snagger/pilot/figures.hpp"
#include "games/snagger/pilot/recording.hpp"
#include "sim/file.hpp"

#include <cstdio>
#include <string>

namespace {

using namespace fray::snagger;

void print(const std::string& name, const ShipFigures& ship, unsigned caught) {
    std::printf("%-8s %6.2f %%/s %6.2f %%/s2 %5.2f keys/s %3u caught\n", name.c_str(), ship.speed,
                ship.acceleration, ship.key_changes, caught);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: fray_snagger_record FOLDER\n");
        return 2;
    }
    std::vector<Figures> all;
    unsigned caught = 0;
    for (std::size_t i = 0; i < kRecordings; ++i) {
        const Recording recording = recorded_by_pilots(i);
        const std::string text = to_text(recording);
        const auto written = fray::sim::write_file(
            std::string{argv[1]} + "/" + recording_name(i),
            {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, fray::sim::Overwrite::yes);
        if (!written) {
            std::fprintf(stderr, "fray_snagger_record: %s\n", written.error().message.c_str());
            return 1;
        }
        all.push_back(figures(recording));
        print(recording_name(i), mean_ship({&all.back(), 1}), all.back().caught);
        caught += all.back().caught;
    }
    print("all", mean_ship(all), caught);
    return 0;
}
