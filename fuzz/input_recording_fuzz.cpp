// Any bytes as a recording of inputs, and as its fields behind the hash: refused with one line, or a
// recording that comes back from its bytes and is executed, or refused with one line again.

#include <fray/assert.hpp>
#include <fray/encode.hpp>

#include "games/panzer/match/input_recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace fray;
using namespace fray::panzer;

constexpr Tick kTicks = 30;
constexpr std::size_t kMostMapText = 4096;  // larger maps only take longer

bool is_one_line(const std::string& message) { return message.find('\n') == std::string::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = InputRecording::parse({data, size}, "file");
    if (!file) FRAY_ASSERT(is_one_line(file.error().message));
    const auto recording = InputRecording::from_body({data, size}, "file");
    if (!recording) {
        FRAY_ASSERT(is_one_line(recording.error().message));
        return 0;
    }
    const auto again = InputRecording::parse(recording->to_bytes(), "file");
    FRAY_ASSERT(again && again->said.lines == recording->said.lines);
    FRAY_ASSERT(again->players == recording->players && again->state_hash == recording->state_hash);
    if (recording->map.size() > kMostMapText) return 0;
    const auto outcome = recording->execute(kTicks);
    if (!outcome) FRAY_ASSERT(is_one_line(outcome.error().message));
    return 0;
}
