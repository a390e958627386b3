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
    double serializer_bytes_per_s = 0;  ///< sent by the third peer; 0 if there is none
    double top_speed = 0;               ///< units per second
    double cost = 0;                    ///< adaptive_cost(), mean of both ships
    TradeFigures trades{};
    Work work{};
};

/// Whether the two played a game at all: each saw the other's ship, and of what was done there an effect, for
/// all but a hundredth. Where not, delays are those of the little that came through.
[[nodiscard]] bool playable(const Felt& felt);
/// Whether shots were answered, all but a hundredth of them.
[[nodiscard]] bool decided(const Felt& felt);

/// recording: its seed. Nothing if the user wanted to stop.
[[nodiscard]] Result<std::optional<PairFigures>> play_recorded(const Consistency& consistency,
                                                               const NetworkModel& network,
                                                               std::uint64_t recording, Seed seed,
                                                               RunContext& context,
                                                               const Besides& besides = {});

}  // namespace fray::lab
