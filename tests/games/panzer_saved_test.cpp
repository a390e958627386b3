// A battle can be saved, restored, compared field by field, and hashed.

#include "games/panzer_battles.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace fray::panzer {
namespace {

TEST(PanzerSaved, ABattleContinuesToTheSameBattleInEveryField) {
    for (const Mode mode : {Mode::free_for_all, Mode::teams, Mode::flag}) {
        const Map map = map_named("ruins");
        Rules rules{map};
        auto battle = rules.start({.tanks = 32, .mode = mode, .seed = Seed{3}});
        ASSERT_TRUE(battle) << battle.error().message;
        std::vector<std::vector<Input>> pressed;
        Keys keys{Seed{3}, 32};
        const auto run = [&](Battle& b, Rules& r, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                if (pressed.size() <= i) pressed.push_back(keys.press(b));
                r.step(b, pressed[i]);
            }
        };
        run(*battle, rules, 0, 900);
        const Battle saved = *battle;
        run(*battle, rules, 900, 1500);
        Battle again = saved;
        Rules others{map};  // scratch memory of another stepper must not matter
        run(again, others, 900, 1500);
        EXPECT_EQ(first_difference(again, *battle), "");
        EXPECT_TRUE(again == *battle);
        EXPECT_EQ(fingerprint(again), fingerprint(*battle));
        EXPECT_NE(fingerprint(saved), fingerprint(*battle));
    }
}

/// A change of one field, and how first_difference() names it.
struct Change {
    std::string name;
    std::function<void(Battle&)> make;
};

template <class T>
void raise(T& value) {
    value = static_cast<T>(value + 1);
}

std::vector<Change> changes_of_tanks() {
    return {
        {"seed", [](Battle& b) { raise(b.seed.value); }},
        {"mode", [](Battle& b) { b.mode = Mode::flag; }},
        {"step", [](Battle& b) { raise(b.step); }},
        {"tanks.size", [](Battle& b) { b.tanks.emplace_back(); }},
        {"tanks[3].position.x", [](Battle& b) { raise(b.tanks[3].position.x); }},
        {"tanks[3].position.y", [](Battle& b) { raise(b.tanks[3].position.y); }},
        {"tanks[3].speed", [](Battle& b) { raise(b.tanks[3].speed); }},
        {"tanks[3].hull", [](Battle& b) { raise(b.tanks[3].hull); }},
        {"tanks[3].turret", [](Battle& b) { raise(b.tanks[3].turret); }},
        {"tanks[3].armour", [](Battle& b) { raise(b.tanks[3].armour); }},
        {"tanks[3].shield", [](Battle& b) { raise(b.tanks[3].shield); }},
        {"tanks[3].gun_wait", [](Battle& b) { raise(b.tanks[3].gun_wait); }},
        {"tanks[3].shell_wait", [](Battle& b) { raise(b.tanks[3].shell_wait); }},
        {"tanks[3].respawn_wait", [](Battle& b) { raise(b.tanks[3].respawn_wait); }},
        {"tanks[3].team", [](Battle& b) { raise(b.tanks[3].team); }},
        {"tanks[3].fire_rate", [](Battle& b) { raise(b.tanks[3].fire_rate); }},
        {"tanks[3].gun_power", [](Battle& b) { raise(b.tanks[3].gun_power); }},
        {"tanks[3].engine", [](Battle& b) { raise(b.tanks[3].engine); }},
    };
}

std::vector<Change> other_changes() {
    return {
        {"records[2].score", [](Battle& b) { raise(b.records[2].score); }},
        {"records[2].kills", [](Battle& b) { raise(b.records[2].kills); }},
        {"records[2].deaths", [](Battle& b) { raise(b.records[2].deaths); }},
        {"records[2].accidents", [](Battle& b) { raise(b.records[2].accidents); }},
        {"records[2].shots", [](Battle& b) { raise(b.records[2].shots); }},
        {"records[2].hits", [](Battle& b) { raise(b.records[2].hits); }},
        {"records[2].shells", [](Battle& b) { raise(b.records[2].shells); }},
        {"records[2].pickups", [](Battle& b) { raise(b.records[2].pickups); }},
        {"shells.size", [](Battle& b) { b.shells.pop_back(); }},
        {"shells[0].shooter", [](Battle& b) { raise(b.shells[0].shooter); }},
        {"shells[0].life", [](Battle& b) { raise(b.shells[0].life); }},
        {"shells[0].position.x", [](Battle& b) { raise(b.shells[0].position.x); }},
        {"shells[0].velocity.y", [](Battle& b) { raise(b.shells[0].velocity.y); }},
        {"items[1].wait", [](Battle& b) { raise(b.items[1].wait); }},
        {"items[1].taken", [](Battle& b) { raise(b.items[1].taken); }},
        {"doors[1].opened", [](Battle& b) { raise(b.doors[1].opened); }},
        {"doors[1].hold", [](Battle& b) { raise(b.doors[1].hold); }},
        {"flag.carrier", [](Battle& b) { raise(b.flag.carrier); }},
        {"flag.held", [](Battle& b) { raise(b.flag.held); }},
        {"flag.position.x", [](Battle& b) { raise(b.flag.position.x); }},
    };
}

TEST(PanzerSaved, ADifferenceInAnyFieldIsFoundNamedAndHashed) {
    const Map map = map_named("ruins");
    Rules rules{map};
    auto battle = rules.start({.tanks = 8, .mode = Mode::free_for_all, .seed = Seed{3}});
    ASSERT_TRUE(battle) << battle.error().message;
    Keys keys{Seed{3}, 8};
    while (battle->shells.empty()) rules.step(*battle, keys.press(*battle));
    std::vector<Change> changes = changes_of_tanks();
    for (Change& change : other_changes()) changes.push_back(std::move(change));
    for (const Change& change : changes) {
        Battle other = *battle;
        change.make(other);
        EXPECT_TRUE(first_difference(*battle, other).starts_with(change.name + ": "))
            << change.name << ": " << first_difference(*battle, other);
        EXPECT_FALSE(other == *battle) << change.name;
        EXPECT_NE(fingerprint(other), fingerprint(*battle)) << change.name;
    }
    Battle zero = *battle;
    zero.tanks[0].speed = 0.0F;
    Battle minus = zero;
    minus.tanks[0].speed = -0.0F;
    EXPECT_TRUE(zero == minus);
    EXPECT_EQ(fingerprint(zero), fingerprint(minus)) << "equal battles have equal hashes";
}

}  // namespace
}  // namespace fray::panzer
