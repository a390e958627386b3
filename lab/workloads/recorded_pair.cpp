#include "lab/workloads/recorded_pair.hpp"

#include "consistency/algorithm.hpp"
#include "games/snagger/rules/entity.hpp"
#include "lab/metrics/adaptive_cost.hpp"

#include <algorithm>

namespace fray::lab {

namespace {

constexpr double kMostLost = 0.01;  // of inputs and of shots

bool needs_third(const Consistency& consistency, const Besides& besides) {
    return besides.third_peer || besides.trades > Duration{0} ||
           make_algorithm(consistency)->through().has_value();
}

double top_speed(const OwnerLog& log) {
    double most = 0;
    for (std::size_t i = 1; i < log.simulated.size(); ++i) {
        const OwnerFrame& before = log.simulated[i - 1];
        const OwnerFrame& after = log.simulated[i];
        most = std::max(most, static_cast<double>(distance(before.simulated, after.simulated)) /
                                  seconds(after.polled - before.polled));
    }
    return most;
}

}  // namespace

bool playable(const Felt& felt) {
    // In each frame, inputs are read once and the picture is drawn once.
    const auto inputs = static_cast<double>(felt.inputs);
    return felt.inputs > 0 && static_cast<double>(felt.viewer_frames) >= (1 - kMostLost) * inputs &&
           static_cast<double>(felt.inputs_unseen) <= kMostLost * inputs;
}

bool decided(const Felt& felt) {
    const auto shots = static_cast<double>(felt.decisions + felt.decisions_open);
    return felt.decisions > 0 && static_cast<double>(felt.decisions_open) <= kMostLost * shots;
}

Result<std::optional<PairFigures>> play_recorded(const Consistency& consistency, const NetworkModel& network,
                                                 std::uint64_t recording, Seed seed, RunContext& context,
                                                 const Besides& besides) {
    auto swarm = Swarm::create({.network = network}, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    SnaggerPair pair{snagger::record(Seed{recording}, snagger::kRecordedInputs), consistency, besides};
    const PeerOptions options{
        .world = snagger::world(), .count_corrections = true, .consistency = consistency};
    const PeerIndex peers = needs_third(consistency, besides) ? 3 : 2;
    for (PeerIndex i = 0; i < peers; ++i) {
        if (auto added = swarm->add_peer(options); !added) return added.error();
    }
    if (!pair.run(*swarm, context)) return std::optional<PairFigures>{};
    PairFigures figures;
    FeltMean mean;
    double most_jump = 0;
    for (std::size_t ship = 0; ship < 2; ++ship) {
        const Felt one = felt(pair.owner(ship), pair.viewer(ship), pair.measured());
        mean.add(one);
        most_jump = std::max(most_jump, one.visible_jump_most);
        figures.cost += adaptive_cost(pair.owner(ship), pair.viewer(ship), pair.measured()) / 2;
        figures.top_speed = std::max(figures.top_speed, top_speed(pair.owner(ship)));
    }
    figures.felt = mean.mean();
    figures.felt.visible_jump_most = most_jump;
    const double span = seconds(pair.measured().length());
    figures.bytes_per_s = static_cast<double>(pair.bytes_sent(0) + pair.bytes_sent(1)) / 2 / span;
    figures.serializer_bytes_per_s = static_cast<double>(pair.bytes_sent(kSerializerIndex)) / span;
    figures.trades = pair.trades();
    figures.work = {
        .peers = peers, .rounds = swarm->counts().frames / peers, .messages = swarm->counts().sent};
    swarm->set_workload(nullptr);
    return std::optional{figures};
}

}  // namespace fray::lab
