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
    Felt felt{};                        ///< means of both ships; maxima if the field of Felt is a maximum
    double bytes_per_s = 0;             ///< sent by a player, all headers included
    double serializer_bytes_per_s = 0;  ///< sent by the third peer; 0 if there is none
    double top_speed = 0;               ///< units per second
    double cost = 0;                    ///< adaptive_cost(), mean of both ships
    TradeFigures trades{};
    Work work{};
};

/// Whether the two players saw each other's ship and the effects of its inputs, all but 1 % of them. If not,
/// delays cover only what arrived.
[[nodiscard]] bool playable(const Felt& felt);
/// Whether all but 1 % of the shots were answered.
[[nodiscard]] bool decided(const Felt& felt);

/// recording: its seed. Nothing if the user wanted to stop.
[[nodiscard]] Result<std::optional<PairFigures>> play_recorded(const Consistency& consistency,
                                                               const NetworkModel& network,
                                                               std::uint64_t recording, Seed seed,
                                                               RunContext& context,
                                                               const Besides& besides = {});

}  // namespace fray::lab
