#include "consistency/showing.hpp"

#include <fray/random.hpp>

#include "core/math.hpp"
#include "core/space.hpp"
#include "support/moments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fray::test {
namespace {

using Whose = Showing::Whose;
constexpr EverQuest kStraight{.motion_model = false};
constexpr float kSpeed = 4;

Consistency with(const ConsistencyAlgorithmOptions& algorithm) { return {.algorithm = algorithm}; }

/// From left to right for ever, as its owner publishes it.
Moment straight(Duration t) {
    return update(t, moving({10 + kSpeed * static_cast<float>(seconds(t)), 50, 0}, {kSpeed, 0, 0}));
}
void hear_straight(Showing& showing, Duration from, Duration until) {
    for (Duration t = from; t <= until; t += 50ms) showing.add_update(at(t), straight(t));
}
double x_of(const Shown& shown) { return static_cast<double>(shown.pose.position.x); }

// --- corrections ---

TEST(ACorrection, IsCountedBeforeAnyBlending) {
    const World world = walkers_world();
    for (const ConsistencyAlgorithmOptions& algorithm :
         {ConsistencyAlgorithmOptions{kStraight}, ConsistencyAlgorithmOptions{Adaptive{}}}) {
        Showing showing{Whose::others, world, {}, with(algorithm)};
        showing.add_update(at(10s), update(10s, moving({50, 50, 0})));
        EXPECT_EQ(showing.corrections().count, 0U) << "the first update corrects nothing";
        showing.add_update(at(11s), update(11s, moving({53, 54, 0})));
        showing.add_update(at(12s), update(12s, moving({53, 52, 0})));
        showing.add_update(at(13s),
                           update(13s, moving({53, 52.0625F, 0})));  // finer than the world's precision
        EXPECT_EQ(showing.corrections().count, 2U) << name_of(algorithm);
        EXPECT_NEAR(showing.corrections().sum, 5 + 2 + 0.0625, 1e-4) << name_of(algorithm);
        EXPECT_NEAR(showing.corrections().most, 5, 1e-4) << name_of(algorithm);
    }
}

TEST(ACorrection, IsOfOthersEntitiesOnly) {
    const World world = walkers_world();
    for (const ConsistencyAlgorithmOptions& algorithm :
         {ConsistencyAlgorithmOptions{kStraight}, ConsistencyAlgorithmOptions{Adaptive{}},
          ConsistencyAlgorithmOptions{CentralizedSerialization{PeerId::from_number(1)}}}) {
        Showing own{Whose::own, world, {}, with(algorithm)};
        own.add_update(at(10s), update(10s, moving({50, 50, 0})));
        own.add_update(at(11s), update(11s, moving({60, 50, 0})));
        EXPECT_EQ(own.corrections().count, 0U);
        EXPECT_EQ(own.corrections().sum, 0);
        EXPECT_EQ(own.shown(at(11s)).pose.position.x, 60) << "and is not blended";
    }
}

TEST(ACorrection, IsTheShorterWayAroundTheWorld) {
    World world = walkers_world();
    world.wrap_x = true;
    Showing showing{Whose::others, world, {}, with(kStraight)};
    showing.add_update(at(10s), update(10s, moving({99, 50, 0})));
    showing.add_update(at(11s), update(11s, moving({2, 50, 0})));
    EXPECT_NEAR(showing.corrections().most, 3, 1e-4);
}

TEST(ACorrection, IsOnTheScreenAtOnceWhereNothingIsBlended) {
    const World world = walkers_world();
    for (const Duration start : {-5s, 0s, 10s}) {  // also in the first second of a session
        Showing showing{Whose::others, world, {}, with(kStraight)};
        showing.add_update(at(start), update(start, moving({50, 50, 0})));
        showing.add_update(at(start + 500ms), update(start + 500ms, moving({60, 50, 0})));
        EXPECT_EQ(showing.shown(at(start + 500ms)).pose.position.x, 60) << start.count();
    }
}

// --- blending ---

/// A walker whose updates arrive late, in any order, and often differ from the prediction. It walks around
/// the seam of the world.
class Surprises {
public:
    explicit Surprises(std::uint64_t seed) : random_{Seed{seed}, "surprises"} {}

