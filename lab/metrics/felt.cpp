#include "lab/metrics/felt.hpp"

#include "lab/metrics/divergence.hpp"
#include "lab/metrics/screen_timing.hpp"
#include "lab/metrics/visible_jump.hpp"

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

}  // namespace

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
                .inputs_unseen = propagation.unseen};
    add_decisions(result, viewer.decisions, measured);
    return result;
}

}  // namespace fray::lab
