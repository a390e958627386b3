#pragma once
// One replica on this screen, as its guide moved it so far.

#include <fray/guide.hpp>
#include <fray/state.hpp>

#include "core/sighting.hpp"
#include "guidance/guidance_message.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

/// What the owner told, and when.
struct HeardAdvice {
    SessionInstant when;           ///< of the prediction
    std::optional<Vec3> position;  ///< else by the receiver's own prediction
    Advice::Target target{};
    std::uint16_t peer = 0;
    Facing deviation{};
    bool resolved = false;  ///< `aim` was looked up
    std::optional<Aim> aim{};
};

struct Track {
    std::uint32_t number = 0;
    ReplicaMode mode = ReplicaMode::guided;
    bool begun = false;        ///< it was shown before
    bool stop_due = false;     ///< the owner is to be told that guidance may stop
    bool is_near = false;      ///< it came within a diameter of the true position since it was guided
    bool other_clock = false;  ///< the clock was stepped: its moments are of another time
    bool placed = false;       ///< the owner placed it elsewhere, and it has not reappeared yet
    SessionInstant shown_at{};
    SessionInstant hurried{};  ///< when it exceeded the top speed, or may have done so
    Pose shown;
    // A guide moves in ticks. What is shown lies between the last two poses, so that it moves evenly.
    SessionInstant next_at{};
    Pose before;
    Pose next;
    std::vector<std::uint8_t> payload;  ///< at the end of the step
    // The owner's newest state, to find out that it placed the entity elsewhere.
    SessionInstant told_at{};
    Vec3 told;
    SessionInstant stop_sent{};
    std::optional<HeardAdvice> advice{};
    Guidance guidance{};  ///< of the last step

    /// What the screen showed up to a tick ago: however often it is read, a tick's change fits into a tick.
    struct Anchor {
        SessionInstant at{};
        Pose pose;
        std::vector<std::uint8_t> payload;
    } anchor{};
    void anchor_here() { anchor = {shown_at, shown, payload}; }

    /// Guided from what is on the screen.
    void begin_steps() {
        before = next = shown;
        next_at = shown_at;
    }
};

}  // namespace fray
