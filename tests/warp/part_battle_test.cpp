// Battles of which only some parts are stepped, beside the whole.
#include "games/panzer/warp/part_battle.hpp"

#include <fray/encode.hpp>

#include "games/panzer_battles.hpp"
#include "warp/brawl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fray::panzer {
namespace {

using Messages = std::vector<Stamped<BattleMessage>>;

PartBattle started(const Map& map, const Rules::Setup& setup,
                   PartBattle::Players players = PartBattle::Players::present) {
    auto game = PartBattle::start(map, setup, players);
    FRAY_ASSERT(game);
    return std::move(*game);
}
PartSet all_parts(const PartBattle& game) {
    PartSet all{game.parts()};
    all.add_all();
    return all;
}

/// What the runs of a test have seen. A test that saw nothing proves nothing.
struct Seen {
    std::size_t proper = 0;   // sets that did not have all parts
    std::size_t members = 0;  // of them
    std::size_t whole = 0;
    std::array<std::size_t, 9> happenings{};  // by Happening::Kind, in proper sets

    void count(std::span<const BattleOutcome> outcomes) {
        for (const BattleOutcome& outcome : outcomes)
            ++happenings[static_cast<std::size_t>(outcome.happening.kind)];
    }
    [[nodiscard]] std::size_t of(Happening::Kind kind) const {
        return happenings[static_cast<std::size_t>(kind)];
    }
};

/// Steps a battle, and in each tick some parts of it in another one in which all others hold wrong values.
class Comparison {
public:
    Comparison(const Map& map, const Rules::Setup& setup, bool gathers)
        : random_{setup.seed, "comparison"},
          brawl_{map, setup.seed, setup.tanks},
          whole_{started(map, setup)},
          some_{whole_},
          what_if_{whole_},
          all_{all_parts(whole_)},
          set_{whole_.parts()},
          rest_{whole_.parts()} {
        if (gathers)
            brawl_.gather(whole_);
        else
            Brawl::destroy_half(whole_);
    }

    void run(Tick ticks, Seen& seen) {
        for (Tick tick = 0; tick < ticks && !testing::Test::HasFailure(); ++tick) {
            before_.clear();
            for (PartNumber i = 0; i < whole_.parts(); ++i) before_.push_back(whole_.get(i));
            brawl_.press(whole_, tick);
            compare(tick, brawl_.messages(), seen);
            // A link must also hold if some of the messages turn out not to be executed.
            Messages fewer = brawl_.messages();
            std::erase_if(fewer, [&](const auto&) { return random_.chance(0.5); });
            compare(tick, fewer, seen);
            whole_.step(tick, brawl_.messages(), all_);
        }
    }

private:
    void compare(Tick tick, const Messages& executed, Seen& seen) {
        choose_set(tick);
        ++(set_.has_all() ? seen.whole : seen.proper);
        if (set_.has_all()) return;
        seen.members += set_.size();
        for (PartNumber i = 0; i < whole_.parts(); ++i) what_if_.set(i, before_[i]);
        what_if_.step(tick, executed, all_);
        step_alone(tick, executed, set_);
        seen.count(some_.outcomes());
        // Links have two directions: the others do not need the members either.
        rest_.clear();
        for (PartNumber i = 0; i < whole_.parts(); ++i) {
            if (!set_.contains(i)) rest_.add(i);
        }
        step_alone(tick, executed, rest_);
    }

    void step_alone(Tick tick, const Messages& executed, const PartSet& set) {
        given_.clear();
        for (PartNumber i = 0; i < whole_.parts(); ++i) {
            given_.push_back(set.contains(i) ? before_[i] : wrong(i, set));
            some_.set(i, given_.back());
        }
        some_.step(tick, executed, set);
        for (PartNumber i = 0; i < whole_.parts(); ++i) {
            const bool is_right = some_.get(i) == (set.contains(i) ? what_if_.get(i) : given_[i]);
            ASSERT_TRUE(is_right) << "part " << i << ", tick " << tick;
        }
        std::vector<BattleOutcome> wanted;
        for (const BattleOutcome& outcome : what_if_.outcomes()) {
            if (set.contains(outcome.part)) wanted.push_back(outcome);
        }
        ASSERT_TRUE(std::ranges::equal(some_.outcomes(), wanted)) << "tick " << tick;
    }

    void choose_set(Tick tick) {
        set_.clear();
        const PartLayout& layout = whole_.layout();
        do set_.add(random_.below(random_.chance(0.9) ? layout.tanks : layout.size()));
        while (random_.chance(0.2));
        whole_.reach(
            tick, brawl_.messages(), [&](PartNumber i) -> const BattlePart& { return before_[i]; }, set_);
    }

