#pragma once
// What a consistency algorithm decides of one entity at one peer: which moment of it is on which screen, what
// stands there where nothing was heard of that moment, and by which way its updates travel. One algorithm,
// one file; the options stand in <fray/consistency.hpp>.

#include "consistency/timeline.hpp"

#include <memory>
#include <optional>

namespace fray {

/// What the entity is.
struct Subject {
    const World* world = nullptr;
    EntityTypeId type{};
    Duration horizon{};
    Duration interval{};
};

class ConsistencyAlgorithm {
public:
    virtual ~ConsistencyAlgorithm() = default;

    /// How long ago what it shows was: on the owner's screen, and on the others'.
    [[nodiscard]] virtual Duration own_lag() const { return {}; }
    [[nodiscard]] virtual Duration remote_lag() const { return {}; }
    /// Another peer's entity at this moment of its owner's time. The timeline is not empty.
    [[nodiscard]] virtual Shown show(const Subject& subject, const Timeline& timeline,
                                     SessionInstant moment) const = 0;
    /// Word of the owner came, and stands in the timeline; `moment` is on the screen.
    virtual void learn(const Subject& subject, const Timeline& timeline, SessionInstant moment);
    /// It takes the place of one of its kind with other parameters, and keeps what that one learnt.
    virtual void inherit(const ConsistencyAlgorithm& former);
    /// In this time a correction fades to a third; zero: it is there at once.
    [[nodiscard]] virtual Duration blend() const { return {}; }
    /// Updates go to this peer, and from it to everybody.
    [[nodiscard]] virtual std::optional<PeerId> through() const { return std::nullopt; }
    /// The owner's screen does not wait until its word comes back from there.
    [[nodiscard]] virtual bool optimistic() const { return true; }
    /// Of what it learnt.
    [[nodiscard]] virtual std::size_t heap_bytes() const { return 0; }
};

[[nodiscard]] std::unique_ptr<ConsistencyAlgorithm> make_algorithm(const Consistency& consistency);

/// As it was where that is known; else the newest word, and from there straight on: to this moment, or as far
/// as the horizon.
[[nodiscard]] Shown predict_straight(const Subject& subject, const Timeline& timeline, SessionInstant moment);
/// The same, as the type's motion model says under the input of that word.
[[nodiscard]] Shown predict_by_model(const Subject& subject, const Timeline& timeline, SessionInstant moment);
/// How far beyond the newest word this moment lies, the horizon being the most.
[[nodiscard]] Duration beyond(const Subject& subject, const Timeline& timeline, SessionInstant moment);

}  // namespace fray
