#pragma once
// What two screens showed of one entity, frame by frame: all that the figures of Felt are made of. A game in
// the simulator and one over UDP write the same logs, so both are judged alike. All times are session time.
//
// Frames stand in the order in which they were drawn. The session clock may be set back after a long
// separation; a frame with a time before its predecessor's counts as of its predecessor's.

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
    SessionInstant told{};    ///< stamp of the owner's newest state that has a part in the position
    SessionInstant moment{};  ///< the owner's time that the position stands for
};

/// One frame of the owner's simulation.
struct OwnerFrame {
    SessionInstant polled{};  ///< when the player's input was read
    Vec3 simulated{};         ///< the state, valid from `polled` on
    /// The stamp of the first state that has this input in it; unset: of this frame's.
    std::optional<SessionInstant> applied{};
};

/// The owner's side.
struct OwnerLog {
    std::vector<OwnerFrame> simulated{};
    std::vector<ScreenFrame> screen{};  ///< what its own screen showed of its own entity
};

/// Something that the viewer did to the entity, and that its owner decided of it (Peer::interact, Answered).
struct Decision {
    SessionInstant asked{};
    SessionInstant shown{};  ///< when the viewer's screen showed the answer
    bool as_seen = true;     ///< it was what the viewer's screen had shown: a hit there is a hit
};

/// The log of a viewer of the entity.
struct ViewerLog {
    std::vector<ScreenFrame> screen{};
    Corrections corrections{};  ///< of the measured span alone: what was counted before it is taken off
    std::vector<Decision> decisions{};
    std::uint64_t unanswered = 0;  ///< decisions asked for in the measured span that never came
};

/// From `from` until just before `until`.
struct SessionSpan {
    SessionInstant from{};
    SessionInstant until{};

    [[nodiscard]] bool contains(SessionInstant at) const { return at >= from && at < until; }
    [[nodiscard]] Duration length() const { return until > from ? until - from : Duration{0}; }
};

/// Where something was from `since` on, until the next one.
struct Stay {
    SessionInstant since{};
    Vec3 position{};
};
/// In the order of time.
using Trail = std::vector<Stay>;

[[nodiscard]] Trail trail_of(std::span<const OwnerFrame> simulated);
[[nodiscard]] Trail trail_of(std::span<const ScreenFrame> screen);

/// The same frames with times that never go back.
[[nodiscard]] std::vector<ScreenFrame> in_order(std::vector<ScreenFrame> screen);

}  // namespace fray::lab
