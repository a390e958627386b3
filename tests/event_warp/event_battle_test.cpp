// The state of a battle in event mode, message by message.

#include "games/panzer/event_warp/event_battle.hpp"

#include "games/panzer/event_warp/shown_deaths.hpp"
#include "games/panzer/rules/rules.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

using Kind = EventMessage::Kind;
constexpr SessionInstant ms(int at) { return SessionInstant{std::chrono::milliseconds{at}}; }
Stamp stamp_of(int tank, int at, std::uint32_t number = 1) {
    return {ms(at), {PeerId::from_number(static_cast<std::uint64_t>(tank) + 1), number}};
}

/// Two tanks in the north of the duel, which has no walls there: A faces B, 20 m to the east.
class EventBattleTest : public testing::Test {
protected:
    EventBattleTest() {
        battle.tanks[0].position = {20, 62};
        battle.tanks[1].position = {40, 62};
    }
    [[nodiscard]] EventBattle begin(std::optional<std::uint16_t> self = {}) const {
        EventBattle events{field, battle};
        if (self) events.play_as(*self);
        for (const PartNumber seat : {0U, 1U})
            EXPECT_TRUE(events.execute(stamp_of(0, 0), EventBattle::enter(seat)));
        return events;
    }
    [[nodiscard]] static EventMessage shot(const Vec2& from = {20, 62}, Angle turret = 0) {
        return {.kind = Kind::shoot, .position = from, .turret = turret};
    }
    [[nodiscard]] static EventMessage move(const Vec2& to, std::int8_t throttle = 0) {
        return {.kind = Kind::move, .position = to, .keys = {.throttle = throttle}};
    }
    /// The player of this tank says it.
    static bool say(EventBattle& events, int tank, int at, EventMessage message, std::uint32_t number = 1) {
        message.tank = static_cast<std::uint16_t>(tank);
        return events.execute(stamp_of(tank, at, number), message);
    }
    /// A's shots until B is destroyed.
    static void destroy(EventBattle& events) {
        for (std::uint32_t i = 0; events.tanks()[1].tank.alive(); ++i)
            EXPECT_TRUE(say(events, 0, 100, shot(), i));
    }

    Map map = shipped_map("duel").value();
    Battlefield field{map};
    Battle battle = Rules{map}.start({.tanks = 2, .mode = {}, .seed = Seed{1}}).value();
};

TEST_F(EventBattleTest, ATankDrivesOnWithTheKeysOfItsLastMove) {
    EventBattle events = begin();
    ASSERT_TRUE(say(events, 0, 1000, move({20, 62}, kFull)));
    Tank driven = events.tanks()[0].tank;
    for (int i = 0; i < 30; ++i) drive(field.ground(), driven, {.throttle = kFull});
    EXPECT_EQ(events.at(0, ms(1000) + 30 * kStepTime), driven);
    EXPECT_GT(driven.position.x, 20.5F);
    EXPECT_EQ(events.at(0, ms(1000)).position, (Vec2{20, 62})) << "asking does not change it";
}

TEST_F(EventBattleTest, ATankOfWhichNothingIsHeardStandsInTheEnd) {
    EventBattle events = begin();
    ASSERT_TRUE(say(events, 0, 0, move({20, 62}, kFull)));
    EXPECT_EQ(events.at(0, ms(0) + kMostDriven), events.at(0, ms(0) + 100 * kMostDriven));
}

TEST_F(EventBattleTest, AShotHitsWhereTheTanksAreAtItsStamp) {
    EventBattle events = begin();
    ASSERT_TRUE(say(events, 0, 100, shot()));
    EXPECT_EQ(events.tanks()[1].tank.armour, kFullArmour - kGunDamage);
    EXPECT_EQ(events.tanks()[0].hits, 1U);
    ASSERT_TRUE(say(events, 1, 200, move({40, 50})));
    ASSERT_TRUE(say(events, 0, 300, shot()));
    EXPECT_EQ(events.tanks()[0].hits, 1U) << "B has gone";
    EXPECT_EQ(events.tanks()[0].shots, 2U);
}

TEST_F(EventBattleTest, ADestroyedTankNeitherMovesNorShootsUntilItComesBack) {
    EventBattle events = begin();
    EXPECT_FALSE(say(events, 1, 50, {.kind = Kind::respawn, .position = {40, 62}}));
    destroy(events);
    EXPECT_EQ(events.tanks()[1].deaths, 1U);
    EXPECT_EQ(events.tanks()[0].kills, 1U);
    EXPECT_FALSE(say(events, 1, 200, move({40, 50})));
    EXPECT_FALSE(say(events, 1, 200, shot({40, 62})));
    EXPECT_FALSE(say(events, 1, 200, {.kind = Kind::angles}));
    EXPECT_TRUE(say(events, 1, 300, {.kind = Kind::respawn, .position = {40, 62}}));
    EXPECT_EQ(events.tanks()[1].life, 2U);
    EXPECT_TRUE(say(events, 1, 400, move({40, 50})));
}