    /// Something else than the part's value, and in the way of the members: a read of it would show.
    BattlePart wrong(PartNumber part, const PartSet& set) {
        const PartLayout& layout = whole_.layout();
        const PartNumber member = set.members()[random_.below(static_cast<std::uint32_t>(set.size()))];
        const PartNumber near = member < layout.tanks ? member : random_.below(layout.tanks);
        const Vec2 place = std::get<TankPart>(before_[near]).tank.position;
        if (part == layout.flag()) return Flag{static_cast<std::uint16_t>(near), 59, place};
        if (part >= layout.first_door())
            return Door{random_.chance(0.5) ? kDoorSteps : std::uint8_t{0},
                        random_.chance(0.5) ? kDoorHold : std::uint16_t{0}};
        if (part >= layout.first_item()) return Item{static_cast<std::uint16_t>(random_.below(2)), 1000};
        TankPart tank = std::get<TankPart>(before_[part]);
        tank.tank.position = place;
        tank.tank.armour = kFullArmour;
        tank.tank.gun_wait = 0;
        tank.tank.team = 0;
        tank.input = {.throttle = kFull, .gun = true, .shell = true};
        tank.shells[0] = {static_cast<std::uint16_t>(part), 1, place, Vec2{kShellSpeed, 0}};
        tank.shell_count = 1;
        return tank;
    }

    RandomStream random_;
    Brawl brawl_;
    PartBattle whole_;
    PartBattle some_;
    PartBattle what_if_;
    PartSet all_;
    PartSet set_;
    PartSet rest_;
    std::vector<BattlePart> before_;
    std::vector<BattlePart> given_;
};

void expect_much(const Seen& seen) {
    using Kind = Happening::Kind;
    EXPECT_GT(seen.proper, 10 * seen.whole);
    for (const Kind kind :
         {Kind::shot, Kind::launch, Kind::explosion, Kind::damage, Kind::death, Kind::pickup, Kind::spawn})
        EXPECT_GT(seen.of(kind), 0U) << static_cast<int>(kind);
    std::string happenings;
    for (const std::size_t count : seen.happenings) happenings += " " + std::to_string(count);
    testing::Test::RecordProperty("happenings", happenings);
    testing::Test::RecordProperty("proper_sets", std::to_string(seen.proper));
    testing::Test::RecordProperty("their_members", std::to_string(seen.members));
}

Seen compare_all(const Map& map, std::span<const std::size_t> sizes, Tick ticks) {
    Seen seen;
    for (const Mode mode : {Mode::free_for_all, Mode::teams, Mode::flag}) {
        for (const std::size_t tanks : sizes) {
            for (const bool gathers : {false, true}) {
                SCOPED_TRACE(map.name + ", " + std::string{to_string(mode)} + ", " + std::to_string(tanks));
                Comparison{map, {.tanks = tanks, .mode = mode, .seed = Seed{tanks}}, gathers}.run(ticks,
                                                                                                  seen);
            }
        }
    }
    return seen;
}

TEST(PartBattle, AStepOfAllPartsIsAStepOfTheRules) {
    const Map map = map_named("ruins");
    for (const Mode mode : {Mode::free_for_all, Mode::teams, Mode::flag}) {
        const Rules::Setup setup{.tanks = 32, .mode = mode, .seed = Seed{9}};
        Rules rules{map};
        Battle wanted = *rules.start(setup);
        PartBattle game = started(map, setup);
        const PartSet all = all_parts(game);
        Keys keys{Seed{9}, setup.tanks};
        Battle battle;
        for (Tick tick = 0; tick < 1200; ++tick) {
            Messages messages;
            const std::vector<Input>& inputs = keys.press(wanted);
            for (const Input& input : inputs)
                messages.push_back({{}, {.tank = static_cast<PartNumber>(messages.size()), .input = input}});
            rules.step(wanted, inputs);
            game.step(tick, messages, all);
            ASSERT_EQ(game.outcomes().size(), rules.happenings().size());
        }
        game.copy_to(battle, 1200);
        EXPECT_EQ(first_difference(battle, wanted), "");
        EXPECT_EQ(fingerprint(battle), fingerprint(wanted));
        EXPECT_GT(battle.shells.size(), 0U);
    }
}

/// Two tanks, far apart, on open ground.
class PartBattlePlayers : public testing::Test {
protected:
    const Tank& tank(PartNumber number) {
        game_.copy_to(battle_, tick_);
        return battle_.tanks[number];
    }
    void step(Tick ticks, const Messages& messages = {}) {
        for (Tick i = 0; i < ticks; ++i) game_.step(tick_++, i == 0 ? messages : Messages{}, all_);
    }
    static Messages say(BattleMessage message) { return {{{}, message}}; }

