#pragma once
// What a player experiences of another player's entity, as figures: the five metrics of section 6.1.4 of the
// paper, the visible jump, timeline divergence (3.3), and decisions about actions on it (3.4). Distances in
// units of the world.

#include <fray/world.hpp>

#include "lab/metrics/screen_log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fray::lab {

struct Felt {
    double state_divergence = 0;        ///< between the two screens, mean over time
    double state_divergence_owner = 0;  ///< between the viewer's screen and the owner's simulated state
    double propagation_ms = 0;          ///< from an input to its effect on the viewer's screen, mean
    double corrections = 0;             ///< units per second, before any blending
    double corrections_per_s = 0;
    double response_ms = 0;          ///< from an input to its effect on the owner's screen, mean
    double animation_ms = 0;         ///< between two changes on the viewer's screen, mean
    double visible_jump = 0;         ///< p99: how much farther than the owner's largest step in a frame
    double visible_jump_most = 0;    ///< maximum
    double shape_divergence = 0;     ///< between the shown path and the true path, at any time
    double duration_divergence = 0;  ///< how much longer or shorter movements take on screen; 0.1: a tenth
    double decision_ms = 0;          ///< from a shot, or the like, to the owner's answer on the screen, mean
    double wrong_decisions = 0;      ///< %: decisions that contradict the viewer's screen

    std::uint64_t inputs = 0;             ///< polled in the span
    std::uint64_t inputs_unanswered = 0;  ///< without effect on the owner's screen, so not in response_ms
    std::uint64_t inputs_unseen = 0;      ///< without effect on the viewer's screen, so not in propagation_ms
    std::uint64_t viewer_frames = 0;      ///< in the span, with the entity on the viewer's screen
    std::uint64_t decisions = 0;          ///< asked for in the span, and answered
    std::uint64_t decisions_open = 0;     ///< not answered before the end of the log, so not in decision_ms
};

/// The number of events behind a figure. If it is 0, the figure means nothing.
enum class MadeOf : std::uint8_t { frames, answered_inputs, seen_inputs, changes, decisions };

/// All figures and counts, for averaging, storing and showing.
struct FeltFigure {
    const char* name;
    double Felt::*value;
    MadeOf of = MadeOf::frames;
};
inline constexpr std::array<FeltFigure, 13> kFeltFigures{{
    {"state_divergence", &Felt::state_divergence},
    {"state_divergence_owner", &Felt::state_divergence_owner},
    {"propagation_ms", &Felt::propagation_ms, MadeOf::seen_inputs},
    {"corrections", &Felt::corrections},
    {"corrections_per_s", &Felt::corrections_per_s},
    {"response_ms", &Felt::response_ms, MadeOf::answered_inputs},
    {"animation_ms", &Felt::animation_ms, MadeOf::changes},
    {"visible_jump", &Felt::visible_jump},
    {"visible_jump_most", &Felt::visible_jump_most},
    {"shape_divergence", &Felt::shape_divergence},
    {"duration_divergence", &Felt::duration_divergence},
    {"decision_ms", &Felt::decision_ms, MadeOf::decisions},
    {"wrong_decisions", &Felt::wrong_decisions, MadeOf::decisions},
}};

struct FeltCount {
    const char* name;
    std::uint64_t Felt::*value;
};
inline constexpr std::array<FeltCount, 6> kFeltCounts{{
    {"inputs", &Felt::inputs},
    {"inputs_unanswered", &Felt::inputs_unanswered},
    {"inputs_unseen", &Felt::inputs_unseen},
    {"viewer_frames", &Felt::viewer_frames},
    {"decisions", &Felt::decisions},
    {"decisions_open", &Felt::decisions_open},
}};
static_assert(sizeof(Felt) ==
                  kFeltFigures.size() * sizeof(double) + kFeltCounts.size() * sizeof(std::uint64_t),
              "a figure or a count is missing in the lists");

/// Whether any event is behind this figure.
[[nodiscard]] bool has(const Felt& felt, const FeltFigure& figure);

/// Combines several: the mean of each figure over those that have it, and the sum of counts.
class FeltMean {
public:
    void add(const Felt& felt);
    /// A figure that none of them has is 0.
    [[nodiscard]] Felt mean() const;

private:
    Felt sums_{};
    std::array<std::size_t, kFeltFigures.size()> having_{};
};

/// The experience of this viewer. A figure without events is 0, never NaN. A 0 may mean that all was well or
/// that nothing happened: ask has(), or look at the counts. If the world wraps, pass it (PeerOptions::world):
/// otherwise an entity seen a frame late across the edge counts as a whole world away.
[[nodiscard]] Felt felt(const OwnerLog& owner, const ViewerLog& viewer, const SessionSpan& measured,
                        const World& world = {});

}  // namespace fray::lab
