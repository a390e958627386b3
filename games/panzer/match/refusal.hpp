#pragma once
// Why an owner refuses what another player claims. Each refusal is counted.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fray::panzer {

enum class Refusal : std::uint8_t {
    none,             ///< granted
    malformed,        ///< the bytes are no claim
    untimely,         ///< made too long ago, or for a time to come
    match_over,       ///< fired after the end
    unknown_shooter,  ///< no tank of the claimant is known here
    dead_shooter,     ///< fired after its tank was destroyed
    dead_target,      ///< the target was destroyed already
    own_team,
    elsewhere,        ///< fired from a place where the claimant's tank cannot have been
    too_fast,         ///< fired before the weapon can have been loaded
    impossible_move,  ///< the claimant's tank moved as no tank can, shortly before
    no_hit,           ///< the shot misses what the claimant's screen showed, or meets a wall before
    out_of_reach,     ///< a thing is taken from too far away
    not_there,        ///< another player has taken the thing
};
inline constexpr std::size_t kRefusals = 14;
/// "no hit", "fired too fast", ...
[[nodiscard]] std::string_view to_string(Refusal refusal);

}  // namespace fray::panzer
