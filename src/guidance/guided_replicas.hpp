#pragma once
// The receiver's side: which replicas are shown directly and which are guided, and their steps. Work is done
// only for replicas that are read.
//
// The mode follows the time between the newest two states: more than kSeldom ticks, and the replica is
// guided; less, and it converges, until it is within a diameter of what is shown directly. While a replica is
// shown directly, jumps of the consistency algorithm are blended by the same limit of speed.
//
// A replica that was not read for more than kMostSteps ticks is in nobody's sight. It is then shown directly
// at once, if it could have travelled there in that time; otherwise it goes on from where it was, for
// kMostSteps ticks. So it never moves faster than its limit between two reads, and a read has bounded cost.

#include "core/per_link.hpp"
#include "guidance/track.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fray {

class GuidedReplicas final : public ShownWorld {
public:
    GuidedReplicas(const PartContext& context, const OwnEntities& own, const CarriedStates& carried,
                   const ReplicaReader& replicas)
        : context_{context}, own_{own}, carried_{carried}, replicas_{replicas} {}

    /// Turns what would be shown directly into what is shown. `heard` is the newest state.
    void show(LinkNumber link, const HeardState& heard, SessionInstant now, Replica& replica);
    /// The owner told what its entity will do. Why it is refused, if it is.
    [[nodiscard]] std::optional<Rejection> handle_advice(SessionInstant now, LinkNumber link,
                                                         const Advice& advice);
    /// Appends the entities of this peer whose guidance may stop.
    void list_converged(SessionInstant now, LinkNumber link, std::vector<std::uint32_t>& numbers);

    [[nodiscard]] std::optional<Pose> shown(const EntityId& id) const override;

    void forget_past();
    /// The peer has another number.
    void move(LinkNumber from, LinkNumber to);
    void forget_link(LinkNumber link) { tracks_.erase(link); }
    void reset() { tracks_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    using Tracks = std::vector<std::unique_ptr<Track>>;  // of one peer, ordered by number

    static void forget_moments(Tracks& tracks);
    [[nodiscard]] const Track* find(LinkNumber link, std::uint32_t number) const;
    Track& track(LinkNumber link, std::uint32_t number);
    [[nodiscard]] float top_speed() const;
    void note_told(Track& track, const HeardState& heard) const;
    void change_mode(Track& track, const HeardState& heard) const;
    /// Shows it directly, or on its way to there. False if it cannot move like that: then its guide moves it.
    [[nodiscard]] bool follow(Track& track, SessionInstant now, Replica& replica) const;
    /// Whether this is no farther than the limit of speed allows in this time.
    [[nodiscard]] bool is_step(const Vec3& from, const Vec3& to, Duration passed) const;
    [[nodiscard]] bool has_stopped_hurrying(Track& track, SessionInstant now, bool hurries) const;
    void converge(Track& track, SessionInstant now, const Replica& replica) const;
    /// Whether the game's validator, if there is one, lets it go from what is shown to this.
    [[nodiscard]] bool can_become(const Track& track, SessionInstant now, const Replica& replica,
                                  const Pose& pose) const;
    void run_steps(LinkNumber link, Track& track, const HeardState& heard, SessionInstant now,
                   const Replica& replica);
    void take_step(LinkNumber link, Track& track, const HeardState& heard, const Pose& direct,
                   SessionInstant now);
    [[nodiscard]] Pose predicted(const Track& track, const HeardState& heard, SessionInstant moment) const;
    [[nodiscard]] std::optional<Aim> aim(LinkNumber link, Track& track, const HeardState& heard) const;
    [[nodiscard]] std::optional<EntityId> target(LinkNumber link, const HeardAdvice& advice) const;
    [[nodiscard]] Pose bounded(const Track& track, const Pose& pose, float most) const;

    const PartContext& context_;
    const OwnEntities& own_;
    const CarriedStates& carried_;
    const ReplicaReader& replicas_;
    PerLink<Tracks> tracks_;
    std::vector<std::uint8_t> payload_;  // scratch
};

}  // namespace fray
