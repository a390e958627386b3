#pragma once
// What one player feels of the netcode, measured live by one peer: the five metrics of section 6.1.4 of "The
// human factors of consistency maintenance in multiplayer computer games" (2010), over the last second.
//
// A peer knows what its own screen shows, and hears later where the others really were. State divergence
// needs the other screen as well: it is taken to lag behind its player as much as ours does, which holds if
// both players use the same algorithm. lab/metrics measures the same from the logs of both screens.

#include <fray/consistency.hpp>
#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace fray::games {

/// Distances in units of the world. A figure without events in the second is unset.
struct Feel {
    std::optional<double> divergence{};      ///< between the two screens, mean
    std::optional<double> propagation_ms{};  ///< from another player's action to its effect on this screen
    double corrections_per_s = 0;            ///< of one entity, mean
    double correction = 0;                   ///< length, mean
    std::optional<double> response_ms{};     ///< from an own action to its effect on this screen
    std::optional<double> animation_ms{};    ///< between two changes of a moving entity on this screen
};

class FeelMeter {
public:
    static constexpr Duration kWindow{1s};

    /// Once per frame and entity, with what this frame draws.
    void draw_own(SessionInstant now, const LocalView& view);
    void draw_other(SessionInstant now, const Replica& replica);
    /// After all entities of the frame.
    void end_frame(SessionInstant now);
    /// Of the last full second.
    [[nodiscard]] const Feel& feel() const { return feel_; }

private:
    struct Mean {
        double sum = 0;
        std::uint64_t count = 0;
        void add(double value) {
            sum += value;
            ++count;
        }
        [[nodiscard]] std::optional<double> value() const {
            return count == 0 ? std::nullopt : std::optional{sum / static_cast<double>(count)};
        }
    };
    struct Point {
        SessionInstant at;
        Vec3 place;
    };
    /// Another player's entity.
    struct Seen {
        std::deque<Point> drawn{};       // lately, oldest first
        std::optional<Point> changed{};  // when it moved on the screen last
        std::deque<Point> truths{};      // where its owner's screen showed it, not yet compared
        SessionInstant stamp{};
        Corrections corrections{};
        bool is_fresh = false;  // drawn in this frame
    };
    struct Sums {
        Mean divergence, propagation, response, animation, correction;
        std::uint64_t entity_frames = 0, frames = 0;
    };
    void compare(Seen& seen);

    std::map<EntityId, Seen> others_;
    Duration own_lag_{};
    std::optional<SessionInstant> since_;
    Sums sums_;
    Feel feel_;
};

}  // namespace fray::games
