#pragma once
// The system that carries the players' updates, as a pSense experiment drives and measures it.

#include <fray/result.hpp>
#include <fray/time.hpp>

#include "lab/metrics/protocol_quality.hpp"
#include "lab/metrics/traffic_meter.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/workloads/population.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace fray::lab {

/// Measurements of a round other than the players' knowledge.
struct RoundNetwork {
    std::uint64_t components = 0;  ///< of the overlay
    std::uint64_t ghosts = 0;      ///< players shown in view that have been gone for more than kKnownRounds
    RoundTraffic traffic{};        ///< in the bytes that the cap counts
};

class UpdateSystem : public Knowledge {
public:
    /// Before the round: crashes and joins of peers.
    [[nodiscard]] virtual Result<void> change(std::uint32_t round, const Change& change) = 0;
    virtual void run_until(Duration t) = 0;
    /// After the last measurement of a round. `counted`: it is not part of the warm-up. Nothing if there is
    /// no network.
    [[nodiscard]] virtual std::optional<RoundNetwork> end_round(std::uint32_t round,
                                                                std::span<const Placed> players,
                                                                bool counted) = 0;
    /// Writes the columns of the whole run.
    [[nodiscard]] virtual Result<void> conclude(RunOutput& output) = 0;
};

}  // namespace fray::lab
