#pragma once
// Items, doors and the flag of a match as shared entities. One peer owns each of them at a time and decides
// who takes it; the others ask. If the owner leaves or crashes, a deputy continues from its state, and no
// request is decided twice (docs/concepts/ownership.md).

#include <fray/event.hpp>
#include <fray/game.hpp>

#include "games/panzer/match/judge.hpp"
#include "games/panzer/match/messages.hpp"
#include "games/panzer/match/screen.hpp"
#include "games/panzer/rules/rules.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace fray::panzer {

class Things {
public:
    /// A request that gets no answer for this long is made again.
    static constexpr Duration kAskAgain{1s};

    /// Field and judge must outlive this object.
    Things(const Battlefield& field, Judge& judge) : field_{&field}, judge_{&judge} {}

    /// Creates all things of the map; the first player of a match does.
    void publish(Commands& peer, Mode mode, Seed seed);
    /// Sets the items, doors and the flag of the screen to their replicas, after Screen::take_replicas().
    void take_replicas(std::span<const Replica> replicas, SessionInstant now, Screen& screen);
    /// The same for things that this peer owns. Lets go of a flag whose carrier is gone.
    void show_owned(Commands& peer, Screen& screen);
    /// The own tank is where it can take or open something. Returns the request, if one was made.
    std::optional<RequestId> ask(Commands& peer, const EntityId& tank, const Happening& happening);
    /// Another player, or this one, asks for a thing that this peer owns.
    void asked(Commands& peer, const Asked& asked, const Screen& screen);
    struct Granted {
        std::uint16_t number = 0;  ///< of Map::items
        ItemKind kind{};
    };
    /// The own request was decided: the item that the tank gets, if any.
    [[nodiscard]] std::optional<Granted> answered(const Answered& answered);
    /// is_counted: whether it counts as taken over; not after the end, when everybody leaves.
    void acquired(const Acquired& acquired, bool is_counted);
    void relinquished(const Relinquished& relinquished) { owned_.erase(relinquished.entity); }
    /// Whether this entity is one of the things.
    [[nodiscard]] bool knows(const EntityId& entity) const { return places_.contains(entity); }

    [[nodiscard]] std::uint64_t taken_over() const { return taken_over_; }
    [[nodiscard]] std::uint64_t doors_opened() const { return doors_opened_; }
    [[nodiscard]] std::uint64_t flags_taken() const { return flags_taken_; }

private:
    /// Which thing an entity is.
    struct Place {
        ThingKind kind{};
        std::uint16_t number = 0;
        friend constexpr auto operator<=>(const Place&, const Place&) = default;
    };
    struct Owned {
        Thing thing;
        Vec2 position{};
    };
    [[nodiscard]] bool is_of_map(const Thing& thing) const;
    void publish_one(Commands& peer, const Thing& thing, const Vec2& position);
    void update(Commands& peer, const EntityId& id, const Owned& owned) const;
    void know(const EntityId& id, const Thing& thing);
    void show(Screen& screen, SessionInstant now, const Thing& thing, const Vec2& position) const;
    void release_flag(Commands& peer, const EntityId& id, Owned& flag, const Screen& screen) const;
    [[nodiscard]] Refusal judge(SessionInstant now, const Owned& owned, const Asked& asked,
                                const Screen& screen) const;
    ThingReply grant(SessionInstant now, Owned& owned, const Asked& asked, Seed seed);

    const Battlefield* field_;
    Judge* judge_;
    std::map<EntityId, Place> places_;
    std::map<Place, EntityId> entities_;
    std::map<EntityId, Owned> owned_;
    struct Open {
        RequestId request;
        Instant since{};
    };
    std::map<EntityId, Open> open_;  // requests of this player
    std::uint64_t taken_over_ = 0;
    std::uint64_t doors_opened_ = 0;
    std::uint64_t flags_taken_ = 0;
};

}  // namespace fray::panzer
