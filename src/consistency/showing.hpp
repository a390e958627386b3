#pragma once
// One entity on this peer's screen: its timeline, the algorithm that shows it, and the transition from one
// algorithm to the next without a jump.

#include "consistency/algorithm.hpp"

namespace fray {

class Showing {
public:
    enum class Whose : std::uint8_t { own, others };
    Showing(Whose whose, const World& world, EntityTypeId type, const Consistency& consistency);

    /// Changes the algorithm.
    void choose(SessionInstant now, const Consistency& consistency);
    /// Adds an update of the owner, and counts the correction that it causes (see corrections()).
    void add_update(SessionInstant now, const Moment& update);
    /// Forgets all updates, after a clock step: their stamps are invalid.
    void forget();
    /// Keeps a shorter timeline, for a peer with very many entities.
    void keep_few() { timeline_.keep_at_most(Timeline::kFew); }
    /// Sets the type, which is not known yet if the choice arrives before the entity.
    void set_type(EntityTypeId type) { subject_.type = type; }

    [[nodiscard]] bool empty() const { return timeline_.empty(); }
    /// What is on the screen. Not if empty().
    [[nodiscard]] Shown shown(SessionInstant now) const;
    /// The same without blending; and a position with blending.
    [[nodiscard]] Shown target(SessionInstant now) const;
    [[nodiscard]] Vec3 blended(SessionInstant now, const Vec3& target) const;
    [[nodiscard]] const Timeline& timeline() const { return timeline_; }
    [[nodiscard]] const Corrections& corrections() const { return corrections_; }
    [[nodiscard]] const Consistency& consistency() const { return consistency_; }
    [[nodiscard]] const ConsistencyAlgorithm& algorithm() const { return *algorithm_; }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    [[nodiscard]] Duration wanted_lag() const;
    [[nodiscard]] Duration lag(SessionInstant now) const;
    /// The algorithm changed a moment ago: corrections are blended in, even if it does not blend itself.
    [[nodiscard]] bool settling(SessionInstant now) const;
    [[nodiscard]] Vec3 offset(SessionInstant now) const;
    void fade(SessionInstant now, const Vec3& offset, const Pose& target);

    Whose whose_;
    Subject subject_;
    Consistency consistency_;
    std::unique_ptr<ConsistencyAlgorithm> algorithm_;
    Timeline timeline_;
    Corrections corrections_;
    // The lag changes gradually: time on the screen runs a little faster or slower for a while.
    Duration lag_before_{};
    std::optional<SessionInstant> lag_since_;  // none: the lag is as the algorithm wants it
    // Difference between what is shown and the target at offset_since_; it fades.
    Vec3 offset_{};
    float speed_ = 0;  // units per second by which the offset shrinks at least
    SessionInstant offset_since_{};
    Duration fade_{};
};

}  // namespace fray