TEST_F(EventBattleTest, OnlyTheOwnerOfTheTankThatIsHitTellsDamageAndDeath) {
    EventBattle a = begin(0);
    EventBattle b = begin(1);
    ASSERT_TRUE(say(a, 0, 100, shot()));
    EXPECT_TRUE(a.emitted().empty());
    ASSERT_TRUE(say(b, 0, 100, shot()));
    ASSERT_EQ(b.emitted().size(), 1U);
    EXPECT_EQ(b.emitted()[0].kind, Kind::damage);
    EXPECT_EQ(b.emitted()[0].armour, kFullArmour - kGunDamage);
    destroy(b);
    ASSERT_EQ(b.emitted().size(), 2U);
    EXPECT_EQ(b.emitted()[1].kind, Kind::dead);
}

TEST_F(EventBattleTest, DamageConfirmsAShotAndNeverRaisesTheArmour) {
    EventBattle events = begin();
    for (std::uint32_t i = 1; i <= 2; ++i) ASSERT_TRUE(say(events, 0, 100, shot(), i));
    const EventBattle::State before = events.save();
    const std::int16_t first = kFullArmour - kGunDamage;
    ASSERT_TRUE(say(events, 1, 200, {.kind = Kind::damage, .armour = first, .life = 1}));
    EXPECT_EQ(events.save(), before);
    ASSERT_TRUE(say(events, 1, 300, {.kind = Kind::dead, .life = 2}));
    EXPECT_EQ(events.save(), before) << "of another life";
    ASSERT_TRUE(say(events, 1, 400, {.kind = Kind::dead, .life = 1}));
    EXPECT_FALSE(events.tanks()[1].tank.alive()) << "even if the shot is not known";
}

TEST_F(EventBattleTest, PlacesOutsideTheMapAndUnknownAuthorsAreRefused) {
    EventBattle events = begin();
    const EventBattle::State before = events.save();
    EXPECT_FALSE(say(events, 0, 100, move({-1, 5})));
    EXPECT_FALSE(say(events, 0, 100, shot({1e30F, 5})));
    EXPECT_FALSE(say(events, 7, 100, move({20, 62})));
    EXPECT_FALSE(say(events, -1, 100, move({20, 62})));
    EXPECT_TRUE(say(events, 1, 100, {.kind = Kind::dead, .other = 99, .life = 1}));
    EXPECT_EQ(events.save(), before);
}

TEST_F(EventBattleTest, ATankWithoutAPlayerIsDestroyedAndItsMessagesAreRefused) {
    EventBattle events = begin();
    ASSERT_TRUE(say(events, 1, 100, move({40, 50})));
    ASSERT_TRUE(events.execute(stamp_of(0, 200), EventBattle::leave(1)));
    EXPECT_FALSE(events.tanks()[1].tank.alive());
    EXPECT_FALSE(say(events, 1, 300, {.kind = Kind::respawn, .position = {40, 62}}));
    EXPECT_FALSE(say(events, 1, 300, move({40, 50})));
    ASSERT_TRUE(events.execute(stamp_of(0, 400), EventBattle::enter(1)));
    EXPECT_TRUE(events.tanks()[1].tank.alive());
    EXPECT_EQ(events.tanks()[1].deaths, 0U) << "a tank that leaves is not destroyed by a shot";
    EXPECT_TRUE(say(events, 1, 500, move({40, 50})));
}

TEST_F(EventBattleTest, AStateOfAnotherPeerIsRefusedIfTheRulesCannotGoOnFromIt) {
    EventBattle events = begin();
    EventBattle::State state = events.save();
    EXPECT_TRUE(events.accepts(state));
    state[0].tank.position = {-5, 5};
    EXPECT_FALSE(events.accepts(state));
    state = events.save();
    state[1].is_present = false;
    EXPECT_FALSE(events.accepts(state)) << "alive without a player";
    state.pop_back();
    EXPECT_FALSE(events.accepts(state));
}

TEST_F(EventBattleTest, EveryMessageComesBackFromItsBytes) {
    for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(EventMessage::kLastKind); ++kind) {
        using Line = EventWarp<EventBattle>::Line;
        Line line{.kind = Line::Kind::message, .number = 77, .offset = 1234};
        line.message.kind = static_cast<Kind>(kind);
        const auto read = value_of<Line>(bytes_of(line).value());
        ASSERT_TRUE(read);
        EXPECT_EQ(read->offset, line.offset);
        EXPECT_EQ(read->number, line.number);
        EXPECT_EQ(read->message, line.message);
        EXPECT_LE(bytes_of(line).value().size(), kMostLineBytes);
    }
    const EventMessage full{.kind = Kind::move,
                            .position = {1.25F, 3.1F},
                            .speed = -2.7F,
                            .hull = 12'345,
                            .turret = 54'321,
                            .keys = {.throttle = -7, .steer = 7, .aim = sent_aim(999)}};
    EXPECT_EQ(value_of<EventMessage>(bytes_of(full).value()), full) << "exactly: all peers drive it on alike";
}

TEST(ShownDeathsTest, ADeathIsReversedIfTheTankIsShownAliveInTheSameLife) {
    ShownDeaths deaths;
    deaths.show(0, true, 0);
    deaths.show(0, false, 0);
    deaths.show(0, true, 1);  // came back
    EXPECT_EQ(deaths.shown(), 1U);
    EXPECT_EQ(deaths.reversed(), 0U);
    deaths.show(0, true, 0);  // it had not died after all
    EXPECT_EQ(deaths.reversed(), 1U);
    deaths.show(0, true, 0);
    EXPECT_EQ(deaths.reversed(), 1U) << "once";
}

}  // namespace
}  // namespace fray::panzer
