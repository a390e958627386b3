#pragma once
// A recorded game: its seed, both players' keys tick by tick, and a hash of the result. As text:
//
//     snagger recording 1
//     seed 0000000000000001
//     14 - -                    for so many ticks: the first ship's keys, the second's
//     7 T TL                    T thrust, L left, R right, S snag, - none; in this order
//     end 5d1c07b2a6e0f913      trace_hash()
//
// The reader of a file replays it and refuses it if the hash differs.

#include <fray/result.hpp>

#include "games/snagger/rules/game.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fray::snagger {

inline constexpr std::size_t kMaxRecordingBytes = std::size_t{1} << 18U;
inline constexpr std::size_t kMaxRecordedTicks = std::size_t{600} * kTicksPerSecond;

struct Recording {
    Seed seed{};
    std::vector<Inputs> inputs;

    friend bool operator==(const Recording&, const Recording&) = default;
};

/// Two pilots play for this many ticks.
[[nodiscard]] Recording record(Seed seed, std::uint32_t ticks);
/// The game after the last input.
[[nodiscard]] Game play(const Recording& recording);
/// Hash of the game after every tick, in order: any changed key changes it.
[[nodiscard]] std::uint64_t trace_hash(const Recording& recording);

[[nodiscard]] std::string to_text(const Recording& recording);
/// name: the beginning of error messages, before the line number.
[[nodiscard]] Result<Recording> parse_recording(std::string_view text, const std::string& name);
[[nodiscard]] Result<Recording> load_recording(const std::string& file);

// The paper's ten recordings of 1,500 inputs; ours are of the seeds 1 to 10.
inline constexpr std::size_t kRecordings = 10;
inline constexpr std::uint32_t kRecordedInputs = 1500;
/// "01.txt" to "10.txt"; i counts from zero.
[[nodiscard]] std::string recording_name(std::size_t i);
[[nodiscard]] inline Recording recorded_by_pilots(std::size_t i) {
    return record(Seed{i + 1}, kRecordedInputs);
}
/// All ten recordings of this folder (games/snagger/recordings); the error is that of the first invalid one.
[[nodiscard]] Result<std::vector<Recording>> load_recordings(const std::string& folder);

}  // namespace fray::snagger
