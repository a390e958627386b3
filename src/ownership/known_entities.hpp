#pragma once
// The entities with changing owners that this peer has heard of: which peer owns each, under which number its
// body is found, and its last state while it has no owner.

#include <fray/state.hpp>

#include "core/lasting.hpp"
#include "core/sighting.hpp"
#include "ownership/messages.hpp"
#include "wire/part_context.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fray {

struct KnownEntity {
    Claim claim;
    bool present = false;                      ///< the owner is linked, and we hold a state of its body
    bool shown = false;                        ///< the game was told of it
    std::optional<Instant> ownerless_since{};  ///< set by list_expired()
    State last{};                              ///< while it is not present: the last state
    SessionInstant last_when{};
    std::uint32_t last_asked = 0;  ///< our last request about it; 0: none
};

class KnownEntities final : public EntityNames, public AppearanceObserver {
public:
    static constexpr std::size_t kMaxOfOne = 1024;  ///< entities of one owner
    static constexpr std::size_t kMost = 16'384;

    KnownEntities(const PartContext& context, const ReplicaReader& replicas)
        : context_{context}, replicas_{replicas} {}

    [[nodiscard]] KnownEntity* find(const EntityId& id);
    [[nodiscard]] const KnownEntity* find(const EntityId& id) const;
    /// Whether another entity of this owner can be added.
    [[nodiscard]] bool has_room(const PeerId& owner) const;
    /// The claim counts from now on.
    KnownEntity& set(const Claim& claim);
    /// It ceased to be ours: what its last state was.
    void keep_state(const EntityId& id, const State& state, SessionInstant when);
    /// Forgets it, and tells the game if it was shown.
    void erase(const EntityId& id);
    /// Those that were without an owner for longer than this. Call it in each frame. With a short upload, the
    /// state of an entity may come long after its claim: `has_owner` says whether the owner is linked.
    template <class HasOwner>
    [[nodiscard]] std::vector<EntityId> list_expired(Instant now, Duration most, HasOwner has_owner) {
        std::vector<EntityId> expired;
        for (auto& [id, known] : entities_) {
            if (is_own(known) || known.present) continue;
            if (has_owner(known.claim)) {
                known.ownerless_since.reset();
                continue;
            }
            if (!known.ownerless_since) known.ownerless_since = now;
            if (now - *known.ownerless_since > most) expired.push_back(id);
        }
        return expired;
    }

    /// The entity that this body stands for at present; nothing for a body without a valid claim.
    [[nodiscard]] std::optional<EntityId> entity_of(const PeerId& owner, std::uint32_t body) const;
    [[nodiscard]] EntityId public_id(const PeerId& owner, std::uint32_t number) const override;
    /// Appends the entities that have no owner at the moment, as they were last seen.
    void list_ownerless(SessionInstant now, std::vector<Replica>& replicas) const;
    [[nodiscard]] Replica ownerless(SessionInstant now, const KnownEntity& known) const;

    void handle_appeared(LinkNumber link, std::uint32_t number) override;
    void handle_gone(LinkNumber link, std::uint32_t number) override;
    /// After a clock step.
    void restamp(SessionInstant now) {
        for (auto& [id, known] : entities_) known.last_when = now;
    }
    /// The entities that this peer owns, as far as we know.
    [[nodiscard]] std::vector<EntityId> list_of(const PeerId& owner) const;
    /// Forgets all but our own.
    void reset();
    [[nodiscard]] bool empty() const { return entities_.empty(); }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    [[nodiscard]] bool is_own(const KnownEntity& known) const { return known.claim.owner == context_.self; }
    void appear(KnownEntity& known);
    void freeze(KnownEntity& known);

    const PartContext& context_;
    const ReplicaReader& replicas_;
    std::map<EntityId, KnownEntity> entities_;
    std::map<std::pair<PeerId, std::uint32_t>, EntityId> bodies_;  // by owner and number
};

}  // namespace fray
