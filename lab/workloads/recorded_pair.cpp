#include "lab/workloads/recorded_pair.hpp"

#include "games/snagger/rules/entity.hpp"
#include "lab/metrics/adaptive_cost.hpp"

#include <algorithm>

namespace fray::lab {

namespace {

/// Half of it: there are two ships.
void add(Felt& sum, const Felt& f) {
    const double most = std::max(sum.visible_jump_most, f.visible_jump_most);
    for (const FeltFigure& figure : kFeltFigures) sum.*figure.value += f.*figure.value / 2;
    sum.visible_jump_most = most;
    sum.inputs += f.inputs;
    sum.inputs_unanswered += f.inputs_unanswered;
    sum.inputs_unseen += f.inputs_unseen;
    sum.decisions += f.decisions;
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

Result<std::optional<PairFigures>> play_recorded(const Consistency& consistency, const NetworkModel& network,
                                                 std::uint64_t recording, Seed seed, RunContext& context,
                                                 const Besides& besides) {
    auto swarm = Swarm::create({.network = network}, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    SnaggerPair pair{snagger::record(Seed{recording}, snagger::kRecordedInputs), consistency, besides};
    const PeerOptions options{
        .world = snagger::world(), .count_corrections = true, .consistency = consistency};
    for (PeerIndex i = 0; i <= kSerializerIndex; ++i) {
        if (auto added = swarm->add_peer(options); !added) return added.error();
    }
    if (!pair.run(*swarm, context)) return std::optional<PairFigures>{};
    PairFigures figures;
    for (std::size_t ship = 0; ship < 2; ++ship) {
        add(figures.felt, felt(pair.owner(ship), pair.viewer(ship), pair.measured()));
        figures.cost += adaptive_cost(pair.owner(ship), pair.viewer(ship), pair.measured()) / 2;
        figures.top_speed = std::max(figures.top_speed, top_speed(pair.owner(ship)));
    }
    const double span = seconds(pair.measured().length());
    figures.bytes_per_s = static_cast<double>(pair.bytes_sent(0) + pair.bytes_sent(1)) / 2 / span;
    figures.serializer_bytes_per_s = static_cast<double>(pair.bytes_sent(kSerializerIndex)) / span;
    figures.trades = pair.trades();
    figures.work = {.peers = 3, .rounds = swarm->counts().frames / 3, .messages = swarm->counts().sent};
    swarm->set_workload(nullptr);
    return std::optional{figures};
}

}  // namespace fray::lab
