#include "lab/metrics/felt.hpp"

#include "lab/metrics/divergence.hpp"
#include "lab/metrics/screen_timing.hpp"
#include "lab/metrics/visible_jump.hpp"

namespace fray::lab {

Felt felt(const OwnerLog& owner, const ViewerLog& viewer, const SessionSpan& measured) {
    if (measured.length() == Duration{0}) return {};
    const Trail simulated = trail_of(owner.simulated);
    const Trail shown = trail_of(viewer.screen);
    const std::vector<ScreenFrame> screen = in_order(viewer.screen);
    const InputDelay response = input_delay(owner.simulated, in_order(owner.screen), measured);
    const InputDelay propagation = input_delay(owner.simulated, screen, measured);
    const VisibleJump jump = visible_jump(shown, simulated, measured);
    const double length = seconds(measured.length());
    return {.state_divergence = state_divergence(trail_of(owner.screen), shown, measured),
            .state_divergence_owner = state_divergence(simulated, shown, measured),
            .propagation_ms = propagation.mean_ms,
            .corrections = viewer.corrections.sum / length,
            .corrections_per_s = static_cast<double>(viewer.corrections.count) / length,
            .response_ms = response.mean_ms,
            .animation_ms = animation_ms(screen, simulated, measured),
            .visible_jump = jump.p99,
            .visible_jump_most = jump.most,
            .shape_divergence = shape_divergence(shown, simulated, measured),
            .duration_divergence = duration_divergence(screen, measured),
            .inputs = response.inputs,
            .inputs_unanswered = response.unseen,
            .inputs_unseen = propagation.unseen};
}

}  // namespace fray::lab
