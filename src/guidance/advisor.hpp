#pragma once
// The owner's side: predicts this peer's entities, for the peers that are updated seldom, and for those in
// focus whose replicas have not converged yet.

#include "core/focus_state.hpp"
#include "core/sighting.hpp"
#include "guidance/guidance_message.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class Advisor {
public:
    Advisor(const PartContext& context, const OwnEntities& own, const CarriedStates& carried,
            const ReplicaReader& replicas)
        : context_{context}, own_{own}, carried_{carried}, replicas_{replicas} {}

    /// Without a focus, no guidance is told: every peer gets the same updates.
    void set_focus(const FocusState* focus) { focus_ = focus; }
    /// Appends guidance on the states that the datagram being written carries.
    void advise(LinkNumber link, std::vector<Advice>& advice);
    /// The other side shows these entities of ours directly.
    void handle_converged(LinkNumber link, std::span<const std::uint32_t> numbers);

    void forget_link(LinkNumber link) { converged_.erase(link); }
    void reset() { converged_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    [[nodiscard]] Advice predict(LinkNumber link, const HeardState& told) const;
    void add_aim(LinkNumber link, const HeardState& told, Advice& advice) const;

    const PartContext& context_;
    const OwnEntities& own_;
    const CarriedStates& carried_;
    const ReplicaReader& replicas_;
    const FocusState* focus_ = nullptr;
    PerLink<std::vector<std::uint32_t>> converged_;  // numbers of our entities, while the link is in focus
};

}  // namespace fray
