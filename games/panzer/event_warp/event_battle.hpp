#pragma once
// A battle in event mode (Panzer Battalion, 3.2 and 3.3): a Rewindable state that changes by messages only.
// For each tank it holds where the tank was at some time, and the keys that it has held since. Where it is at
// any later time follows by the rules' own drive(), so executing a message late but in order gives the same
// state.
//
// A shot hits at once, at its stamp, on every peer alike: the armour of the tank in its way falls. The owner
// of that tank then says so (damage, dead). A destroyed tank neither moves nor shoots. There are no items,
// shells and flags: Table 1 of the paper has no message for them. Doors count as open.

#include <fray/time_warp/event_warp.hpp>

#include "games/panzer/event_warp/event_message.hpp"
#include "games/panzer/rules/battle.hpp"
#include "games/panzer/rules/entity.hpp"
#include "games/panzer/warp/battle_wire.hpp"

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
    bool is_present = false;  ///< its player has a seat; otherwise it is destroyed and does nothing
    friend bool operator==(const EventTank&, const EventTank&) = default;
};
template <class Stream>
void serialize(Stream& stream, EventTank& tank) {
    constexpr std::int64_t kMost = (std::int64_t{1} << 52U) - 1;  // microseconds: over a hundred years
    stream.object(tank.tank);
    stream.object(tank.keys);
    std::int64_t since = micros(tank.since.time_since_epoch());
    stream.integer(since, -kMost, kMost);
    if constexpr (Stream::kReading) tank.since = SessionInstant{Duration{since}};
    for (std::uint32_t* count : {&tank.life, &tank.kills, &tank.deaths, &tank.shots, &tank.hits})
        stream.varint(*count);
    stream.boolean(tank.is_present);
}

class EventBattle {
public:
    using State = std::vector<EventTank>;
    using Message = EventMessage;

    /// `start`: where tanks stand when their players enter; until then they are destroyed. The field must
    /// outlive it.
    EventBattle(const Battlefield& field, const Battle& start);

    // --- Rewindable ---
    [[nodiscard]] State save() const { return tanks_; }
    void restore(const State& state) { tanks_ = state; }
    bool execute(const Stamp& stamp, const Message& message);
    [[nodiscard]] std::span<const Message> emitted() const { return emitted_; }

    // --- EventGame ---
    [[nodiscard]] static Message enter(PartNumber seat) { return of(seat, Message::Kind::enter); }
    [[nodiscard]] static Message leave(PartNumber seat) { return of(seat, Message::Kind::leave); }
    static void set_seat(Message& message, PartNumber seat) {
        message.tank = static_cast<std::uint16_t>(seat);
    }
    /// This peer owns that tank: it alone says what happens to it. Before, the battle has an onlooker.
    void play_as(PartNumber seat) { self_ = static_cast<std::uint16_t>(seat); }
    [[nodiscard]] bool accepts(const State& state) const;

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
    [[nodiscard]] static Message of(PartNumber seat, Message::Kind kind) {
        return {.kind = kind, .tank = static_cast<std::uint16_t>(seat)};
    }
    [[nodiscard]] static std::int64_t steps_until(const EventTank& tank, SessionInstant time);
    void move_on(std::uint16_t number, SessionInstant time);
    void take_seat(std::uint16_t number, SessionInstant time, bool enters);
    bool execute_by(std::uint16_t author, SessionInstant time, const Message& message);
    void confirm(std::uint16_t target, SessionInstant time, const Message& message);
    void shoot(std::uint16_t shooter, SessionInstant time, const Message& message);
    void hurt(std::uint16_t target, SessionInstant time, std::int16_t armour, std::uint16_t shooter);

    const Battlefield* field_;
    std::optional<std::uint16_t> self_;
    std::vector<Tank> start_;
    State tanks_;
    std::vector<Message> emitted_;
    mutable std::vector<Driven> driven_;  // saves work, changes no result
};

static_assert(EventGame<EventBattle> && Emitting<EventBattle>);

}  // namespace fray::panzer
