// Panzer on Time Warp: the battle can be rewound, and only states that the rules can go on from are accepted.

#include <fray/encode.hpp>
#include <fray/time_warp/stress.hpp>

#include "games/panzer/warp/battle_wire.hpp"
#include "games/panzer_battles.hpp"
#include "time_warp/stream_messages.hpp"
#include "warp/brawl.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fray::panzer {
namespace {

constexpr std::size_t kStressTanks = 12;

WarpBattle gathered(const Map& map, Mode mode, Seed seed) {
    auto battle = PartBattle::start(map, {.tanks = kStressTanks, .mode = mode, .seed = seed},
                                    PartBattle::Players::present);
    FRAY_ASSERT(battle);
    Brawl{map, seed, kStressTanks}.gather(*battle);
    return WarpBattle{std::move(*battle)};
}

/// Any keys, mostly fire.
std::optional<BattleMessage> any_keys(RandomStream& random, Tick, PartNumber seat) {
    if (!random.chance(0.05)) return std::nullopt;
    Input input{.gun = random.chance(0.8), .shell = random.chance(0.5)};
    input.throttle = static_cast<std::int8_t>(static_cast<int>(random.below(2 * kFull + 1)) - kFull);
    input.steer = static_cast<std::int8_t>(static_cast<int>(random.below(2 * kFull + 1)) - kFull);
    input.aim = sent_aim(static_cast<Angle>(random.below(65'536)));
    return BattleMessage{seat, BattleMessage::Kind::input, input};
}

TEST(WarpStress, TheBattleIsDeterministicAndCanBeRewound) {
    std::uint64_t outcomes = 0;
    for (const char* name : {"arena", "ruins"}) {
        const Map map = map_named(name);
        for (const Mode mode : {Mode::free_for_all, Mode::teams, Mode::flag}) {
            if (mode == Mode::flag && map.flags.empty()) continue;
            const StressReport report = stress([&] { return gathered(map, mode, Seed{3}); }, any_keys,
                                               {.ticks = 1200, .seats = kStressTanks});
            EXPECT_TRUE(report.ok) << name << ", " << to_string(mode) << ": " << report.text;
            EXPECT_GT(report.subsets, 100U);
            EXPECT_GT(report.rollbacks, 50U);
            outcomes += report.outcomes;
        }
    }
    EXPECT_GT(outcomes, 1000U);
}

std::vector<WarpBattle::Part> state_of_battle(const WarpBattle& game) {
    std::vector<WarpBattle::Part> state;
    for (PartNumber i = 0; i < game.parts(); ++i) state.push_back(game.get(i));
    return state;
}

TEST(WarpStress, EveryStateOfABattleIsAccepted) {
    std::size_t shells = 0, deaths = 0, pickups = 0;
    for (const char* name : {"arena", "ruins", "plains"}) {
        const Map map = map_named(name);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const Mode mode = seed % 2 == 0 || map.flags.empty() ? Mode::teams : Mode::flag;
            WarpBattle game = gathered(map, mode, Seed{seed});
            const WarpBattle first = game;
            Brawl brawl{map, Seed{seed}, kStressTanks};
            PartSet all{game.parts()};
            all.add_all();
            for (Tick tick = 0; tick < 3000; ++tick) {
                ASSERT_TRUE(first.accepts(state_of_battle(game)))
                    << name << ", seed " << seed << ", tick " << tick;
                brawl.press(game, tick);
                game.step(tick, brawl.messages(), all);
            }
            for (PartNumber i = 0; i < kStressTanks; ++i) {
                const Record record = std::get<TankPart>(game.get(i).value).record;
                shells += record.shells;
                deaths += record.deaths;
                pickups += record.pickups;
            }
        }
    }
    EXPECT_GT(shells, 1000U);
    EXPECT_GT(deaths, 100U);
    EXPECT_GT(pickups, 50U);
}

/// A state in which one thing is changed.
class ChangedState {
public:
    using State = std::vector<WarpBattle::Part>;

    /// change(state, the part of tank 1).
    bool accepts(const std::function<void(State&, TankPart&)>& change) const {
        State state = state_of_battle(game_);
        change(state, std::get<TankPart>(state[1].value));
        return game_.accepts(state);
    }
    [[nodiscard]] const PartLayout& layout() const { return game_.layout(); }
    [[nodiscard]] Vec2 middle_of_a_wall() const {
        const auto wall = std::ranges::find_if(map_.cells, is_wall) - map_.cells.begin();
        const auto cell = static_cast<std::int32_t>(wall);
        return map_.middle_of({cell % map_.columns, cell / map_.columns});
    }

private:
    Map map_ = map_named("ruins");
    WarpBattle game_ = gathered(map_, Mode::flag, Seed{1});
};
using State = ChangedState::State;
constexpr Vec2 kOutside{-1, 5};

TEST(WarpStress, AStateWithATankThatCannotBeIsRefused) {
    const ChangedState changed;
    EXPECT_TRUE(changed.accepts([](State&, TankPart&) {}));
    EXPECT_TRUE(changed.accepts([](State&, TankPart& t) { t.tank.armour = 0; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.tank.position = kOutside; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.tank.position.x = 3e38F; }));
    EXPECT_FALSE(changed.accepts([&](State&, TankPart& t) { t.tank.position = changed.middle_of_a_wall(); }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.tank.speed = 1e9F; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.tank.team = 2; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.tank.armour = -1; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.tank.shield = kMostShield + 1; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.record.score = INT32_MAX; }));
    EXPECT_FALSE(changed.accepts([](State&, TankPart& t) { t.record.score = INT32_MIN; }));
}

TEST(WarpStress, AStateWithPartsThatCannotBeIsRefused) {
    const ChangedState changed;
    const PartLayout& layout = changed.layout();
    const auto flag = [&](State& s) -> Flag& { return std::get<Flag>(s[layout.flag()].value); };
    const auto door = [&](State& s) -> Door& { return std::get<Door>(s[layout.first_door()].value); };
    const auto item = [&](State& s) -> Item& { return std::get<Item>(s[layout.first_item()].value); };
    EXPECT_TRUE(changed.accepts([&](State& s, TankPart&) { flag(s).carrier = 1; }));
    EXPECT_FALSE(changed.accepts([&](State& s, TankPart&) { flag(s).carrier = kStressTanks; }));
    EXPECT_FALSE(changed.accepts([&](State& s, TankPart&) { flag(s).position = kOutside; }));
    EXPECT_FALSE(changed.accepts([&](State& s, TankPart&) { door(s).hold = kDoorHold + 1; }));
    EXPECT_FALSE(changed.accepts([&](State& s, TankPart&) { item(s).wait = kItemSteps + 1; }));
    EXPECT_FALSE(changed.accepts([&](State& s, TankPart&) { s.pop_back(); }));
    EXPECT_FALSE(changed.accepts([&](State& s, TankPart&) { s[0].value = Door{}; }));
}

/// Shells of tank 1, as close behind each other as it loads.
void fire(TankPart& part, std::uint8_t count, std::uint16_t oldest) {
    part.shell_count = count;
    for (std::uint8_t i = 0; i < count; ++i)
        part.shells[i] = {1, static_cast<std::uint16_t>(oldest + i * kShellSteps), part.tank.position,
                          direction(0) * kShellSpeed};
}

TEST(WarpStress, AStateWithShellsThatCannotBeIsRefused) {
    const ChangedState changed;
    const auto accepts = [&](const std::function<void(TankPart&)>& change) {
        return changed.accepts([&](State&, TankPart& t) { fire(t, 1, 50), change(t); });
    };
    EXPECT_TRUE(accepts([](TankPart&) {}));
    EXPECT_TRUE(accepts([](TankPart& t) { fire(t, 2, 50), t.tank.shell_wait = kShellSteps; }));
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].shooter = 2; }));
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].position = kOutside; }));
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].velocity.x = 0; }));
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].velocity.x = 1e30F; }));
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].life = 0; }));
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].life = kShellLife; }));
    EXPECT_FALSE(accepts([](TankPart& t) { fire(t, 2, 10), t.shells[1].life = 11; })) << "two at once";
    EXPECT_FALSE(accepts([](TankPart& t) { t.shells[0].life = kShellLife - 2; })) << "but the gun is loaded";
    EXPECT_FALSE(accepts([](TankPart& t) {
        t.shells[0].life = kShellLife - 2;
        t.tank.armour = 0;
        t.tank.respawn_wait = 9;
    })) << "enters soon, with a loaded gun";
}

