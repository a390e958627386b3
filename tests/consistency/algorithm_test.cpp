// What each algorithm shows of another peer's entity, computed by hand. Two updates, a second apart; in the
// second one the player walks to the right.

#include "consistency/algorithm.hpp"

#include "support/moments.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fray::test {
namespace {

constexpr PeerId kThird = PeerId::from_number(3);

class Algorithms : public ::testing::Test {
protected:
    Algorithms() {
        timeline_.add(update(1s, moving({10, 50, 0}, {4, 0, 0})));
        timeline_.add(update(2s, moving({14, 50, 0}, {8, 0, 0}), {kRight}));
    }
    [[nodiscard]] Shown show(const ConsistencyAlgorithmOptions& options, Duration moment,
                             Duration horizon = 1s) const {
        const Subject subject{.world = &world_, .type = {}, .horizon = horizon, .interval = 50ms};
        return make_algorithm({.algorithm = options})->show(subject, timeline_, at(moment));
    }
    /// Its position, and that pose and moment belong to the same time.
    void expect(const ConsistencyAlgorithmOptions& options, Duration asked, double x, Duration moment,
                Duration told = 2s, Duration horizon = 1s) const {
        const Shown shown = show(options, asked, horizon);
        const std::string name{name_of(options)};
        EXPECT_NEAR(shown.pose.position.x, x, 1e-4) << name;
        EXPECT_EQ(shown.pose.position.y, 50) << name;
        EXPECT_EQ(shown.moment, at(moment)) << name;
        EXPECT_EQ(shown.told, at(told)) << name;
    }

