#pragma once
// What a player feels of another player's entity, as figures: the five metrics of section 6.1.4 of the paper,
// the visible jump, and timeline divergence (3.3). Distances in units of the world.

namespace fray::lab {

struct Felt {
    double state_divergence = 0;        ///< between the two screens, mean over time
    double state_divergence_owner = 0;  ///< between the viewer's screen and the owner's simulated state
    double propagation_ms = 0;          ///< from an input to its effect on the viewer's screen, mean
    double corrections = 0;             ///< units per second, before any blending
    double corrections_per_s = 0;
    double response_ms = 0;          ///< from an input to its effect on the owner's screen, mean
    double animation_ms = 0;         ///< between two changes on the viewer's screen, mean
    double visible_jump = 0;         ///< p99: how much farther than the owner ever moves in a frame
    double visible_jump_most = 0;    ///< maximum
    double shape_divergence = 0;     ///< between the shown path and the path that was, whenever it was shown
    double duration_divergence = 0;  ///< how much longer or shorter movements take on screen; 0.1: a tenth
};

}  // namespace fray::lab
