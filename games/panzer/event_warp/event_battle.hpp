#pragma once
// A battle in event mode (Panzer Battalion, 3.2 and 3.3): a Rewindable state that changes by messages only.
// For each tank it holds where the tank was at some time, and the keys that it has held since. Where it is at
// any later time follows by the rules' own drive(), so executing a message late but in order gives the same
// state.
//
// A shot hits at once, at its stamp, on every peer alike: the armour of the tank in its way falls. The owner
// of that tank then says so (damage, dead). A destroyed tank neither moves nor shoots. There are no items,
// shells and flags: Table 1 of the paper has no message for them. Doors count as open.

#include <fray/time_warp/stamp.hpp>

#include "games/panzer/event_warp/event_message.hpp"
#include "games/panzer/rules/battle.hpp"
#include "games/panzer/rules/entity.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray::panzer {

/// One step of the rules, in whole microseconds.
inline constexpr Duration kStepTime{16'667};
/// A tank of which nothing is heard drives on for this long, then it stands: bounds the work for one message.
inline constexpr Duration kMostDriven{10s};

struct EventTank {
    Tank tank{};   ///< at `since`
    Input keys{};  ///< held from then on
    SessionInstant since{};
    std::uint32_t life = 0;  ///< times that it came back
    std::uint32_t kills = 0;
    std::uint32_t deaths = 0;
    std::uint32_t shots = 0;
    std::uint32_t hits = 0;
    friend bool operator==(const EventTank&, const EventTank&) = default;
};

class EventBattle {
public:
    using State = std::vector<EventTank>;
    using Message = EventMessage;

    /// Begins as this battle. The tank of peer number n (PeerId::from_number) is tank n - 1. `self`: the tank
    /// whose owner this peer is, which alone emits messages; none for an onlooker. The field must outlive it.
    EventBattle(const Battlefield& field, const Battle& battle, SessionInstant start,
                std::optional<std::uint16_t> self);

    // --- Rewindable ---
    [[nodiscard]] State save() const { return tanks_; }
    void restore(const State& state) { tanks_ = state; }
    bool execute(const Stamp& stamp, const Message& message);
    [[nodiscard]] std::span<const Message> emitted() const { return emitted_; }

    [[nodiscard]] std::span<const EventTank> tanks() const { return tanks_; }
    /// A tank as it is at this time, if no further message comes.
    [[nodiscard]] Tank at(std::size_t number, SessionInstant time) const;

private:
    /// at() is called in ascending order of time: the way since the last call is added to it.
    struct Driven {
        EventTank from{};
        std::int64_t steps = 0;
        Tank tank{};
    };
    [[nodiscard]] static std::int64_t steps_until(const EventTank& tank, SessionInstant time);
    void move_on(std::uint16_t number, SessionInstant time);
    bool execute_by(std::uint16_t author, SessionInstant time, const Message& message);
    void confirm(std::uint16_t target, SessionInstant time, const Message& message);
    void shoot(std::uint16_t shooter, SessionInstant time, const Message& message);
    void hurt(std::uint16_t target, SessionInstant time, std::int16_t armour, std::uint16_t shooter);

    const Battlefield* field_;
    std::optional<std::uint16_t> self_;
    State tanks_;
    std::vector<Message> emitted_;
    mutable std::vector<Driven> driven_;  // saves work, changes no result
};

/// A hash over every field.
[[nodiscard]] std::uint64_t fingerprint(std::span<const EventTank> tanks);

}  // namespace fray::panzer
