#pragma once
// Attention of one player on another (Donnybrook, section III-A): a weighted sum of three metrics. A peer
// estimates how much attention its own player pays to every other one, and tells them; a peer with the
// FocusSet policy sends its updates most often to the peers that pay it the most.

#include <fray/result.hpp>

#include <optional>

namespace fray {

/// The direction in which a player looks.
struct Look {
    float yaw = 0;    ///< degrees, counter-clockwise from +x
    float pitch = 0;  ///< degrees, up from the ground plane
    friend constexpr bool operator==(const Look&, const Look&) = default;
};

/// What draws this player's attention now. Each weight is from 0 to 4. A melee weapon raises `proximity`, a
/// sniper weapon raises `aim`.
struct AttentionWeights {
    float proximity = 1;      ///< of players that are close
    float aim = 1;            ///< of players in the direction of view
    float interaction = 1.5;  ///< of players that interacted with this one in the last three seconds
    /// Where the player looks, if that is not where its first entity faces: a turret, a free camera.
    std::optional<Look> look{};

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
    friend constexpr bool operator==(const AttentionWeights&, const AttentionWeights&) = default;
};

inline constexpr float kMostAttentionWeight = 4;

}  // namespace fray