    Moment next(Duration now) {
        const Duration when = now - Duration{random_.below(300'000)};
        const auto around = [&](double middle) {
            return static_cast<float>(middle + random_.uniform(-10, 10));
        };
        float x = around(0);
        if (x < 0) x += 100;
        const Vec3 velocity{around(0), around(0), 0};
        return update(when, moving({x, around(50), 0}, velocity),
                      {static_cast<std::uint8_t>(random_.below(4))});
    }
    bool comes() { return random_.chance(0.2); }

private:
    RandomStream random_;
};

RC_GTEST_PROP(Blending, NeverJumpsAndFadesAsFastAsItSays, (std::uint64_t seed)) {
    constexpr Duration kFrame = 16ms;
    World world = walkers_world();
    world.wrap_x = true;
    const Duration blend = std::chrono::milliseconds{*rc::gen::inRange(20, 500)};
    Showing showing{Whose::others, world, {}, with(Adaptive{.blend = blend})};
    Surprises owner{seed};
    showing.add_update(at(5s), owner.next(5s));
    const auto offset = [&](Duration t) {
        return way(world, showing.target(at(t)).pose.position, showing.shown(at(t)).pose.position);
    };
    double least = 0;  // lower bound of the speed
    Duration heard = 5s;
    for (Duration t = 5s; t < 9s; t += kFrame) {
        if (owner.comes()) {
            const Vec3 before = showing.shown(at(t)).pose.position;
            showing.add_update(at(t), owner.next(t));
            RC_ASSERT(length(way(world, before, showing.shown(at(t)).pose.position)) < 1e-3F);
            least = 0.5 * static_cast<double>(length(showing.target(at(t)).pose.velocity));
            heard = t;
        }
        const auto now = static_cast<double>(length(offset(t)));
        const auto gone = static_cast<double>(length(offset(t) - offset(t + kFrame)));
        const double faded = 1 - math::exp(-seconds(kFrame) / seconds(blend));
        RC_ASSERT(gone <= (now + least * seconds(t - heard)) * faded + least * seconds(kFrame) + 1e-3);
        RC_ASSERT(static_cast<double>(length(offset(t + kFrame))) <= now + 1e-4);
    }
}

TEST(Blending, LeavesAThirdAfterItsTimeAndNothingInTheEnd) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(Adaptive{.blend = 200ms})};
    showing.add_update(at(10s), update(10s, moving({50, 50, 0}), {0}));
    showing.add_update(at(11s), update(11s, moving({60, 50, 0}), {0}));  // it stands there
    EXPECT_NEAR(x_of(showing.shown(at(11s))), 50, 1e-4);
    EXPECT_NEAR(x_of(showing.shown(at(11'200ms))), 60 - 10 * 0.36788, 1e-3);
    EXPECT_NEAR(x_of(showing.shown(at(11'400ms))), 60 - 10 * 0.13534, 1e-3);
    EXPECT_NEAR(x_of(showing.shown(at(14s))), 60, 1e-3);
    EXPECT_EQ(x_of(showing.target(at(11s))), 60);
}

TEST(Blending, OfASmallCorrectionIsOverSoonBesideTheEntitysOwnMotion) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(Adaptive{.blend = 200ms})};
    showing.add_update(at(10s), update(10s, moving({50, 50, 0}, {kWalk, 0, 0}), {kRight}));
    showing.add_update(at(10'100ms), update(10'100ms, moving({51.5F, 50, 0}, {kWalk, 0, 0}), {kRight}));
    EXPECT_LT(showing.shown(at(10'100ms)).pose.position.x, 51.01F);
    // 0.5 units at half of ten units per second are gone after 100 ms, besides any fading.
    EXPECT_EQ(showing.shown(at(10'200ms)).pose, showing.target(at(10'200ms)).pose);
}

// --- changing algorithms ---

std::vector<ConsistencyAlgorithmOptions> all_algorithms() {
    return {EverQuest{},     kStraight,     CentralizedSerialization{PeerId::from_number(3)},
            LocalLag{300ms}, LocalLag{0ms}, BucketSync{.bucket = 50ms, .depth = 5},
            HalfLife{700ms}, Adaptive{},    Adaptive{.blend = 0ms, .lag = 50ms}};
}

RC_GTEST_PROP(Choosing, MovesNothingInThatInstantForAnyPair, (std::uint64_t seed)) {
    World world = walkers_world();
    world.wrap_x = true;
    const auto all = all_algorithms();
    const Duration quiet{*rc::gen::inRange(0, 3'000'000)};  // shorter and longer than the horizon
    for (std::size_t pair = 0; pair < all.size() * all.size(); ++pair) {
        const Whose whose = (seed + pair) % 2 == 0 ? Whose::own : Whose::others;
        Showing showing{whose, world, {}, with(all[pair / all.size()])};
        Surprises owner{seed + pair};
        Duration t = 5s;
        showing.add_update(at(t), owner.next(t));
        for (; t < 6s; t += 50ms) showing.add_update(at(t), owner.next(t));
        const SessionInstant now = at(t + quiet);
        const Vec3 before = showing.shown(now).pose.position;
        showing.choose(now, with(all[pair % all.size()]));
        RC_ASSERT(length(way(world, before, showing.shown(now).pose.position)) < 1e-3F);
    }
}

TEST(Choosing, ALagComesAndGoesInTwiceItsTime) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(HalfLife{0ms})};
    hear_straight(showing, 5s, 10s);
    const auto lag = [&](Duration t) { return at(t) - showing.shown(at(t)).moment; };
    showing.choose(at(10s), with(HalfLife{1s}));
    EXPECT_EQ(lag(10s), 0ms);
    hear_straight(showing, 10'050ms, 11s);
    EXPECT_EQ(lag(11s), 500ms);
    hear_straight(showing, 11'050ms, 12s);
    EXPECT_EQ(lag(11'980ms), 990ms);
    EXPECT_EQ(lag(12s), 1s);
    hear_straight(showing, 12'050ms, 14s);
    EXPECT_EQ(lag(14s), 1s);
    showing.choose(at(14s), with(HalfLife{200ms}));
    hear_straight(showing, 14'050ms, 16s);
    EXPECT_EQ(lag(14'800ms), 600ms);
    EXPECT_EQ(lag(15'600ms), 200ms);
    EXPECT_EQ(lag(16s), 200ms);
}

TEST(Choosing, BlendsWhatIsCorrectedWhileItSettles) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(kStraight)};
    showing.add_update(at(10s), update(10s, moving({50, 50, 0})));
    showing.choose(at(10s), with(LocalLag{0ms}));
    showing.add_update(at(10'500ms), update(10'500ms, moving({60, 50, 0})));
    EXPECT_NEAR(x_of(showing.shown(at(10'500ms))), 50, 1e-3);
    showing.add_update(at(15s), update(15s, moving({70, 50, 0})));
    EXPECT_EQ(x_of(showing.shown(at(15s))), 70) << "it settled long ago";
}

TEST(Choosing, BeforeAnythingWasHeardIsSimplyTheChoice) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(EverQuest{})};
    showing.choose(at(10s), with(HalfLife{600ms}));
    EXPECT_TRUE(showing.empty());
    EXPECT_EQ(showing.consistency(), with(HalfLife{600ms}));
    for (Duration t = 9s; t <= 10s; t += 50ms) showing.add_update(at(10s), straight(t));
    EXPECT_EQ(showing.shown(at(10s)).moment, at(9400ms));
}

TEST(Choosing, WhereAllStoodStillForLongDoesNotLeaveItInThePast) {
    const World world = walkers_world();
    for (const Whose whose : {Whose::own, Whose::others}) {
        Showing door{whose, world, {}, with(EverQuest{})};
        door.add_update(at(1s), update(1s, moving({50, 50, 0})));
        door.choose(at(600s), with(LocalLag{100ms}));  // unchanged for ten minutes
        EXPECT_EQ(door.shown(at(600s)).pose.position.x, 50);
        door.add_update(at(601s), update(601s, moving({50, 50, 0})));
        door.add_update(at(602s), update(602s, moving({52, 50, 0})));
        door.add_update(at(603s), update(603s, moving({52, 50, 0})));
        EXPECT_NEAR(x_of(door.shown(at(606s))), 52, 0.05);
        EXPECT_LE(at(606s) - door.shown(at(606s)).moment, 3s + 100ms);
    }
}

TEST(Choosing, OtherParametersKeepsWhatWasLearnt) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(Adaptive{})};
    for (Duration t = 100ms; t <= 30s; t += 50ms) {
        const std::uint8_t keys = t % 1s < 300ms ? kRight : std::uint8_t{0};
        showing.add_update(at(t), update(t, moving({50, 50, 0}), {keys}));
    }
    const double learnt = x_of(showing.target(at(30'800ms)));
    EXPECT_LT(learnt, 55) << "the key is let go by then";
    showing.choose(at(30s), with(Adaptive{.most_lag = 60ms}));
    EXPECT_EQ(x_of(showing.target(at(30'800ms))), learnt);
    showing.choose(at(30s), with(EverQuest{}));
    showing.choose(at(30s), with(Adaptive{}));
    EXPECT_NEAR(x_of(showing.target(at(30'800ms))), 58, 1e-3) << "another algorithm knows nothing of it";
}

TEST(Choosing, BringsItsHorizonAndGoesTheShorterWay) {
    World world = walkers_world();
    world.wrap_x = true;
    Showing showing{Whose::others, world, {}, with(kStraight)};
    showing.add_update(at(10s), update(10s, moving({99, 50, 0}, {4, 0, 0})));
    showing.choose(at(10s), {.algorithm = kStraight, .horizon = 5s});
    EXPECT_NEAR(x_of(showing.target(at(13s))), 11, 1e-3) << "three seconds on, over the seam";
    showing.choose(at(13s), {.algorithm = HalfLife{0ms}, .horizon = 5s});  // back to 99
    const double half_way = x_of(showing.shown(at(13'500ms)));
    EXPECT_TRUE(half_way > 99 || half_way < 11) << half_way;
}

// --- the rest ---

TEST(AShowing, GoesOnAsTheTypeDoesThatItIsTold) {
    World world = walkers_world();
    world.types.push_back(EntityType::bare("stone"));
    Showing showing{Whose::others, world, EntityTypeId{1}, with(EverQuest{})};
    showing.add_update(at(10s), update(10s, moving({50, 50, 0}, {2, 0, 0}), {kRight}));
    EXPECT_NEAR(x_of(showing.shown(at(10'500ms))), 51, 1e-3);
    showing.set_type(EntityTypeId{0});
    EXPECT_NEAR(x_of(showing.shown(at(10'500ms))), 55, 1e-3);
}

TEST(AShowing, OfOnesOwnEntityIsTheNewestWordOrTheSerializersLast) {
    const World world = walkers_world();
    Showing own{Whose::own, world, {}, with(EverQuest{})};
    hear_straight(own, 5s, 6s);
    EXPECT_EQ(own.shown(at(6s)).pose.position, straight(6s).pose.position);
    EXPECT_EQ(own.shown(at(7s)).pose.position, straight(6s).pose.position) << "one's own is never predicted";
    Showing lagging{Whose::own, world, {}, with(LocalLag{250ms})};
    hear_straight(lagging, 5s, 6s);
    EXPECT_NEAR(x_of(lagging.shown(at(6s))), x_of({straight(5750ms).pose, {}, {}}), 1e-4);
    Showing central{Whose::own, world, {}, with(CentralizedSerialization{PeerId::from_number(2)})};
    central.add_update(at(6s), straight(6100ms));  // its clock is ahead of ours
    central.add_update(at(6s), straight(5900ms));
    EXPECT_EQ(central.shown(at(6s)).moment, at(6100ms)) << "the last, whatever the time";
}

/// As a newcomer: its own clock showed 1000 s until it took session time, which is 10 s.
TEST(AShowing, ThatForgetsStartsAnewThoughTheClockWentBack) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(Adaptive{.blend = 200ms, .lag = 50ms})};
    for (Duration t = 990s; t <= 1000s; t += 50ms)
        showing.add_update(at(t),
                           update(t, moving({50, 50, 0}), {t % 1s < 300ms ? kRight : std::uint8_t{0}}));
    showing.add_update(at(1000s), update(1000s, moving({80, 50, 0}), {0}));  // a correction that still fades
    showing.choose(at(1000s), with(Adaptive{.blend = 200ms, .lag = 0ms}));
    showing.forget();
    EXPECT_TRUE(showing.empty());
    showing.add_update(at(10s), update(10s, moving({30, 50, 0}), {0}));
    EXPECT_EQ(x_of(showing.shown(at(10s))), 30) << "no trace of the old correction";
    EXPECT_EQ(showing.shown(at(10s)).moment, at(10s)) << "nor of the old lag";
    for (Duration t = 10'050ms; t <= 40s; t += 50ms)
        showing.add_update(at(t),
                           update(t, moving({30, 50, 0}), {t % 1s < 300ms ? kRight : std::uint8_t{0}}));
    EXPECT_LT(x_of(showing.target(at(40'800ms))), 35) << "habits are learnt again";
}

TEST(AShowing, ThatForgetsShowsNothingOfAnOldCorrection) {
    const World world = walkers_world();
    Showing showing{Whose::others, world, {}, with(Adaptive{.blend = 2s})};
    showing.add_update(at(1000s), update(1000s, moving({50, 50, 0}), {0}));
    showing.add_update(at(1001s), update(1001s, moving({80, 50, 0}), {0}));
    ASSERT_NEAR(x_of(showing.shown(at(1001s))), 50, 1e-3);
    showing.forget();
    showing.add_update(at(10s), update(10s, moving({30, 50, 0}), {0}));
    EXPECT_EQ(x_of(showing.shown(at(10s))), 30);
}

TEST(AShowing, ThatForgetsWhileItsLagGlidesHasTheLagItShould) {
    const World world = walkers_world();
    Showing own{Whose::own, world, {}, with(EverQuest{})};
    own.add_update(at(1000s), update(1000s, moving({50, 50, 0})));
    own.choose(at(1000s), with(LocalLag{100ms}));
    own.forget();
    hear_straight(own, 5s, 10s);
    EXPECT_EQ(own.shown(at(10s)).moment, at(9900ms));
}

}  // namespace
}  // namespace fray::test
