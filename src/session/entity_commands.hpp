#pragma once
// The game's commands on entities: passed on to the parts that are concerned, under the numbers that the
// parts know.

#include <fray/event.hpp>
#include <fray/result.hpp>

#include "core/lasting.hpp"
#include "session/composition.hpp"

#include <span>

namespace fray {

class EntityCommands final : public BodyKeeper {
public:
    explicit EntityCommands(Composition& is) : is_{is} {}

    [[nodiscard]] Result<EntityId> publish(Instant now, const State& state, Tenure tenure);
    Result<void> update(Instant now, const EntityId& id, const State& state);
    Result<void> set_consistency(Instant now, const EntityId& id, const Consistency& consistency);
    Result<void> hand_over(Instant now, const EntityId& id, const PeerId& to);
    Result<void> withdraw(const EntityId& id);
    Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target,
                               const std::optional<SessionInstant>& seen,
                               std::span<const std::uint8_t> bytes);
    Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes);

    [[nodiscard]] bool add_body(Instant now, std::uint32_t number, const State& state) override;
    void remove_body(std::uint32_t number) override;

private:
    /// The primary of ours that stands for this entity.
    [[nodiscard]] Result<EntityId> body(const EntityId& id) const;

    /// The newest state of ours goes along with a request: its receiver decides by it.
    void show_along(Instant now, const EntityId& own, const PeerId& to);

    Composition& is_;
};

}  // namespace fray
