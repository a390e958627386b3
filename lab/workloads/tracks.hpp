#pragma once
// Positions of recorded players: read from the folders of measurements, converted to the rounds of a run.

#include <fray/geometry.hpp>
#include <fray/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// A position at a time.
struct Fix {
    double seconds = 0;
    Vec3 place{};
};
/// One player, in order of time.
using Fixes = std::vector<Fix>;

inline constexpr std::string_view kFortniteFolder = "fortnite_traces";
/// The size of the map of fortnite_traces, in its units (pixels; one is about 1.8 m).
inline constexpr float kFortniteSide = 1500;

/// folder: fortnite_traces. Every track is one player of a match; all have the same map and begin at the same
/// moment of the game. Together they form a crowd, although they did not play together. A damaged file is
/// refused with one line that names it.
[[nodiscard]] Result<std::vector<Fixes>> load_fortnite(const std::string& folder);

/// Drops positions that cannot be reached from the last one at this speed (units per second), because they
/// were misread, and all but the first position of a moment.
[[nodiscard]] Fixes without_jumps(const Fixes& fixes, double fastest);

/// A player's position at the beginning of every round.
using Track = std::vector<Vec3>;
/// Interpolates between two positions; ends with the last whole round.
[[nodiscard]] Track by_rounds(const Fixes& fixes, double rounds_per_second);

}  // namespace fray::lab
