#include "games/any_keys.hpp"
#include "games/snagger/rules/game.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray::snagger {
namespace {

constexpr Input kSpace{.snag = true};
constexpr Vec3 kInTheLoop{50, 40, 0};  // of a game that has just begun
constexpr Vec3 kOutside{10, 60, 0};

/// The beginning of a game; all aliens stand still outside the loop, except the first, which is here.
Game game_with_alien_at(const Vec3& place) {
    Game game = start(Seed{1});
    for (Alien& alien : game.aliens) alien = {.position = kOutside};
    game.aliens[0].position = place;
    return game;
}

TEST(SnaggerGame, BeginsWithAliensAllOverTheScreen) {
    const Game game = start(Seed{1});
    EXPECT_EQ(game.arrivals, kAliens);
    for (const Alien& alien : game.aliens) {
        EXPECT_EQ(inside_screen(alien.position), alien.position);
        EXPECT_GE(length(alien.velocity), 1.49F);
        EXPECT_LE(length(alien.velocity), 3.01F);
    }
    EXPECT_NE(start(Seed{2}).aliens, game.aliens);
}

TEST(SnaggerGame, SpaceCatchesWhatIsInTheLoop) {
    for (std::size_t ship = 0; ship < kShips; ++ship) {
        const Game game = game_with_alien_at(kInTheLoop);
        ASSERT_TRUE(is_enclosed(game, game.aliens[0]));
        Inputs inputs{};
        inputs[ship] = kSpace;
        const Game next = step(game, inputs);
        EXPECT_EQ(next.score, 1U);
        EXPECT_EQ(next.arrivals, kAliens + 1);
        EXPECT_EQ(next.aliens[0], arrival(game.seed, kAliens));
        EXPECT_EQ(next.aliens[1], game.aliens[1]);
    }
}

TEST(SnaggerGame, NothingIsCaughtOutsideTheLoopOrWithoutSpace) {
    EXPECT_EQ(step(game_with_alien_at(kOutside), {kSpace, kSpace}).score, 0U);
    EXPECT_EQ(step(game_with_alien_at(kInTheLoop), {}).score, 0U);
}

TEST(SnaggerGame, SpaceCountsWhenItGoesDownNotWhileItIsHeld) {
    Game game = step(game_with_alien_at(kOutside), {kSpace, {}});
    game.aliens[0].position = kInTheLoop;
    for (int i = 0; i < 10; ++i) game = step(game, {kSpace, {}});
    EXPECT_EQ(game.score, 0U);
    EXPECT_EQ(step(game, {kSpace, kSpace}).score, 1U) << "the other player's space bar is another one";
    game = step(game, {});
    EXPECT_EQ(step(game, {kSpace, {}}).score, 1U);
}

TEST(SnaggerGame, AllInTheLoopAreCaughtAtOnce) {
    Game game = game_with_alien_at(kInTheLoop);
    game.aliens[3].position = kInTheLoop + Vec3{1, -2, 0};
    EXPECT_EQ(step(game, {kSpace, kSpace}).score, 2U);
}

TEST(SnaggerAlien, ComesInOverAnEdgeAndStaysOnTheScreen) {
    float farthest = 0;
    for (std::uint32_t number = 0; number < 200; ++number) {
        const Alien first = arrival(Seed{3}, number);
        EXPECT_EQ(first, arrival(Seed{3}, number));
        const Vec3& place = first.position;
        EXPECT_TRUE(place.x == 0 || place.x == kWidth || place.y == 0 || place.y == kHeight);
        Alien alien = drift(first);
        EXPECT_EQ(alien.velocity, first.velocity) << "the first step leads in, not out";
        for (int i = 0; i < 3600; ++i) {
            alien = drift(alien);
            ASSERT_EQ(inside_screen(alien.position), alien.position);
            farthest = std::max(farthest, distance(alien.position, place));
        }
    }
    EXPECT_GT(farthest, 80);
}

RC_GTEST_PROP(SnaggerGame, TheSameKeysGiveTheSameGame, (std::uint32_t seed)) {
    const std::vector<Inputs> keys = any_keys();
    Game one = start(Seed{seed});
    for (const Inputs& inputs : keys) one = step(one, inputs);
    Game other = start(Seed{seed});
    for (const Inputs& inputs : keys) other = step(other, inputs);
    RC_ASSERT(fingerprint(one) == fingerprint(other));
    RC_ASSERT(one == other);
    RC_ASSERT(keys.empty() || fingerprint(one) != fingerprint(start(Seed{seed})));
    RC_ASSERT(one.tick == keys.size() && one.arrivals == kAliens + one.score);
}

RC_GTEST_PROP(SnaggerGame, AShipAloneFliesAsInTheGame, (std::uint32_t seed)) {
    Game game = start(Seed{seed});
    std::array<Ship, kShips> alone = game.ships;
    for (const Inputs& inputs : any_keys()) {
        game = step(game, inputs);
        for (std::size_t i = 0; i < kShips; ++i) alone[i] = advance(alone[i], inputs[i]);
        RC_ASSERT(alone == game.ships);
    }
}

TEST(SnaggerGame, TheFingerprintSeesEveryPart) {
    const Game game = start(Seed{1});
    const auto differs = [&](auto change) {
        Game other = game;
        change(other);
        return fingerprint(other) != fingerprint(game);
    };
    EXPECT_TRUE(differs([](Game& other) { ++other.seed.value; }));
    EXPECT_TRUE(differs([](Game& other) { ++other.tick; }));
    EXPECT_TRUE(differs([](Game& other) { ++other.score; }));
    EXPECT_TRUE(differs([](Game& other) { ++other.arrivals; }));
    EXPECT_TRUE(differs([](Game& other) { other.ships[1].pose.yaw += kTurn; }));
    EXPECT_TRUE(differs([](Game& other) { other.ships[1].pose.velocity.y += 1; }));
    EXPECT_TRUE(differs([](Game& other) { other.ships[0].snagging = true; }));
    EXPECT_TRUE(differs([](Game& other) { other.net.knots.back().x += 1; }));
    EXPECT_TRUE(differs([](Game& other) { other.aliens.back().velocity.x += 1; }));
}

}  // namespace
}  // namespace fray::snagger
