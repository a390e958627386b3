#pragma once
// Guidable AI (Donnybrook, section III-C): how a replica moves while updates about it arrive seldom.
//
// A peer sends frequent updates only to the peers that focus on its entities. Shown directly, a replica that
// gets one update per second would jump. Instead a guide steers it: towards the position that its owner
// predicts, and facing the target that its owner aims at. What the player sees is plausible, and roughly
// right. Once frequent updates arrive, the guide brings the replica within one diameter of the true position;
// from then on updates are shown directly.
//
// Every replica is in one of three modes (Replica::mode):
//
//     direct      updates are frequent, and it is where the consistency algorithm of its owner says; it may
//                 still turn, if EntityType::valid forbids to turn at once
//     guided      updates are seldom: a guide steers it, never faster than GuidanceOptions::top_speed
//     converging  updates are frequent again: steered to the true position, up to 25 % faster
//
// A game may register a guide for an entity type (EntityType::guide), for example the routines that drive its
// bots. Without one, Fray steers the replica within the speed and the turn limit of GuidanceOptions, through
// whatever is in the way. Either way no replica exceeds its limit of speed, and none steps, but for one that
// its owner placed elsewhere (GuideStep::placed).
//
// Actions: the payload of every update says what the entity is and did. A game that wants actions to be
// replayed counts them in the payload, for example the shots fired. A guide is given the payload that the
// owner sent and the payload that was shown last; it advances the shown counters at a plausible pace until
// both are equal. What is replayed must have no effect: shots are blanks. Of a replica that nobody reads, no
// action is replayed.
//
// Guides run only when a replica is read (Peer::replicas(), Peer::replica()).

#include <fray/geometry.hpp>
#include <fray/ids.hpp>
#include <fray/pure_function.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

enum class ReplicaMode : std::uint8_t { direct, guided, converging };

/// Where an entity looks, in degrees as in Pose.
struct Facing {
    float yaw = 0;
    float pitch = 0;
};

/// The entity that another one aims at, and the angles from there to where it looks, in degrees: (-180, 180].
/// Relative to the target, because replicas of both may be shown elsewhere than they are.
struct Aim {
    EntityId target;
    Facing deviation;
};

/// What is known of an entity's near future.
struct Guidance {
    /// The pose at `when`, if its owner's input does not change. While the replica converges: as its updates
    /// say directly.
    Pose predicted;
    SessionInstant when;  ///< end of the step
    std::optional<Aim> aim{};
};

/// The poses on this screen.
class ShownWorld {
public:
    /// Where the screen showed the entity last; nothing if it is unknown.
    [[nodiscard]] virtual std::optional<Pose> shown(const EntityId& id) const = 0;

protected:
    ~ShownWorld() = default;
};

/// One step of a replica, as a guide is told. References and spans are valid during the call.
struct GuideStep {
    Pose shown;                                   ///< at the beginning of the step
    std::span<const std::uint8_t> shown_payload;  ///< likewise
    Pose direct;                                  ///< what would be shown without a guide
    std::span<const std::uint8_t> told_payload;   ///< as in the owner's latest update
    std::span<const std::uint8_t> told_input;     ///< likewise
    Guidance guidance;
    SessionInstant from;   ///< beginning of the step
    Duration length{};     ///< of the step: World::tick
    float top_speed = 0;   ///< units per second; it must not move faster
    float turn_limit = 0;  ///< degrees per second, of the built-in guide
    bool converging = false;
    /// The owner placed it elsewhere: between its last two known updates it moved farther than it could have
    /// travelled at twice its top speed, plus a diameter. A guide may let it reappear there.
    bool placed = false;
};

/// What is shown at the end of a step.
struct Guided {
    Pose pose;
    bool reappears = false;  ///< it is placed there, from one moment to the next, and not moved
};

/// A guide. Must be pure and deterministic, and must change nothing but its result: a replica never changes
/// another object. `payload` holds a copy of told_payload; the guide may change it to what is to be shown.
/// May have a context, as a motion model: GuideFunction::with<&function>(map).
using GuideFunction =
    PureFunction<Guided(const GuideStep& step, const ShownWorld& world, std::vector<std::uint8_t>& payload)>;

/// Where an entity looks, if that is not the yaw and pitch of its pose: for example by the turret. Must be
/// pure.
using FacingFunction = PureFunction<Facing(const Pose& pose, std::span<const std::uint8_t> payload)>;

/// Options of a peer, both as an owner (it tells guidance) and as one that shows replicas. Off by default.
struct GuidanceOptions {
    bool enabled = false;
    /// Units: a replica that is this close to its true position has converged. Above 0.
    float diameter = 1;
    /// Units per second, of the fastest entity. 0: World::velocity_limit.
    float top_speed = 0;
    float turn_limit = 360;  ///< degrees per second, above 0; of entities without a guide of their own
    /// Owners predict at most so far ahead: one tick to 1 s. Beyond that, unchanged input predicts little.
    Duration longest_prediction{1s};
};

}  // namespace fray
