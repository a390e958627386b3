#pragma once
// One recorded game of Snagger under one algorithm and one network, as figures.

#include <fray/consistency.hpp>
#include <fray/network_model.hpp>

#include "lab/metrics/felt.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/workloads/snagger_pair.hpp"

#include <optional>

namespace fray::lab {

struct PairFigures {
    Felt felt{};                        ///< means of both ships; maxima where Felt has them
    double bytes_per_s = 0;             ///< sent by a player, all headers included
    double serializer_bytes_per_s = 0;  ///< sent by the third peer
    double top_speed = 0;               ///< units per second
    double cost = 0;                    ///< adaptive_cost(), mean of both ships
    TradeFigures trades{};
    Work work{};
};

/// recording: its seed. Nothing where the user wanted to stop.
[[nodiscard]] Result<std::optional<PairFigures>> play_recorded(const Consistency& consistency,
                                                               const NetworkModel& network,
                                                               std::uint64_t recording, Seed seed,
                                                               RunContext& context,
                                                               const Besides& besides = {});

}  // namespace fray::lab
