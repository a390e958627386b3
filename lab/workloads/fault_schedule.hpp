#pragma once
// The faults of foundation_faults: crashes with a later rejoin throughout the run, except around the
// partition, so that its healing is measured alone.

#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include "lab/runner/parameters.hpp"

#include <vector>

namespace fray::lab {

struct FaultSchedule {
    std::vector<Action> actions{};
    Partition partition{};
    std::vector<bool> side{};  ///< by peer

    [[nodiscard]] static FaultSchedule make(const Parameters& parameters, Seed seed);
    [[nodiscard]] Result<void> apply(Swarm& swarm) const;
};

/// peers, seconds, warm_up_seconds, crashes, away_seconds, partition_at, partition_seconds.
[[nodiscard]] Result<void> check_schedule(const Parameters& parameters);

}  // namespace fray::lab
