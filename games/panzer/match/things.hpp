#pragma once
// Items, doors and the flag of a match as shared entities. One peer owns each of them at a time and decides
// about requests; the others ask. If the owner leaves or crashes, a deputy continues from its state, and no
// request is decided twice (docs/concepts/ownership.md). If owner and deputy end together, the player with
// the lowest id creates the thing anew.
//
// Of several entities that claim to be the same thing, the one of the publisher with the lowest id counts:
// after a partition, or if a player publishes things that are not its to give.

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

    /// Field and judge must outlive this object. The seed chooses one of several flags.
    Things(const Battlefield& field, Judge& judge, Mode mode, Seed seed);

    /// Creates all things of the map; the first player of a match does.
    void publish(Commands& peer);
    /// Finds out which entities the things are, and sets them on the screen, after Screen::take_replicas().
    void take_replicas(std::span<const Replica> replicas, SessionInstant now, Screen& screen);
    /// Lets go of a flag whose carrier is gone, withdraws things that do not count, and creates those that
    /// have been gone for too long. Call it once per frame, after take_replicas(), once this peer has joined.
    void maintain(Commands& peer, const Screen& screen);
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
    /// Whether this was a request of ask().
    [[nodiscard]] bool has_asked(const RequestId& request) const { return asked_.contains(request); }

    [[nodiscard]] std::uint64_t taken_over() const { return taken_over_; }
    [[nodiscard]] std::uint64_t created() const { return created_; }
    [[nodiscard]] std::uint64_t doors_opened() const { return doors_opened_; }
    [[nodiscard]] std::uint64_t flags_taken() const { return flags_taken_; }

private:
    /// Which thing of the map: items first, then doors, then the flag.
    using Index = std::size_t;
    /// A thing as it is, under any owner.
    struct Known {
        std::optional<EntityId> id;
        Thing thing;
        Vec2 position{};
        std::optional<Instant> gone_since;
        std::optional<Instant> asked_at;
    };
    struct Owned {
        Thing thing;
        Vec2 position{};
    };
    /// Nothing if the map has no such thing.
    [[nodiscard]] std::optional<Index> index_of(const Thing& thing) const;
    [[nodiscard]] Owned initial(Index index) const;
    void publish_one(Commands& peer, Index index);
    void update(Commands& peer, const EntityId& id, const Owned& owned) const;
    void consider(const EntityId& id, const Thing& thing, const Vec2& position);
    void show(Screen& screen, SessionInstant now, const Known& known) const;
    void release_flag(Commands& peer, const EntityId& id, Owned& flag, const Screen& screen) const;
    void withdraw_rivals(Commands& peer);
    void replace_lost(Commands& peer);
    [[nodiscard]] Refusal judge(SessionInstant now, const Owned& owned, const Asked& asked,
                                const Screen& screen) const;
    ThingReply grant(SessionInstant now, Owned& owned, const Asked& asked, Seed seed);

    const Battlefield* field_;
    Judge* judge_;
    Mode mode_;
    Seed seed_;
    std::vector<Known> known_;  // by index
    std::map<EntityId, Owned> owned_;
    std::map<RequestId, Index> asked_;  // requests of this player
    std::uint64_t taken_over_ = 0;
    std::uint64_t created_ = 0;
    std::uint64_t doors_opened_ = 0;
    std::uint64_t flags_taken_ = 0;
};

}  // namespace fray::panzer