    World world_ = walkers_world();
    Timeline timeline_;
};

constexpr EverQuest kStraight{.motion_model = false};

TEST_F(Algorithms, ShowAKnownMomentAsItWas) {
    const Adaptive adaptive{};
    for (const ConsistencyAlgorithmOptions& options :
         {ConsistencyAlgorithmOptions{EverQuest{}}, ConsistencyAlgorithmOptions{kStraight},
          ConsistencyAlgorithmOptions{LocalLag{}}, ConsistencyAlgorithmOptions{BucketSync{}},
          ConsistencyAlgorithmOptions{HalfLife{}}, ConsistencyAlgorithmOptions{adaptive}}) {
        expect(options, 1500ms, 12, 1500ms);
        expect(options, 2s, 14, 2s);
        expect(options, 500ms, 10, 1s, 1s);
    }
}

TEST_F(Algorithms, ShowTheSerializersLastWordWhateverTheMoment) {
    for (const Duration moment : {500ms, 1500ms, 2s + 0ms, 2500ms, 60s + 0ms})
        expect(CentralizedSerialization{kThird}, moment, 14, 2s);
}

TEST_F(Algorithms, GoStraightOnWhereNothingIsKnown) {
    expect(kStraight, 2500ms, 14 + 8 * 0.5, 2500ms);
    expect(LocalLag{}, 2500ms, 14 + 8 * 0.5, 2500ms);
}

TEST_F(Algorithms, GoOnAsTheMotionModelSaysUnderTheInput) {
    for (const ConsistencyAlgorithmOptions& options :
         {ConsistencyAlgorithmOptions{EverQuest{}}, ConsistencyAlgorithmOptions{BucketSync{}},
          ConsistencyAlgorithmOptions{Adaptive{}}}) {
        expect(options, 2500ms, 14 + 10 * 0.5, 2500ms);
        expect(options, 2530ms, 14 + 10 * 0.53, 2530ms);  // ten ticks, and the rest at constant velocity
        expect(options, 2030ms, 14 + 8 * 0.03, 2030ms);   // less than a tick: at the velocity of the update
    }
}

TEST_F(Algorithms, PredictNothingInHalfLife) { expect(HalfLife{}, 2500ms, 14, 2s); }

TEST_F(Algorithms, GoNoFurtherThanTheHorizon) {
    expect(kStraight, 5s, 14 + 8 * 0.3, 2300ms, 2s, 300ms);
    expect(LocalLag{}, 5s, 14 + 8 * 0.3, 2300ms, 2s, 300ms);
    expect(EverQuest{}, 5s, 14 + 10 * 0.3, 2300ms, 2s, 300ms);
    expect(BucketSync{}, 5s, 14 + 10 * 0.3, 2300ms, 2s, 300ms);
    expect(Adaptive{}, 5s, 14 + 10 * 0.3, 2300ms, 2s, 300ms);
    expect(Adaptive{}, 5s, 14, 2s, 2s, 0ms);
    expect(kStraight, 5s, 14, 2s, 2s, 0ms);
}

TEST_F(Algorithms, StayInsideTheWorldOrWrap) {
    timeline_.add(update(3s, moving({98, 50, 0}, {8, 0, 0}), {kRight}));
    expect(kStraight, 3500ms, 100, 3500ms, 3s);
    expect(EverQuest{}, 3500ms, 100, 3500ms, 3s);
    expect(Adaptive{}, 3500ms, 100, 3500ms, 3s);
    world_.wrap_x = true;
    expect(kStraight, 3500ms, 2, 3500ms, 3s);
    expect(EverQuest{}, 3500ms, 3, 3500ms, 3s);
    expect(Adaptive{}, 3500ms, 3, 3500ms, 3s);
}

// --- which screens wait, and for which peer ---

struct Waits {
    ConsistencyAlgorithmOptions options;
    Duration own{}, remote{}, blend{};
    std::optional<PeerId> through{};
    bool optimistic = true;
};

TEST(AnAlgorithm, SaysHowLongWhichScreenWaits) {
    const std::vector<Waits> all{
        {.options = EverQuest{}},
        {.options = EverQuest{.validator = kThird}, .through = kThird},
        {.options = CentralizedSerialization{kThird}, .through = kThird, .optimistic = false},
        {.options = LocalLag{120ms}, .own = 120ms, .remote = 120ms},
        {.options = BucketSync{.bucket = 50ms, .depth = 1}},
        {.options = BucketSync{.bucket = 50ms, .depth = 4}, .own = 150ms, .remote = 150ms},
        {.options = HalfLife{130ms}, .remote = 130ms},
        {.options = Adaptive{.blend = 90ms, .lag = 40ms}, .own = 40ms, .remote = 40ms, .blend = 90ms}};
    for (const Waits& waits : all) {
        const auto algorithm = make_algorithm({.algorithm = waits.options});
        const std::string name{name_of(waits.options)};
        EXPECT_EQ(algorithm->own_lag(), waits.own) << name;
        EXPECT_EQ(algorithm->remote_lag(), waits.remote) << name;
        EXPECT_EQ(algorithm->blend(), waits.blend) << name;
        EXPECT_EQ(algorithm->through(), waits.through) << name;
        EXPECT_EQ(algorithm->optimistic(), waits.optimistic) << name;
    }
}

TEST(Extrapolation, GoesOnFromOneUpdateUpToTheHorizon) {
    const World world;
    const Subject subject{.world = &world, .horizon = 1s};
    const HeardState heard{.number = 0,
                           .type = {},
                           .pose = {.position = {10, 20, 0}, .velocity = {100, -40, 0}},
                           .when = at(5s),
                           .payload = {},
                           .input = {}};
    const auto shown = [&](Duration moment) { return extrapolate(subject, heard, at(moment)); };
    EXPECT_EQ(shown(5s).pose.position, (Vec3{10, 20, 0}));
    EXPECT_NEAR(shown(5500ms).pose.position.x, 60, 1e-3);
    EXPECT_EQ(shown(5500ms).moment, at(5500ms));
    EXPECT_EQ(shown(15s).pose.position, shown(6s).pose.position);
    EXPECT_EQ(shown(15s).moment, at(6s)) << "what is shown stands for the horizon";
    EXPECT_EQ(shown(0s).pose.position, (Vec3{10, 20, 0})) << "a stamp ahead of our clock";
    EXPECT_EQ(shown(15s).told, at(5s));
}

}  // namespace
}  // namespace fray::test
