#include "games/panzer/client/effects.hpp"

#include "games/panzer/client/kill_feed.hpp"
#include "games/panzer/client/scene.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray::panzer::client {
namespace {

class Shows : public testing::Test {
protected:
    Shows() : map_{*shipped_map("arena")}, heights_{map_}, effects_{map_, heights_} {
        moment_.at = 1;
        moment_.tanks = {{.position = {60, 60}, .armour = 100},
                         {.position = {90, 60}, .hull = 1, .armour = 100}};
        moment_.scores = {{.name = "me"}, {.name = "you"}};
        next();
    }
    void next() {
        effects_.see(moment_);
        feed_.see(moment_);
        moment_.at += 0.05;
    }
    [[nodiscard]] std::size_t noises(Noise::Kind kind) {
        const auto all = effects_.take_noises();
        return static_cast<std::size_t>(
            std::ranges::count_if(all, [&](const Noise& n) { return n.kind == kind; }));
    }
    Map map_;
    Heights heights_;
    Effects effects_;
    KillFeed feed_;
    Moment moment_;
};

TEST_F(Shows, AShotIsSeenWhenTheGunBeginsToReload) {
    EXPECT_TRUE(effects_.tracers().empty());
    moment_.tanks[0].gun_wait = 36;
    next();
    ASSERT_EQ(effects_.tracers().size(), 1U);
    EXPECT_TRUE(effects_.tracers()[0].is_own);
    EXPECT_NEAR(effects_.tracers()[0].to.x, 90 - 1.8F, 0.3F);  // it ends at the other tank
    moment_.tanks[0].gun_wait = 33;
    next();
    EXPECT_EQ(effects_.tracers().size(), 1U);
}

TEST_F(Shows, AHeldTriggerOfAnotherTankFiresAtThePaceOfItsGun) {
    moment_.tanks[1].fires = true;
    for (int i = 0; i < 26; ++i) next();  // 1.3 s, a shot each 0.6 s
    EXPECT_EQ(noises(Noise::Kind::shot), 3U);
}

TEST_F(Shows, AHitNamesTheTankThatAims) {
    moment_.tanks[1].turret = 3.14159F;
    moment_.tanks[0].armour = 86;
    next();
    ASSERT_EQ(effects_.arcs().size(), 1U);
    EXPECT_NEAR(effects_.arcs()[0].angle, 0, 0.01F);
    EXPECT_GT(effects_.tanks()[0].hit, 0);
    EXPECT_EQ(effects_.tracers().size(), 1U);  // a recording does not say who fired
}

TEST_F(Shows, AShellThatIsGoneHasExploded) {
    moment_.shells = {{1, {100, 100}, 0}};
    next();
    EXPECT_EQ(noises(Noise::Kind::explosion), 0U);
    moment_.shells[0].position.x += 38 * 0.05F;
    next();
    EXPECT_EQ(noises(Noise::Kind::explosion), 0U);  // it flies on
    moment_.shells.clear();
    next();
    EXPECT_EQ(noises(Noise::Kind::explosion), 1U);
    EXPECT_FALSE(effects_.particles().empty());
}

TEST_F(Shows, AWreckBurnsForThreeSeconds) {
    moment_.tanks[1].armour = 0;
    next();
    Scene scene{map_, heights_};
    Picture picture;
    const Camera camera{{60, 50, 5}, {75, 60, 1}, 60};
    scene.build(moment_, effects_, camera, 400, picture);
    EXPECT_EQ(picture.of(Model::hull).size(), 2U);
    for (int i = 0; i < 62; ++i) effects_.advance(moment_, 0.05F);
    scene.build(moment_, effects_, camera, 400, picture);
    EXPECT_EQ(picture.of(Model::hull).size(), 1U);
}

TEST_F(Shows, TheSameMomentsGiveTheSameParticles) {
    Effects other{map_, heights_};
    Moment moment = moment_;
    other.see(moment_);
    moment.tanks[1].armour = 0;
    moment.at += 0.05;
    effects_.see(moment_);
    for (Effects* effects : {&effects_, &other}) {
        effects->see(moment);
        for (int i = 0; i < 10; ++i) effects->advance(moment, 0.03F);
    }
    ASSERT_GT(effects_.particles().size(), 5U);
    ASSERT_EQ(effects_.particles().size(), other.particles().size());
    for (std::size_t i = 0; i < other.particles().size(); ++i)
        EXPECT_EQ(effects_.particles()[i].position, other.particles()[i].position);
}

TEST_F(Shows, TheOwnTankHasTenWheelsTwoTreadsAndAChevron) {
    Scene scene{map_, heights_};
    Picture picture;
    scene.build(moment_, effects_, {{60, 50, 5}, {75, 60, 1}, 60}, 400, picture);
    EXPECT_EQ(picture.of(Model::wheel).size(), 20U);
    EXPECT_EQ(picture.of(Model::tread).size(), 4U);
    EXPECT_EQ(picture.of(Model::chevron).size(), 1U);
    const Instance& hull = picture.of(Model::hull)[1];
    EXPECT_FLOAT_EQ(hull.rows[0].w, 90);
    EXPECT_FLOAT_EQ(hull.rows[1].w, 60);
}

TEST_F(Shows, AKillIsToldWithBothNamesOnceTheCardArrives) {
    moment_.tanks[1].armour = 0;
    next();
    EXPECT_TRUE(feed_.lines().empty());
    for (int i = 0; i < 10; ++i) next();
    moment_.scores[0].kills = 1;
    next();
    ASSERT_EQ(feed_.lines().size(), 1U);
    EXPECT_EQ(feed_.lines()[0].killer, 0);
    EXPECT_EQ(feed_.lines()[0].victim, 1);
}

TEST_F(Shows, ADeathThatNobodyClaimsIsToldWithoutAName) {
    moment_.tanks[1].armour = 0;
    for (int i = 0; i < 40; ++i) next();
    ASSERT_EQ(feed_.lines().size(), 1U);
    EXPECT_EQ(feed_.lines()[0].killer, kNone);
}

TEST(Mix, TanksMoveBetweenTwoMomentsAndDoNotSmearAJump) {
    Moment from, to, result;
    from.at = 1;
    to.at = 1.05;
    from.tanks = {{.position = {10, 10}, .hull = 3.1F, .armour = 1}, {.position = {10, 10}, .armour = 1}};
    to.tanks = {{.position = {12, 10}, .hull = -3.1F, .armour = 1}, {.position = {80, 10}, .armour = 1}};
    from.scores.resize(2);
    to.scores.resize(2);
    mix(from, to, 0.5F, result);
    EXPECT_FLOAT_EQ(result.tanks[0].position.x, 11);
    EXPECT_NEAR(std::abs(result.tanks[0].hull), 3.14159F, 0.01F);  // the short way round
    EXPECT_FLOAT_EQ(result.tanks[1].position.x, 80);
}

}  // namespace
}  // namespace fray::panzer::client
