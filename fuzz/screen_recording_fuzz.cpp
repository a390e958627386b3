// Any bytes as a recording of a screen, and as its header and frames behind the hash: refused with one line,
// or frames that are within their ranges and come back from their code.

#include <fray/assert.hpp>

#include "games/panzer/match/screen_recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace fray;
using namespace fray::panzer;

bool is_one_line(const std::string& message) {
    return message.starts_with("file: ") && message.find('\n') == std::string::npos;
}

void check(const ScreenFrame& frame, const ScreenHeader& header) {
    const ScreenPlace most = header.corner();
    const auto is_inside = [&](const ScreenPlace& place) {
        return place.x >= 0 && place.y >= 0 && place.x <= most.x && place.y <= most.y;
    };
    FRAY_ASSERT(frame.at <= kMostScreenMillis);
    FRAY_ASSERT(frame.tanks.size() <= kMostTanks && frame.shells.size() <= kMostScreenShells);
    for (const ScreenTank& tank : frame.tanks) {
        FRAY_ASSERT(is_inside(tank.place) && tank.hull < 4096 && tank.turret < 4096);
        FRAY_ASSERT(tank.armour >= 0 && tank.armour <= kMostArmour);
        FRAY_ASSERT(is_screen_name(tank.name));
    }
    for (const ScreenShell& shell : frame.shells) FRAY_ASSERT(is_inside(shell.place));
    for (const std::uint8_t opened : frame.doors) FRAY_ASSERT(opened <= kDoorSteps);
    for (const std::uint8_t is_there : frame.items) FRAY_ASSERT(is_there <= 1);
    FRAY_ASSERT(frame.flag.carrier == kNone || frame.flag.carrier < frame.tanks.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = ScreenRecording::parse({data, size}, "file");
    if (!file) FRAY_ASSERT(is_one_line(file.error().message));
    const auto recording = ScreenRecording::from_body({data, size}, "file");
    if (!recording) {
        FRAY_ASSERT(is_one_line(recording.error().message));
        return 0;
    }
    ScreenCodec writer{recording->header()};
    std::vector<std::uint8_t> bytes;
    ScreenReader first = recording->reader();
    while (const ScreenFrame* frame = first.next()) {
        check(*frame, recording->header());
        writer.write(*frame, bytes);
    }
    ScreenReader again{recording->header(), bytes};
    ScreenReader second = recording->reader();
    while (const ScreenFrame* frame = second.next()) {
        const ScreenFrame* same = again.next();
        FRAY_ASSERT(same != nullptr && *same == *frame);
    }
    FRAY_ASSERT(again.next() == nullptr && again.ok());
    return 0;
}
