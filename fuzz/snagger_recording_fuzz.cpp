// Any text as a recording of Snagger: refused with one line that names the file and the line, or a game whose
// text parses to the same game.

#include <fray/assert.hpp>

#include "games/snagger/pilot/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray::snagger;
    const std::string text{data, data + size};
    const auto recording = parse_recording(text, "file");
    if (!recording) {
        const std::string& message = recording.error().message;
        FRAY_ASSERT(message.starts_with("file:") && message.find('\n') == std::string::npos);
        return 0;
    }
    FRAY_ASSERT(recording->inputs.size() <= kMaxRecordedTicks);
    const auto again = parse_recording(to_text(*recording), "file");
    FRAY_ASSERT(again && *again == *recording);
    return 0;
}
