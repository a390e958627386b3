#pragma once
// One entity on this peer's screen: what is known of its past, the algorithm it is shown by, and how it
// passes from one algorithm to the next without a jump.

#include "consistency/algorithm.hpp"

namespace fray {

class Showing {
public:
    enum class Whose : std::uint8_t { own, others };
    Showing(Whose whose, const World& world, EntityTypeId type, const Consistency& consistency);

    /// From now on by this algorithm.
    void choose(SessionInstant now, const Consistency& consistency);
    /// A word of its owner. Says by how much the entity had to be moved for it, before any blending.
    void hear(SessionInstant now, const Moment& word);
    /// Session time was set anew: what was heard before means nothing.
    void forget();
    /// One among very many: it remembers less.
    void keep_few() { timeline_.keep_at_most(Timeline::kFew); }
    /// The choice may come before the entity.
    void set_type(EntityTypeId type) { subject_.type = type; }

    [[nodiscard]] bool empty() const { return timeline_.empty(); }
    /// As it stands on the screen; not where empty().
    [[nodiscard]] Shown shown(SessionInstant now) const;
    /// As it would without blending; and that with it.
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
    /// Another algorithm was chosen a moment ago: corrections are blended in, whatever it does otherwise.
    [[nodiscard]] bool settling(SessionInstant now) const;
    [[nodiscard]] Vec3 offset(SessionInstant now) const;
    void fade(SessionInstant now, const Vec3& offset, const Pose& target);

    Whose whose_;
    Subject subject_;
    Consistency consistency_;
    std::unique_ptr<ConsistencyAlgorithm> algorithm_;
    Timeline timeline_;
    Corrections corrections_;
    // The lag glides from what it was: time on the screen runs a little faster or slower for a while.
    Duration lag_before_{};
    std::optional<SessionInstant> lag_since_;  // none: it is as wanted
    // What is shown differs from the target by this, less and less.
    Vec3 offset_{};
    float speed_ = 0;  // at least so fast
    SessionInstant offset_since_{};
    Duration fade_{};
};

}  // namespace fray
