#pragma once
// The battle of parts as a game that several peers play (fray/time_warp/warp_match.hpp): what a player says,
// and the parts, as bytes.

#include <fray/encode.hpp>
#include <fray/time_warp/warp_match.hpp>

#include "games/panzer/warp/part_battle.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fray::panzer {

/// -0 becomes 0: they are equal, so peers may hold either, and their bytes are compared.
template <class Stream>
void serialize_float(Stream& stream, float& value) {
    float sent = value + 0.0F;
    stream.real(sent);
    if constexpr (Stream::kReading) {
        if (sent == 0 && std::signbit(sent)) return stream.fail();
        value = sent;
    }
}
template <class Stream>
void serialize_vec(Stream& stream, Vec2& vec) {
    serialize_float(stream, vec.x);
    serialize_float(stream, vec.y);
}
template <class Stream>
void serialize_i16(Stream& stream, std::int16_t& value) {
    stream.integer(value, INT16_MIN, INT16_MAX);
}
template <class Stream>
void serialize(Stream& stream, Tank& tank) {
    serialize_vec(stream, tank.position);
    serialize_float(stream, tank.speed);
    stream.whole(tank.hull);
    stream.whole(tank.turret);
    serialize_i16(stream, tank.armour);
    serialize_i16(stream, tank.shield);
    stream.whole(tank.gun_wait);
    stream.whole(tank.shell_wait);
    stream.whole(tank.respawn_wait);
    stream.whole(tank.team);
    stream.integer(tank.fire_rate, 0, kMostLevel);
    stream.integer(tank.gun_power, 0, kMostLevel);
    stream.integer(tank.engine, 0, kMostLevel);
}
template <class Stream>
void serialize(Stream& stream, Record& record) {
    stream.integer(record.score, INT32_MIN, INT32_MAX);
    for (std::uint32_t* count : {&record.kills, &record.deaths, &record.accidents, &record.shots,
                                 &record.hits, &record.shells, &record.pickups})
        stream.varint(*count);
}
template <class Stream>
void serialize(Stream& stream, Shell& shell) {
    stream.whole(shell.shooter);
    stream.integer(shell.life, 0, kShellLife);
    serialize_vec(stream, shell.position);
    serialize_vec(stream, shell.velocity);
}
template <class Stream>
void serialize(Stream& stream, TankPart& part) {
    serialize(stream, part.tank);
    serialize(stream, part.record);
    serialize(stream, part.input);
    stream.boolean(part.is_present);
    stream.integer(part.shell_count, 0, kShellsOfTank);
    for (std::size_t i = 0; i < part.shell_count && i < kShellsOfTank; ++i) serialize(stream, part.shells[i]);
}
template <class Stream>
void serialize(Stream& stream, Item& item) {
    stream.whole(item.wait);
    stream.varint(item.taken);
}
template <class Stream>
void serialize(Stream& stream, Door& door) {
    stream.integer(door.opened, 0, kDoorSteps);
    stream.whole(door.hold);
}
template <class Stream>
void serialize(Stream& stream, Flag& flag) {
    stream.whole(flag.carrier);
    stream.whole(flag.held);
    serialize_vec(stream, flag.position);
}

/// PartBattle as WarpMatch plays it.
class WarpBattle : public PartBattle {
public:
    /// std::variant has no serialize() of its own that would be found.
    struct Part {
        BattlePart value;
        friend bool operator==(const Part&, const Part&) = default;
        template <class Stream>
        friend void serialize(Stream& stream, Part& part) {
            std::uint8_t kind = static_cast<std::uint8_t>(part.value.index());
            stream.integer(kind, 0, 3);
            if constexpr (Stream::kReading) {
                if (kind == 0) part.value = TankPart{};
                if (kind == 1) part.value = Item{};
                if (kind == 2) part.value = Door{};
                if (kind == 3) part.value = Flag{};
            }
            std::visit([&](auto& one) { stream.object(one); }, part.value);
        }
    };

    explicit WarpBattle(PartBattle battle) : PartBattle{std::move(battle)} {}

    [[nodiscard]] Part get(PartNumber part) const { return {PartBattle::get(part)}; }
    void set(PartNumber part, const Part& value) {
        // A state from elsewhere may hold another kind of part here.
        if (value.value.index() == PartBattle::get(part).index()) PartBattle::set(part, value.value);
    }
    template <class At>
    void reach(Tick tick, std::span<const Stamped<Message>> messages, At&& at, PartSet& set) const {
        PartBattle::reach(
            tick, messages, [&](PartNumber part) -> const BattlePart& { return at(part).value; }, set);
    }

    // --- WarpGame ---
    /// Whether a state of another peer keeps what the rules rely on: places in the map, tanks not in walls,
    /// shells of their own tank and as far apart as it loads.
    [[nodiscard]] bool accepts(std::span<const Part> state) const;
    [[nodiscard]] static std::optional<Message> read(PartNumber seat, std::span<const std::uint8_t> line) {
        const auto input = value_of<Input>(line);
        if (!input) return std::nullopt;
        return Message{seat, Message::Kind::input, *input};
    }
    [[nodiscard]] static std::vector<std::uint8_t> write(const Message& message) {
        return bytes_of(message.input).value();
    }
    [[nodiscard]] static Message enter(PartNumber seat) { return {seat, Message::Kind::enter, {}}; }
    [[nodiscard]] static Message leave(PartNumber seat) { return {seat, Message::Kind::leave, {}}; }
    /// "tanks[3].armour: 80, 66".
    [[nodiscard]] static std::string difference(PartNumber part, const Part& mine, const Part& theirs);
};
static_assert(WarpGame<WarpBattle>);

}  // namespace fray::panzer