/// A newcomer joins a match whose only member answers with this state.
WarpMatch<WarpBattle> joined(const WarpBattle& game, const std::vector<WarpBattle::Part>& state) {
    const PeerId host = PeerId::from_number(1);
    const PeerId self = PeerId::from_number(2);
    const StreamOptions options{.seats = kStressTanks};
    Instant now{};
    auto streams = TickStreams::found(now, host, options).value();
    auto match = WarpMatch<WarpBattle>::join(now, self, game, {.streams = options}).value();
    streams.link_up(now, self);
    match.link_up(now, host);
    for (Tick tick = 1; tick < 100; ++tick) {
        now += 20ms;
        streams.advance(now, tick);
        match.frame(now, SessionInstant{}, std::nullopt);
        while (const auto message = streams.poll_message()) match.handle_message(now, host, message->bytes);
        while (const auto message = match.poll_message()) streams.handle_message(now, self, message->bytes);
        while (const auto event = streams.poll_event()) {
            if (const auto* asked = std::get_if<StateAsked>(&*event))
                streams.offer_state(self, asked->tick, bytes_of(WholeState<WarpBattle::Part>{state}).value());
        }
        while (streams.poll_line()) continue;
    }
    return match;
}

TEST(WarpStress, ANewcomerTakesAStateOnlyIfItsGameAcceptsIt) {
    const Map map = map_named("ruins");
    const WarpBattle game = gathered(map, Mode::flag, Seed{1});
    auto state = state_of_battle(game);
    const auto good = joined(game, state);
    EXPECT_NE(good.game(), nullptr);
    EXPECT_EQ(good.counts().refused_states, 0U);
    std::get<TankPart>(state[1].value).tank.position = {-1, 5};
    const auto bad = joined(game, state);
    EXPECT_EQ(bad.game(), nullptr);
    EXPECT_GE(bad.counts().refused_states, 1U);
}

