#pragma once
// What peers did that owned an entity at the same time as another one: our own histories that lost, for the
// owners that outranked us, and the histories of others, for our game.

#include "ownership/decisions.hpp"
#include "ownership/known_entities.hpp"
#include "ownership/post.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace fray {

class Histories {
public:
    /// A history that lost is kept this long, and sent to each owner that the entity has meanwhile.
    static constexpr Duration kKept{120s};
    static constexpr std::size_t kMost = 64;  ///< of each kind
    /// Of one peer, until the game has fetched them: a share of the others' room, and of memory.
    static constexpr std::size_t kMaxRivalsOfOne = 4;

    struct History {
        Claim claim;  ///< the claim that lost
        std::vector<std::uint8_t> state;
        Decisions decisions;
        Instant until{};
        std::optional<PeerId> sent_to{};
    };
    /// A history of another peer, until the game fetches the event.
    struct Rival {
        EntityId id;
        PeerId other;
        std::vector<std::uint8_t> state;
        Decisions decisions;
    };

    void add(History history) {
        if (lost_.size() >= kMost) lost_.erase(lost_.begin());
        lost_.push_back(std::move(history));
    }
    /// Sends ours to the present owner, unless it has them.
    void send(const KnownEntity& known, Post& post);
    /// Likewise all that found no room before.
    void send_all(const KnownEntities& known, Post& post);
    [[nodiscard]] const std::vector<History>& lost() const { return lost_; }
    void expire(Instant now) {
        std::erase_if(lost_, [&](const History& history) { return now > history.until; });
    }
    void handle_link_down(const PeerId& peer);

    [[nodiscard]] bool has_room_for_rival(const PeerId& other) const {
        const auto of_one = std::ranges::count(rivals_, other, &Rival::other);
        return rivals_.size() < kMost && static_cast<std::size_t>(of_one) < kMaxRivalsOfOne;
    }
    void add_rival(Rival rival) { rivals_.push_back(std::move(rival)); }
    /// Removes the oldest one of this peer about this entity.
    [[nodiscard]] std::optional<Rival> take_rival(const EntityId& id, const PeerId& other);
    /// We do not own the entity any more.
    void forget_rivals(const EntityId& id) {
        std::erase_if(rivals_, [&](const Rival& rival) { return rival.id == id; });
    }
    void clear() {
        lost_.clear();
        rivals_.clear();
    }
    [[nodiscard]] bool empty() const { return lost_.empty(); }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    std::vector<History> lost_;  // oldest first
    std::vector<Rival> rivals_;
};

}  // namespace fray
