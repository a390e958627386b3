#pragma once
// How recent the players' knowledge of each other is: protocol quality PQ (pSense, section 4.2; 1 is ideal),
// known neighbours, error of the shown positions, and isolated players.

#include <fray/geometry.hpp>

#include "lab/metrics/neighbour_grid.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray::lab {

/// Upper bound of the position age, in rounds; the age of an unknown player.
inline constexpr double kOldestPositionAge = 20;
/// A neighbour whose newest update is older than this is not known.
inline constexpr double kKnownRounds = 10;

struct Ranges {
    double interaction = 50;  ///< within it, PQ is the position age itself
    double vision = 200;      ///< players farther away do not count
};

/// PQ of one player's knowledge of one other.
[[nodiscard]] double protocol_quality(double position_age, double distance, const Ranges& ranges);

/// What one player holds of another.
struct Sighting {
    double position_age = 0;  ///< rounds; 1: sent the round before
    Vec3 shown{};             ///< where it is shown
    Vec3 received{};          ///< position in its owner's newest update
};

class Knowledge {
public:
    virtual ~Knowledge() = default;
    /// Nothing if `who` holds no update of `whom`. Called for all neighbours of one player in a row.
    [[nodiscard]] virtual std::optional<Sighting> about(PlayerIndex who, PlayerIndex whom) = 0;
};

/// One player at one moment.
struct PlayerQuality {
    double pq = 0;  ///< mean over the players in view; 0 if there are none
    std::uint32_t in_view = 0;
    std::uint32_t known = 0;       ///< of them
    std::uint32_t overlooked = 0;  ///< not known, of those that joined more than ten rounds ago
};

/// Sums over moments.
struct QualityCounts {
    std::uint64_t players = 0;
    std::uint64_t in_view = 0;  ///< ordered pairs
    std::uint64_t known = 0;    ///< of them
    std::uint64_t settled = 0;  ///< ordered pairs in which both joined more than ten rounds ago
    std::uint64_t settled_known = 0;
    std::uint64_t one_hop = 0;      ///< ordered pairs whose update took one hop: position age 1
    std::uint64_t isolated = 0;     ///< players that know none of the players in view
    double position_age_sum = 0;    ///< over all pairs, rounds; 20 for unknown players
    double position_error_sum = 0;  ///< over known pairs, units
    double received_error_sum = 0;  ///< the same for the positions in the newest updates

    QualityCounts& operator+=(const QualityCounts& other);
};

/// All players at one moment.
struct RoundQuality : QualityCounts {
    double pq = 0;                      ///< mean over the players with others in view
    double pq_p90 = 0;                  ///< 90 % of them have this or better
    std::vector<PlayerQuality> each{};  ///< by player
};

class QualityMeter {
public:
    QualityMeter(const Area& area, const Ranges& ranges);
    [[nodiscard]] const RoundQuality& measure(std::span<const Placed> players, Knowledge& knowledge);

private:
    void judge(PlayerIndex who, std::span<const Placed> players, Knowledge& knowledge);

    Area area_;
    Ranges ranges_;
    NeighbourGrid grid_;
    RoundQuality round_;
    std::vector<double> pqs_;
};

}  // namespace fray::lab
