#include "lab/workloads/consistency.hpp"

#include "games/snagger/rules/entity.hpp"
#include "lab/metrics/felt.hpp"
#include "lab/workloads/consistency_setup.hpp"
#include "lab/workloads/snagger_pair.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace fray::lab {

namespace {

std::vector<ColumnSpec> felt_columns() {
    using enum Aggregate;
    return {
        {"state_divergence_pct", "%", mean, "of the screen, between the two screens"},
        {"state_divergence_owner_pct", "%", mean, "between the viewer's screen and the owner's state"},
        {"propagation_ms", "ms", mean, "from an input to its effect on the other's screen"},
        {"corrections_pct_per_s", "%/s", mean, "how far the ship had to be moved for what was heard"},
        {"corrections_per_s", "1/s", mean, "how often"},
        {"response_ms", "ms", mean, "from an input to its effect on the own screen"},
        {"animation_ms", "ms", mean, "between two changes of the ship on the other's screen"},
        {"visible_jump_pct", "%", mean, "99th percentile: farther than the owner moves in a frame"},
        {"visible_jump_max_pct", "%", max, "the same, at most"},
        {"shape_divergence_pct", "%", mean, "between the path that was shown and the one that was"},
        {"duration_divergence_pct", "%", mean, "how much longer or shorter half a second takes on screen"},
        {"bytes_per_s", "B/s", mean, "sent by a player, all headers included"},
        {"serializer_bytes_per_s", "B/s", mean, "sent by the third peer"},
        {"inputs", "", sum, "of both players"},
        {"inputs_unseen", "", sum, "without an effect on the other's screen before the end"}};
}

void report(const SnaggerPair& pair, RunOutput& output) {
    std::map<std::string, double> sums;
    double jump = 0;
    for (std::size_t ship = 0; ship < 2; ++ship) {
        const Felt f = felt(pair.owner(ship), pair.viewer(ship), pair.measured());
        sums["state_divergence_pct"] += f.state_divergence / 2;
        sums["state_divergence_owner_pct"] += f.state_divergence_owner / 2;
        sums["propagation_ms"] += f.propagation_ms / 2;
        sums["corrections_pct_per_s"] += f.corrections / 2;
        sums["corrections_per_s"] += f.corrections_per_s / 2;
        sums["response_ms"] += f.response_ms / 2;
        sums["animation_ms"] += f.animation_ms / 2;
        sums["visible_jump_pct"] += f.visible_jump / 2;
        sums["shape_divergence_pct"] += f.shape_divergence / 2;
        sums["duration_divergence_pct"] += f.duration_divergence * 100 / 2;
        sums["inputs"] += static_cast<double>(f.inputs);
        sums["inputs_unseen"] += static_cast<double>(f.inputs_unseen);
        jump = std::max(jump, f.visible_jump_most);
    }
    for (const auto& [name, value] : sums) output.set(name, value);
    output.set("visible_jump_max_pct", jump);
    const double span = seconds(pair.measured().length());
    output.set("bytes_per_s", static_cast<double>(pair.bytes_sent(0) + pair.bytes_sent(1)) / 2 / span);
    output.set("serializer_bytes_per_s", static_cast<double>(pair.bytes_sent(kSerializerIndex)) / span);
}

}  // namespace

ConsistencyExperiment::ConsistencyExperiment()
    : TabledExperiment{"consistency", consistency_parameters(), felt_columns()} {}

Result<void> ConsistencyExperiment::check(const Parameters& parameters) const {
    return consistency_of(parameters).check();
}

Result<void> ConsistencyExperiment::check_files(const Parameters& parameters) const {
    const auto network = consistency_network(parameters);
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> ConsistencyExperiment::run(const Parameters& parameters, Seed seed,
                                             RunContext& context) const {
    auto network = consistency_network(parameters);
    if (!network) return network.error();
    auto swarm = Swarm::create({.network = std::move(*network)}, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    const auto first = static_cast<std::uint64_t>(parameters.integer("first_recording"));
    SnaggerPair pair{snagger::record(Seed{first + context.replication()}, snagger::kRecordedInputs),
                     consistency_of(parameters)};
    PeerOptions options{.world = snagger::world(), .consistency = consistency_of(parameters)};
    for (PeerIndex i = 0; i < 3; ++i) {
        if (auto added = swarm->add_peer(options); !added) return added.error();
    }
    RunOutput output;
    if (!pair.run(*swarm, context)) return output;
    report(pair, output);
    output.work = {.peers = 3, .rounds = swarm->counts().frames / 3, .messages = swarm->counts().sent};
    swarm->set_workload(nullptr);
    return output;
}

}  // namespace fray::lab
