#pragma once
// The interface of consistency algorithms. For one entity at one peer, an algorithm decides which moment each
// screen shows, what is shown if no update of that moment has arrived, and which route updates take. Each
// algorithm has one file; the options are in <fray/consistency.hpp>.

#include "consistency/timeline.hpp"
#include "core/sighting.hpp"

#include <memory>
#include <optional>

namespace fray {

/// The entity that an algorithm shows, and its options.
struct Subject {
    const World* world = nullptr;
    EntityTypeId type{};
    Duration horizon{};
    Duration interval{};
};

class ConsistencyAlgorithm {
public:
    virtual ~ConsistencyAlgorithm() = default;

    /// How far the owner's screen, and all other screens, are behind.
    [[nodiscard]] virtual Duration own_lag() const { return {}; }
    [[nodiscard]] virtual Duration remote_lag() const { return {}; }
    /// Another peer's entity at this moment of its owner's time. The timeline is not empty.
    [[nodiscard]] virtual Shown show(const Subject& subject, const Timeline& timeline,
                                     SessionInstant moment) const = 0;
    /// An update arrived and was added to the timeline; `moment` is on the screen.
    virtual void learn(const Subject& subject, const Timeline& timeline, SessionInstant moment);
    /// Replaces an algorithm of the same kind with other parameters, and keeps what that one learnt.
    virtual void inherit(const ConsistencyAlgorithm& former);
    /// Time in which a correction fades to 1/e; zero: it is applied at once.
    [[nodiscard]] virtual Duration blend() const { return {}; }
    /// The peer that updates are sent to, and that relays them to all others.
    [[nodiscard]] virtual std::optional<PeerId> through() const { return std::nullopt; }
    /// The owner's screen does not wait until an update comes back from that peer.
    [[nodiscard]] virtual bool optimistic() const { return true; }
    /// Bytes of what it learnt.
    [[nodiscard]] virtual std::size_t heap_bytes() const { return 0; }
};

[[nodiscard]] std::unique_ptr<ConsistencyAlgorithm> make_algorithm(const Consistency& consistency);

/// Interpolates if updates before and after this moment are known. Otherwise extrapolates the newest update
/// at constant velocity, at most to the horizon.
[[nodiscard]] Shown predict_straight(const Subject& subject, const Timeline& timeline, SessionInstant moment);
/// The same, but extrapolates with the type's motion model and the input of the newest update.
[[nodiscard]] Shown predict_by_model(const Subject& subject, const Timeline& timeline, SessionInstant moment);
/// The extrapolation of predict_by_model() from one update. It shows entities that need no timeline: those
/// with the default algorithm.
[[nodiscard]] Shown extrapolate(const Subject& subject, const HeardState& newest, SessionInstant moment);
/// Time from the newest update to this moment, at most the horizon.
[[nodiscard]] Duration beyond(const Subject& subject, const Timeline& timeline, SessionInstant moment);

}  // namespace fray
