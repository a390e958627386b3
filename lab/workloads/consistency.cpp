#include "lab/workloads/consistency.hpp"

#include "lab/workloads/consistency_setup.hpp"
#include "lab/workloads/recorded_pair.hpp"
#include "lab/workloads/situations.hpp"

#include <string>

namespace fray::lab {

namespace {

std::vector<ColumnSpec> felt_columns() {
    using enum Aggregate;
    return {
        {"state_divergence_pct", "%", mean, "of the screen, between the two screens"},
        {"state_divergence_owner_pct", "%", mean, "between the viewer's screen and the owner's state"},
        {"propagation_ms", "ms", mean, "from an input to its effect on the other's screen"},
        {"corrections_pct_per_s", "%/s", mean, "distance by which updates repaired the shown position"},
        {"corrections_per_s", "1/s", mean, "number of these corrections"},
        {"response_ms", "ms", mean, "from an input to its effect on the own screen"},
        {"animation_ms", "ms", mean, "between two changes of the ship on the other's screen"},
        {"visible_jump_pct", "%", mean, "99th percentile: farther than the owner moves in a frame"},
        {"visible_jump_max_pct", "%", max, "the same, at most"},
        {"shape_divergence_pct", "%", mean, "between the path that was shown and the one that was"},
        {"duration_divergence_pct", "%", mean, "how much longer or shorter half a second takes on screen"},
        {"decision_ms", "ms", mean, "death_decision: from a shot to the answer of the target's owner"},
        {"wrong_decisions_pct", "%", mean, "death_decision: decisions that contradict the shooter's screen"},
        {"decisions", "", sum, "death_decision: shots that were answered"},
        {"trade_response_ms", "ms", mean, "trade: from an offer until the proposer sees it done"},
        {"trade_ms", "ms", mean, "trade: from an offer until both see it done"},
        {"trades", "", sum, "trade: committed"},
        {"trades_undone", "", sum, "trade: refused, or not known to both before the end"},
        {"bytes_per_s", "B/s", mean, "sent by a player, all headers included"},
        {"serializer_bytes_per_s", "B/s", mean, "sent by the third peer"},
        {"satisfied_pct", "%", mean, "of the recordings: all requirements of the situation are met"},
        {"missed_by_pct", "%", mean,
         "by how much the worst requirement is missed; no value if nothing arrived"},
        {"inputs", "", sum, "of both players"},
        {"inputs_unseen", "", sum, "without an effect on the other's screen before the end"}};
}

void report(const PairFigures& figures, RunOutput& output) {
    const Felt& f = figures.felt;
    output.set("state_divergence_pct", f.state_divergence);
    output.set("state_divergence_owner_pct", f.state_divergence_owner);
    output.set("propagation_ms", f.propagation_ms);
    output.set("corrections_pct_per_s", f.corrections);
    output.set("corrections_per_s", f.corrections_per_s);
    output.set("response_ms", f.response_ms);
    output.set("animation_ms", f.animation_ms);
    output.set("visible_jump_pct", f.visible_jump);
    output.set("visible_jump_max_pct", f.visible_jump_most);
    output.set("shape_divergence_pct", f.shape_divergence);
    output.set("duration_divergence_pct", f.duration_divergence * 100);
    output.set("bytes_per_s", figures.bytes_per_s);
    output.set("serializer_bytes_per_s", figures.serializer_bytes_per_s);
    output.set("inputs", f.inputs);
    output.set("inputs_unseen", f.inputs_unseen);
}

void report_besides(const PairFigures& figures, RunOutput& output) {
    if (figures.felt.decisions > 0) {
        output.set("decision_ms", figures.felt.decision_ms);
        output.set("wrong_decisions_pct", figures.felt.wrong_decisions);
        output.set("decisions", figures.felt.decisions);
    }
    const TradeFigures& trades = figures.trades;
    if (trades.done + trades.undone == 0) return;
    output.set("trade_response_ms", trades.response_ms);
    output.set("trade_ms", trades.both_ms);
    output.set("trades", trades.done);
    output.set("trades_undone", trades.undone);
}

/// Whether there was anything to judge: if nothing was seen, nothing was late either.
bool happened(const Situation& situation, const PairFigures& figures) {
    if (situation.name == kTrade) return figures.trades.done > 0;
    return playable(figures.felt) && (!about_decisions(situation.tolerances) || decided(figures.felt));
}

/// Whether the figures satisfy the situation.
void judge(const std::string& name, const PairFigures& figures, RunOutput& output) {
    const Situation* situation = find_situation(name);
    if (situation == nullptr) return;
    Felt felt = figures.felt;
    if (!happened(*situation, figures)) return output.set("satisfied_pct", 0.0);
    if (name == kTrade) {  // judged by the trades, not by the ships
        felt.response_ms = figures.trades.response_ms;
        felt.propagation_ms = figures.trades.both_ms;
    }
    const auto missed = exceeded(situation->tolerances, felt);
    output.set("satisfied_pct", missed.empty() ? 100.0 : 0.0);
    output.set("missed_by_pct", missed.empty() ? 0.0 : missed.front().share * 100);
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
    const auto network = consistency_network(parameters);
    if (!network) return network.error();
    const auto recording =
        static_cast<std::uint64_t>(parameters.integer("first_recording")) + context.replication();
    const auto figures =
        play_recorded(consistency_of(parameters), *network, recording, seed, context, besides_of(parameters));
    if (!figures) return figures.error();
    RunOutput output;
    if (!figures->has_value()) return output;
    report(**figures, output);
    report_besides(**figures, output);
    judge(parameters.text("situation"), **figures, output);
    output.work = (*figures)->work;
    return output;
}

}  // namespace fray::lab
