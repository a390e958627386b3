// Any bytes as the unpacked body of a recording, after its checksum: refused with one line, or a recording
// that is written back to the same bytes and can be replayed.

#include <fray/assert.hpp>

#include "sim/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

/// Ends a replay early: the target is its beginning, not its length.
class Few : public fray::sim::ReplayListener {
public:
    bool on_step(const fray::Step&, const fray::Swarm&) override { return ++steps_ < 100; }

private:
    int steps_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using fray::sim::Recording;
    const auto recording = Recording::from_body({data, size}, "run");
    if (!recording) {
        FRAY_ASSERT(recording.error().message.starts_with("run: damaged: "));
        FRAY_ASSERT(recording.error().message.find('\n') == std::string::npos);
        return 0;
    }
    const auto bytes = recording->to_bytes();
    const auto again = Recording::from_bytes(bytes, "run");
    FRAY_ASSERT(again && again->to_bytes() == bytes);
    Few few;
    (void)fray::sim::replay(*recording, {}, &few);  // may refuse the recording, but must not crash
    return 0;
}
