#pragma once
// The messages of Panzer Battalion's Table 1. They are self-sufficient: each holds what it needs to change
// the state, so that a peer that missed or misjudged something is right again after the next one.

#include <fray/encode.hpp>

#include "games/panzer/rules/input.hpp"
#include "games/panzer/rules/tank.hpp"

#include <cstdint>

namespace fray::panzer {

struct EventMessage {
    enum class Kind : std::uint8_t {
        move,     ///< my tank is here, this fast, and drives on with these keys
        angles,   ///< my turret points there, and turns to `keys.aim`
        shoot,    ///< my tank fired from `position` along `turret`
        damage,   ///< my tank has this armour left after a shot of `other`
        dead,     ///< my tank was destroyed by `other`
        respawn,  ///< my tank comes back at `position`
        // Not of a player: what the members of the match have agreed on. These are never read from a line.
        enter,  ///< a player takes its seat: its tank stands at the start
        leave,  ///< a player was lost: its tank is gone
    };
    static constexpr Kind kLastKind = Kind::respawn;  ///< that a player may say
    Kind kind{};
    std::uint16_t tank = 0;  ///< whose message it is; known from the author's seat, not sent
    Vec2 position{};
    float speed = 0;
    Angle hull = 0;
    Angle turret = 0;
    Input keys{};
    std::int16_t armour = 0;
    std::uint16_t other = 0;
    std::uint32_t life = 0;  ///< damage, dead: of the tank, counted from 0
    friend bool operator==(const EventMessage&, const EventMessage&) = default;
};
template <class Stream>
void serialize(Stream& stream, EventMessage& message) {
    using Kind = EventMessage::Kind;
    const auto is = [&](auto... kinds) { return ((message.kind == kinds) || ...); };
    stream.enumeration(message.kind, EventMessage::kLastKind);
    if (is(Kind::move, Kind::shoot, Kind::respawn)) {
        stream.real(message.position.x);
        stream.real(message.position.y);
    }
    if (is(Kind::move)) stream.real(message.speed);
    if (is(Kind::move, Kind::respawn)) stream.whole(message.hull);
    if (is(Kind::move, Kind::angles, Kind::shoot)) stream.whole(message.turret);
    if (is(Kind::move, Kind::angles)) serialize(stream, message.keys);
    if (is(Kind::damage)) stream.integer(message.armour, 0, kMostArmour);
    if (is(Kind::damage, Kind::dead)) {
        stream.varint(message.other);
        stream.varint(message.life);
    }
}

}  // namespace fray::panzer