TEST(WarpStress, AMemberThatAsksAndReportsWithoutEndFillsNothing) {
    using Match = WarpMatch<WarpBattle>;
    const PeerId self = PeerId::from_number(1);
    const PeerId hostile = PeerId::from_number(2);
    const StreamOptions options{.seats = kStressTanks};
    Instant now{};
    const Map map = map_named("ruins");
    auto match =
        Match::found(now, self, gathered(map, Mode::flag, Seed{1}), {.streams = options}, SessionInstant{})
            .value();
    auto streams = TickStreams::join(now, hostile, options).value();
    match.link_up(now, hostile);
    streams.link_up(now, self);
    for (int frame = 0; frame < 60; ++frame) {
        now += 20ms;
        streams.advance(now, frame);
        while (const auto message = streams.poll_message())
            match.handle_message(now, hostile, message->bytes);
        for (int i = 0; i < 100 && streams.is_member(); ++i) {
            StreamDatum datum{.is_note = true};
            datum.note = {.match = 1, .kind = StreamNote::Kind::desync, .tick = i};
            match.handle_message(now, hostile, to_bytes(datum));
            datum.note = {.match = 1, .kind = StreamNote::Kind::wanted, .tick = kLastTick};
            match.handle_message(now, hostile, to_bytes(datum));
        }
        match.frame(now, SessionInstant{}, std::nullopt);
        while (const auto message = match.poll_message()) streams.handle_message(now, self, message->bytes);
    }
    EXPECT_EQ(match.take_desyncs().size(), Match::kMostDesyncs);
    EXPECT_GT(match.counts().dropped_desyncs, 3000U);
    EXPECT_GT(match.counts().dropped_asks, 3000U) << "one of each member waits";
}

}  // namespace
}  // namespace fray::panzer