    Map map_ = map_named("duel");
    PartBattle game_ = started(map_, {.tanks = 2, .mode = Mode::flag}, PartBattle::Players::absent);
    PartSet all_ = all_parts(game_);
    Tick tick_ = 0;
    Battle battle_;
};

TEST_F(PartBattlePlayers, ATankEntersWithItsPlayer) {
    step(1000);
    EXPECT_FALSE(tank(0).alive());
    step(1, say({.tank = 1, .kind = BattleMessage::Kind::enter}));
    EXPECT_TRUE(tank(1).alive());
    EXPECT_TRUE(game_.is_present(1));
    step(1000);
    EXPECT_FALSE(tank(0).alive());
}

TEST_F(PartBattlePlayers, ATankThatLeavesIsGoneButItsShellsFlyOn) {
    step(1, say({.tank = 0, .kind = BattleMessage::Kind::enter}));
    step(1, say({.tank = 0, .input = {.shell = true}}));
    EXPECT_EQ(std::get<TankPart>(game_.get(0)).shell_count, 1);
    step(1, say({.tank = 0, .kind = BattleMessage::Kind::leave}));
    EXPECT_FALSE(tank(0).alive());
    EXPECT_EQ(std::get<TankPart>(game_.get(0)).shell_count, 1);
    EXPECT_EQ(std::get<TankPart>(game_.get(0)).record.shells, 1U);
    EXPECT_EQ(std::get<TankPart>(game_.get(0)).record.deaths, 0U);
    step(kShellLife);
    EXPECT_EQ(std::get<TankPart>(game_.get(0)).shell_count, 0);
    EXPECT_FALSE(tank(0).alive());
}

TEST_F(PartBattlePlayers, LeavingAFightAndComingBackTakesAsLongAsADeath) {
    step(1, say({.tank = 0, .kind = BattleMessage::Kind::enter}));
    step(1, {{{}, {.tank = 0, .kind = BattleMessage::Kind::leave}},
             {{}, {.tank = 0, .kind = BattleMessage::Kind::enter}}});
    step(kRespawnSteps - 2);
    EXPECT_FALSE(tank(0).alive());
    step(1);
    EXPECT_TRUE(tank(0).alive());
}

TEST_F(PartBattlePlayers, TheFlagOfATankThatLeavesLiesWhereItWas) {
    step(1, say({.tank = 0, .kind = BattleMessage::Kind::enter}));
    game_.copy_to(battle_, tick_);
    TankPart part = std::get<TankPart>(game_.get(0));
    part.tank.position = battle_.flag.position;
    game_.set(0, part);
    step(1);
    EXPECT_EQ(std::get<Flag>(game_.get(game_.layout().flag())).carrier, 0);
    step(1, say({.tank = 0, .kind = BattleMessage::Kind::leave}));
    const Flag flag = std::get<Flag>(game_.get(game_.layout().flag()));
    EXPECT_EQ(flag.carrier, kNone);
    EXPECT_EQ(flag.position, part.tank.position);
}

TEST(BattleMessage, IsReadAsItWasWritten) {
    const BattleMessage messages[]{
        {.tank = 2047, .input = {.throttle = -7, .steer = 7, .aim = 0x1230, .gun = true}},
        {.tank = 3, .kind = BattleMessage::Kind::enter},
        {.tank = 4, .kind = BattleMessage::Kind::leave}};
    for (const BattleMessage& message : messages) {
        const auto read = value_of<BattleMessage>(*bytes_of(message));
        ASSERT_TRUE(read);
        EXPECT_EQ(*read, message);
    }
}

constexpr std::size_t kSizes[]{8, 16, 64};

TEST(PartBattle, SomePartsOfTheArenaGoOnAsInTheWhole) {
    expect_much(compare_all(map_named("arena"), kSizes, 1200));
}
TEST(PartBattle, SomePartsOfTheRuinsGoOnAsInTheWhole) {
    const Seen seen = compare_all(map_named("ruins"), kSizes, 1200);
    expect_much(seen);
    EXPECT_GT(seen.of(Happening::Kind::door), 0U);
    EXPECT_GT(seen.of(Happening::Kind::flag), 0U);
}
TEST(PartBattle, SomePartsOfThePlainsGoOnAsInTheWhole) {
    expect_much(compare_all(map_named("plains"), kSizes, 1200));
}
TEST(PartBattle, SomePartsOfTheDuelGoOnAsInTheWhole) {
    constexpr std::size_t kTwo[]{2};
    expect_much(compare_all(map_named("duel"), kTwo, 8000));
}

TEST(PartBattle, SomePartsOfAMazeGoOnAsInTheWhole) {
    Seen seen;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Map map = random_map(Seed{seed}, 24);
        const auto mode = static_cast<Mode>(seed % 3);
        Comparison{map, {.tanks = 2 + seed % 23, .mode = mode, .seed = Seed{seed}}, seed % 2 == 0}.run(600,
                                                                                                       seen);
    }
    expect_much(seen);
    EXPECT_GT(seen.of(Happening::Kind::door), 0U);
    EXPECT_GT(seen.of(Happening::Kind::flag), 0U);
}

}  // namespace
}  // namespace fray::panzer
