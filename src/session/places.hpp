#pragma once
// Where players are: our first entity, and the first one of each linked peer, moved on by its velocity since
// its newest state.

#include "core/peer_places.hpp"
#include "core/space.hpp"
#include "replica/primaries.hpp"
#include "replica/replicas.hpp"
#include "wire/part_context.hpp"

#include <algorithm>

namespace fray {

class Places final : public PeerPlaces {
public:
    Places(const PartContext& context, const Primaries& primaries, const Replicas& replicas)
        : context_{context}, primaries_{primaries}, replicas_{replicas} {}

    [[nodiscard]] std::optional<Pose> self() const override {
        if (primaries_.size() == 0) return std::nullopt;
        return primaries_[0].state().pose;
    }
    [[nodiscard]] std::optional<Vec3> place(Instant now, LinkNumber link) const override {
        const ReplicaStore* store = replicas_.store(link);
        if (store == nullptr || store->size() == 0) return std::nullopt;
        const Pose pose = context_.codec.restore(store->pose_at(0));
        const Duration old = std::clamp(context_.session_time(now) - store->when_at(0), Duration{0}, kMost);
        const float seconds = static_cast<float>(micros(old)) / 1e6F;
        return inside(context_.world(), pose.position + pose.velocity * seconds);
    }

private:
    static constexpr Duration kMost{1s};  // longer predictions are worth nothing

    const PartContext& context_;
    const Primaries& primaries_;
    const Replicas& replicas_;
};

}  // namespace fray
