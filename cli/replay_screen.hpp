#pragma once
// fray replay for a recording of what one screen of Panzer showed (games/panzer/match/screen_recording.hpp).

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace fray::cli {

struct ReplayRun {
    std::string file;
    bool step = false;
    std::optional<double> from;  ///< seconds
    std::optional<double> to;
    std::uint64_t limit = 100;

    /// Whether to print what happens, not only whether the recording is complete.
    [[nodiscard]] bool prints_steps() const { return step || from || to; }
};

/// Checks the bytes of the file, and prints what changed on the screen if that is wanted. Returns the exit
/// code.
int replay_screen(const ReplayRun& run, std::span<const std::uint8_t> bytes);

}  // namespace fray::cli
