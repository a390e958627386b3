#include "lab/metrics/felt.hpp"

#include "lab/metrics/divergence.hpp"
#include "lab/metrics/screen_timing.hpp"
#include "lab/metrics/visible_jump.hpp"

#include <algorithm>

namespace fray::lab {

namespace {

void add_decisions(Felt& felt, const std::vector<Decision>& decisions, const SessionSpan& measured) {
    double sum_ms = 0;
    double wrong = 0;
    for (const Decision& decision : decisions) {
        if (!measured.contains(decision.asked)) continue;
        ++felt.decisions;
        sum_ms += millis(decision.shown - decision.asked);
        wrong += decision.as_seen ? 0 : 1;
    }
    if (felt.decisions == 0) return;
    felt.decision_ms = sum_ms / static_cast<double>(felt.decisions);
    felt.wrong_decisions = 100 * wrong / static_cast<double>(felt.decisions);
}

std::uint64_t frames_in(const std::vector<ScreenFrame>& screen, const SessionSpan& measured) {
    const auto shown = [&](const ScreenFrame& frame) { return measured.contains(frame.shown); };
    return static_cast<std::uint64_t>(std::count_if(screen.begin(), screen.end(), shown));
}

}  // namespace

bool has(const Felt& felt, const FeltFigure& figure) {
    switch (figure.of) {
        case MadeOf::frames:
            return felt.viewer_frames > 0;
        case MadeOf::answered_inputs:
            return felt.inputs > felt.inputs_unanswered;
        case MadeOf::seen_inputs:
            return felt.inputs > felt.inputs_unseen;
        case MadeOf::changes:
            return felt.animation_ms > 0;  // the time between two changes is never 0
        case MadeOf::decisions:
            return felt.decisions > 0;
    }
    return false;
}

void FeltMean::add(const Felt& felt) {
    for (std::size_t i = 0; i < kFeltFigures.size(); ++i) {
        if (!has(felt, kFeltFigures[i])) continue;
        sums_.*kFeltFigures[i].value += felt.*kFeltFigures[i].value;
        ++having_[i];
    }
    for (const FeltCount& count : kFeltCounts) sums_.*count.value += felt.*count.value;
}

Felt FeltMean::mean() const {
    Felt mean = sums_;
    for (std::size_t i = 0; i < kFeltFigures.size(); ++i) {
        if (having_[i] > 0) mean.*kFeltFigures[i].value /= static_cast<double>(having_[i]);
    }
    return mean;
}

Felt felt(const OwnerLog& owner, const ViewerLog& viewer, const SessionSpan& measured, const World& world) {
    if (measured.length() == Duration{0}) return {};
    const Trail simulated = trail_of(owner.simulated);
    const Trail shown = trail_of(viewer.screen);
    const std::vector<ScreenFrame> screen = in_order(viewer.screen);
    const InputDelay response = input_delay(owner.simulated, in_order(owner.screen), measured);
    const InputDelay propagation = input_delay(owner.simulated, screen, measured);
    const VisibleJump jump = visible_jump(shown, simulated, measured, world);
    const double length = seconds(measured.length());
    Felt result{.state_divergence = state_divergence(trail_of(owner.screen), shown, measured, world),
                .state_divergence_owner = state_divergence(simulated, shown, measured, world),
                .propagation_ms = propagation.mean_ms,
                .corrections = viewer.corrections.sum / length,
                .corrections_per_s = static_cast<double>(viewer.corrections.count) / length,
                .response_ms = response.mean_ms,
                .animation_ms = animation_ms(screen, simulated, measured),
                .visible_jump = jump.p99,
                .visible_jump_most = jump.most,
                .shape_divergence = shape_divergence(shown, simulated, measured, world),
                .duration_divergence = duration_divergence(screen, measured),
                .inputs = response.inputs,
                .inputs_unanswered = response.unseen,
                .inputs_unseen = propagation.unseen,
                .viewer_frames = frames_in(screen, measured),
                .decisions_open = viewer.unanswered};
    add_decisions(result, viewer.decisions, measured);
    return result;
}

}  // namespace fray::lab
