// Any bytes as messages of Panzer in event mode (games/panzer/event_warp): each is rejected, or written back
// to the same bits; and a peer that executes them with any stamps, voids among them, ends in a valid state.

#include <fray/assert.hpp>
#include <fray/bits.hpp>
#include <fray/time_warp/time_warp.hpp>

#include "fuzz/read_and_write.hpp"
#include "games/panzer/event_warp/event_battle.hpp"
#include "games/panzer/event_warp/event_message.hpp"
#include "games/panzer/rules/rules.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace {

using namespace fray;
using namespace fray::panzer;

struct Place {
    Map map = shipped_map("duel").value();
    Battlefield field{map};
    Battle battle = Rules{map}.start({.tanks = 2, .mode = {}, .seed = Seed{1}}).value();
};

const Place& place() {
    static const Place kPlace;
    return kPlace;
}

using Line = EventWarp<EventBattle>::Line;

void check(const EventBattle& battle, SessionInstant now) {
    for (std::size_t i = 0; i < battle.tanks().size(); ++i) {
        const Tank tank = battle.at(i, now);
        FRAY_ASSERT(place().map.holds(tank.position) && std::isfinite(tank.speed));
        FRAY_ASSERT(tank.armour >= 0 && tank.armour <= kMostArmour);
    }
}

void play(BitReader& in) {
    const PeerId other = PeerId::from_number(2);
    EventBattle battle{place().field, place().battle};
    battle.play_as(0);
    TimeWarp<EventBattle> warp{battle, PeerId::from_number(1), {.window = 2s, .most_per_author = 64}, {}};
    SessionInstant now{};
    for (PartNumber seat = 0; seat < 2; ++seat)
        warp.receive_agreed(now, {now, {other, seat}}, EventBattle::enter(seat));
    for (int i = 0; i < 64 && in.ok() && in.bits_left() > 8; ++i) {
        Line line;
        if (!read(in, line)) return;
        const SessionInstant at = now - Duration{in.bits(21)} + Duration{in.bits(19)};
        const Stamp stamp{at, {other, line.number % 128}};
        line.message.tank = 1;
        if (line.kind == Line::Kind::null)
            warp.receive_null(now, other, stamp);
        else
            warp.receive(now, stamp, line.message);
        now += Duration{in.bits(19)};
        warp.run(now);
        (void)warp.take_emitted();
        (void)warp.take_nulls();
        (void)warp.take_rollbacks();
        check(battle, now);
    }
}

/// A state of another peer: refused, or one that the battle goes on from.
void accept_state(std::span<const std::uint8_t> bytes) {
    const auto whole = value_of<EventWarp<EventBattle>::WholeState>(bytes);
    EventBattle battle{place().field, place().battle};
    if (!whole || !battle.accepts(whole->state)) return;
    battle.restore(whole->state);
    check(battle, SessionInstant{} + 60s);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes{data, size};
    read_and_write<EventMessage>(bytes);
    read_and_write<Line>(bytes);
    accept_state(bytes);
    BitReader in{bytes};
    play(in);
    return 0;
}
