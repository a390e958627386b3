#pragma once
// What two screens showed of one entity, frame by frame: the input of all figures of Felt. A game in the
// simulator and one over UDP write the same logs and are measured in the same way. All times are session
// time.
//
// Frames are in drawing order. The session clock may be set back after a long separation; a frame with a time
// before its predecessor's gets its predecessor's time.

#include <fray/consistency.hpp>
#include <fray/geometry.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray::lab {

/// One frame on a screen, shown until the next.
struct ScreenFrame {
    SessionInstant shown{};
    Vec3 position{};
    SessionInstant told{};    ///< stamp of the owner's newest state that the position depends on
    SessionInstant moment{};  ///< the owner's time that the position stands for
};

/// One frame of the owner's simulation.
struct OwnerFrame {
    SessionInstant polled{};  ///< when the player's input was read
    Vec3 simulated{};         ///< the state, valid from `polled` on
    /// Stamp of the first state that includes this input; unset: this frame's.
    std::optional<SessionInstant> applied{};
};

/// The owner's side.
struct OwnerLog {
    std::vector<OwnerFrame> simulated{};
    std::vector<ScreenFrame> screen{};  ///< its own entity on its own screen
};

/// An action of the viewer on the entity, and the owner's decision (Peer::interact, Answered).
struct Decision {
    SessionInstant asked{};
    SessionInstant shown{};  ///< when the viewer's screen showed the answer
    bool as_seen = true;     ///< the decision agrees with the viewer's screen
};

/// The log of a viewer of the entity.
struct ViewerLog {
    std::vector<ScreenFrame> screen{};
    Corrections corrections{};  ///< within the measured span only
    std::vector<Decision> decisions{};
    std::uint64_t unanswered = 0;  ///< decisions requested in the measured span that never came
};

/// [from, until).
struct SessionSpan {
    SessionInstant from{};
    SessionInstant until{};

    [[nodiscard]] bool contains(SessionInstant at) const { return at >= from && at < until; }
    [[nodiscard]] Duration length() const { return until > from ? until - from : Duration{0}; }
};

/// A position from `since` until the next one.
struct Stay {
    SessionInstant since{};
    Vec3 position{};
};
/// In order of time.
using Trail = std::vector<Stay>;

[[nodiscard]] Trail trail_of(std::span<const OwnerFrame> simulated);
[[nodiscard]] Trail trail_of(std::span<const ScreenFrame> screen);

/// The same frames, with times that never decrease.
[[nodiscard]] std::vector<ScreenFrame> in_order(std::vector<ScreenFrame> screen);

}  // namespace fray::lab
