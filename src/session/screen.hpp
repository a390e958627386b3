#pragma once
// What this peer's screen shows: replicas and own entities, under the ids that the game knows.

#include <fray/state.hpp>

#include "session/composition.hpp"

#include <optional>
#include <span>
#include <vector>

namespace fray {

class Screen {
public:
    explicit Screen(Composition& is) : is_{is} {}

    [[nodiscard]] std::span<const Replica> replicas(Instant now) const;
    [[nodiscard]] std::optional<Replica> replica(Instant now, const EntityId& id) const;
    [[nodiscard]] bool owns(const EntityId& id) const;
    [[nodiscard]] std::optional<LocalView> local_view(Instant now, const EntityId& id) const;
    [[nodiscard]] std::size_t heap_bytes() const { return shown_.capacity() * sizeof(Replica); }

private:
    void make_room() const;
    /// The replica of this state, as it is shown.
    [[nodiscard]] Replica shown(LinkNumber link, const HeardState& newest, SessionInstant at) const;
    [[nodiscard]] std::optional<Replica> lasting(Instant now, const EntityId& id) const;

    Composition& is_;                     // guided replicas move when they are read
    mutable std::vector<Replica> shown_;  // what replicas() returned last; its span refers to it
};

}  // namespace fray
