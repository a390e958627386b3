// Any bytes as what a player says in a battle on Time Warp, and as parts of a state from another peer. Each
// is refused, or written back to the same bits. A battle that takes an accepted state goes on: every state
// that follows is acceptable, too.

#include <fray/assert.hpp>

#include "fuzz/read_and_write.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "games/panzer/warp/battle_wire.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace fray;
using namespace fray::panzer;
using Part = WarpBattle::Part;
using Parts = std::vector<Part>;

constexpr std::size_t kTanks = 6;
constexpr Tick kSteps = 40;

const WarpBattle& first_battle() {
    static const Map kMap = shipped_map("ruins").value();
    static const WarpBattle kBattle{PartBattle::start(kMap,
                                                      {.tanks = kTanks, .mode = Mode::flag, .seed = Seed{1}},
                                                      PartBattle::Players::present)
                                        .value()};
    return kBattle;
}
Parts parts_of(const WarpBattle& battle) {
    Parts parts;
    for (PartNumber i = 0; i < battle.parts(); ++i) parts.push_back(battle.get(i));
    return parts;
}

Vec2 any_place(BitReader& in) {
    const Map& map = first_battle().map();
    const auto share = [&] { return static_cast<float>(in.bits(16)) / 65'536; };
    if (in.boolean()) return map.middle_of({0, 0}) + Vec2{share() * 40, share() * 40};  // many meet there
    return {share() * map.width(), share() * map.height()};
}
Input any_input(BitReader& in) {
    Input input;
    return read(in, input) ? input : Input{};
}
/// Within the ranges of the rules, but in no relation to anything.
TankPart any_tank(BitReader& in, PartNumber number, TankPart part) {
    Tank& tank = part.tank;
    tank.position = any_place(in);
    tank.speed = static_cast<float>(in.bits(6)) / 4 - 8;
    tank.hull = static_cast<Angle>(in.bits(16));
    tank.turret = static_cast<Angle>(in.bits(16));
    tank.armour = static_cast<std::int16_t>(in.bits(8) % (kMostArmour + 1));
    tank.gun_wait = static_cast<std::uint16_t>(in.bits(2));
    tank.shell_wait = static_cast<std::uint16_t>(in.bits(7));
    tank.respawn_wait = static_cast<std::uint16_t>(in.bits(3));
    tank.engine = static_cast<std::uint8_t>(in.bits(2));
    part.input = any_input(in);
    part.is_present = in.boolean();
    part.shell_count = static_cast<std::uint8_t>(in.bits(2) % (kShellsOfTank + 1));
    for (std::size_t i = 0; i < part.shell_count; ++i) {
        const auto life = static_cast<std::uint16_t>(in.bits(8) % kShellLife);
        part.shells[i] = {static_cast<std::uint16_t>(number), life, any_place(in),
                          direction(static_cast<Angle>(in.bits(16))) * kShellSpeed};
    }
    return part;
}
void change(BitReader& in, Parts& parts) {
    const auto number = static_cast<PartNumber>(in.bits(8) % parts.size());
    Part& part = parts[number];
    if (in.bits(2) == 0) {
        Part other;
        if (read(in, other)) part = other;
    } else if (auto* tank = std::get_if<TankPart>(&part.value)) {
        *tank = any_tank(in, number, *tank);
    } else if (auto* item = std::get_if<Item>(&part.value)) {
        *item = {static_cast<std::uint16_t>(in.bits(4)), static_cast<std::uint32_t>(in.bits(4))};
    } else if (auto* door = std::get_if<Door>(&part.value)) {
        *door = {static_cast<std::uint8_t>(in.bits(5)), static_cast<std::uint16_t>(in.bits(7))};
    } else {
        std::get<Flag>(part.value) = {static_cast<std::uint16_t>(in.boolean() ? in.bits(4) : kNone),
                                      static_cast<std::uint16_t>(in.bits(6)), any_place(in)};
    }
}

void play(BitReader& in, WarpBattle& battle) {
    PartSet all{battle.parts()};
    all.add_all();
    for (Tick tick = 0; tick < kSteps; ++tick) {
        std::vector<Stamped<BattleMessage>> messages;
        for (std::uint64_t i = in.bits(2); i > 0; --i)
            messages.push_back({{},
                                {static_cast<PartNumber>(in.bits(3)),
                                 static_cast<BattleMessage::Kind>(in.bits(2) % 3), any_input(in)}});
        PartSet some{battle.parts()};
        some.add(static_cast<PartNumber>(in.bits(8) % battle.parts()));
        const Parts before = parts_of(battle);
        battle.reach(
            tick, messages, [&](PartNumber i) -> const Part& { return before[i]; }, some);
        battle.step(tick, messages, all);
        FRAY_ASSERT(first_battle().accepts(parts_of(battle)));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes{data, size};
    read_and_write<Part>(bytes);
    read_and_write<WholeState<Part>>(bytes);
    if (const auto message = WarpBattle::read(1, bytes))
        FRAY_ASSERT(message->tank == 1 && std::ranges::equal(WarpBattle::write(*message), bytes));
    if (const auto state = value_of<WholeState<Part>>(bytes)) (void)first_battle().accepts(state->parts);

    BitReader in{bytes};
    Parts parts = parts_of(first_battle());
    for (std::uint64_t i = in.bits(4); i > 0; --i) change(in, parts);
    if (!first_battle().accepts(parts)) return 0;
    WarpBattle battle = first_battle();
    for (PartNumber i = 0; i < parts.size(); ++i) battle.set(i, parts[i]);
    play(in, battle);
    return 0;
}
