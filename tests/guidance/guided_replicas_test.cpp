// Replicas on the screen under any schedule of updates, losses and reads.

#include "guidance/guided_world.hpp"
#include "guidance/steer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

namespace fray {
namespace {

using test::GuidedWorld;
using test::moment;
using test::Read;
using test::Wanderer;

constexpr float kRounding = 1e-3F;

/// Updates of a wanderer every `period`, delayed by `delay`, from `from` until `until`; reads every 50 ms.
struct Observed {
    explicit Observed(std::uint64_t seed = 1, float speed = 10) : wanderer{seed, speed} {}

    void play(Duration until, Duration period, Duration delay = 100ms) {
        for (; now < until; now += 50ms) {
            sent.emplace_back(moment(now), wanderer.step());
            if (now >= next_update) {
                world.hear(sent[sent.size() - 1 - static_cast<std::size_t>(delay / 50ms)].first,
                           sent[sent.size() - 1 - static_cast<std::size_t>(delay / 50ms)].second);
                next_update = now + period;
            }
            if (world.states.held.empty()) continue;
            reads.push_back(world.read(moment(now)));
            errors.push_back(distance(reads.back().pose.position, wanderer.pose().position));
        }
        next_update = now;
    }
    void warm_up() {
        for (; now < 500ms; now += 50ms) sent.emplace_back(moment(now), wanderer.step());
        next_update = now;
    }

    GuidedWorld world;
    Wanderer wanderer;
    Duration now{};
    Duration next_update{};
    std::vector<std::pair<SessionInstant, State>> sent;
    std::vector<Read> reads;
    std::vector<float> errors;
};

TEST(GuidedReplicas, SeldomUpdatesAreGuidedAndFrequentOnesShownDirectly) {
    Observed run;
    run.warm_up();
    run.play(5s, 1s);
    EXPECT_EQ(run.reads.back().mode, ReplicaMode::guided);
    ASSERT_TRUE(run.reads.back().guidance);
    run.play(8s, 50ms);
    EXPECT_EQ(run.reads.back().mode, ReplicaMode::direct);
    EXPECT_FALSE(run.reads.back().guidance);
    EXPECT_LT(run.errors.back(), GuidedWorld::kDiameter);
    run.play(12s, 1s);
    EXPECT_EQ(run.reads.back().mode, ReplicaMode::guided);
}

TEST(GuidedReplicas, OneThatMovesEvenlyIsShownWhereItIs) {
    GuidedWorld world;
    const Vec3 velocity{10, 0, 0};
    float worst = 0;
    for (Duration now = 0s; now < 10s; now += 50ms) {
        const float x = -100 + 10 * static_cast<float>(seconds(now));
        if (now % 1s == 0s) world.hear(moment(now), {.position = {x, 0, 0}, .velocity = velocity});
        const Read read = world.read(moment(now));
        if (now > 3s) worst = std::max(worst, distance(read.pose.position, {x, 0, 0}));
    }
    EXPECT_LT(worst, 0.5F);
}

TEST(GuidedReplicas, OneThatIsPlacedElsewhereReappearsThereAndIsNotDrivenAcrossTheMap) {
    for (const Duration period : {50ms, 1000ms}) {
        GuidedWorld world;
        std::size_t jumps = 0;
        std::optional<Read> before;
        for (Duration now = 0s; now < 8s; now += 50ms) {
            const Vec3 place = now < 4s ? Vec3{-150, 0, 0} : Vec3{150, 0, 0};
            if (now % period == 0s) world.hear(moment(now), {.position = place});
            const Read read = world.read(moment(now));
            if (before && world.moved(*before, read) > 100) ++jumps;
            EXPECT_TRUE(read.pose.position.x == -150 || read.pose.position.x == 150);
            before = read;
        }
        EXPECT_EQ(jumps, 1U);
        EXPECT_EQ(before->pose.position.x, 150);
    }
}

TEST(GuidedReplicas, OneThatNobodyReadForLongIsWhereItCouldHaveTravelled) {
    GuidedWorld world;
    world.hear(moment(0s), {.position = {0, 0, 0}});
    const Read first = world.read(moment(0s));
    world.hear(moment(1s), {.position = {5, 0, 0}});
    world.hear(moment(30s), {.position = {100, 0, 0}});
    const Read second = world.read(moment(30s));
    EXPECT_EQ(second.pose.position.x, 100) << "it had 29 seconds for 95 units";
    EXPECT_LE(world.moved(first, second), GuidedWorld::limit(first, second));
}

TEST(GuidedReplicas, ReadsOfTheSameMomentShowTheSame) {
    Observed run;
    run.warm_up();
    run.play(3s, 1s);
    const Read once = run.world.read(moment(3s));
    const Read again = run.world.read(moment(3s));
    EXPECT_EQ(once.pose, again.pose);
    EXPECT_EQ(once.mode, again.mode);
}

TEST(GuidedReplicas, OneThatConvergedIsReportedUntilItsOwnerStopsToGuide) {
    Observed run;
    run.warm_up();
    run.play(3s, 1s);
    std::vector<std::uint32_t> stops;
    run.world.guided.list_converged(moment(run.now), 0, stops);
    EXPECT_TRUE(stops.empty());
    run.play(6s, 50ms);
    ASSERT_EQ(run.reads.back().mode, ReplicaMode::direct);
    run.world.guided.list_converged(moment(run.now), 0, stops);
    ASSERT_EQ(stops.size(), 1U);
    stops.clear();
    run.world.guided.list_converged(moment(run.now + 1s), 0, stops);
    EXPECT_TRUE(stops.empty()) << "the owner stopped";
    const Advice late{.number = 0, .when = advice_time(moment(run.now + 500ms))};
    EXPECT_FALSE(run.world.guided.handle_advice(moment(run.now), 0, late));
    run.world.guided.list_converged(moment(run.now + 1s), 0, stops);
    EXPECT_EQ(stops.size(), 1U) << "the message got lost";
}

TEST(GuidedReplicas, AClockStepMovesNothingOnTheScreen) {
    for (const Duration period : {50ms, 1000ms}) {
        Observed run;
        run.warm_up();
        run.play(5s, period);
        const Read before = run.world.read(moment(run.now));
        constexpr Duration kStep = 10s;
        for (auto& [key, held] : run.world.states.held) held = {held.state, held.when + kStep};
        run.world.guided.forget_past();
        const Read after = run.world.read(moment(run.now + kStep));
        EXPECT_EQ(after.pose.position, before.pose.position);
        const Read next = run.world.read(moment(run.now + kStep + 50ms));
        EXPECT_LE(run.world.moved(after, next), GuidedWorld::limit(after, next) + kRounding);
        EXPECT_GT(run.world.moved(after, next), 0.1F) << "it goes on from there";
    }
}

TEST(GuidedReplicas, WhenItsPeerGetsALinkItStaysWhereItIs) {
    Observed run;
    run.warm_up();
    run.play(5s, 1s);
    const Read before = run.world.read(moment(run.now));
    run.world.states.held[{LinkNumber{3}, 0U}] = run.world.states.held.at({LinkNumber{0}, 0U});
    run.world.guided.move(0, 3);
    const Read after = run.world.read(moment(run.now), 3);
    EXPECT_EQ(after.pose, before.pose);
    EXPECT_NE(before.pose.position, run.world.read_directly(moment(run.now)).pose.position);
}

constexpr float kTurn = 180;  // degrees per second
bool turns_slowly(const Pose& before, std::span<const std::uint8_t>, const Pose& after,
                  std::span<const std::uint8_t>, Duration elapsed) {
    const float turn = std::abs(detail::shorter(after.yaw - before.yaw, 360));
    return turn <= kTurn * static_cast<float>(seconds(elapsed + Wanderer::kTick)) + 0.1F;
}

TEST(GuidedReplicas, WhatTheValidatorOfTheGameForbidsIsNotShownHoweverOftenTheyAreRead) {
    PeerOptions options = GuidedWorld::usual_options();
    options.world.types[0].valid = &turns_slowly;
    GuidedWorld world{options};
    std::vector<Read> reads;
    float told_turn = 0;
    float yaw = 0;
    for (Duration now = 0s; now < 20s; now += 10ms) {
        if (now % 2s == 1s) {
            told_turn = 135;
            yaw = told_turn - yaw;
        }
        if (now % 50ms == 0s) world.hear(moment(now), {.position = {0, 0, 0}, .yaw = yaw});
        reads.push_back(world.read(moment(now)));
    }
    ASSERT_GT(told_turn, 100) << "its owner turns at once";
    std::size_t direct = 0;
    for (std::size_t i = 5; i < reads.size(); ++i) {
        const float turn = std::abs(detail::shorter(reads[i].pose.yaw - reads[i - 5].pose.yaw, 360));
        EXPECT_LE(turn, 2 * kTurn * 0.05F + 0.2F) << "in 50 ms, which may overlap two ticks";
        direct += reads[i].mode == ReplicaMode::direct ? 1U : 0U;
    }
    EXPECT_EQ(reads.back().pose.yaw, yaw);
    EXPECT_GT(direct, 500U);
}

/// Whatever arrives or gets lost, and whenever the screen is drawn.
RC_GTEST_PROP(GuidedReplicas, NeverMoveFasterThanTheirLimit, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "schedule"};
    GuidedWorld world;
    Wanderer wanderer{seed, static_cast<float>(random.uniform(0, 12))};
    Duration now{};
    Duration next_read{};
    Duration rate = 50ms;
    std::optional<Read> before;
    std::size_t reads = 0;
    std::array<std::size_t, 3> modes{};
    while (now < 40s) {
        now += 10ms;
        if (now % Wanderer::kTick == 0s) wanderer.step();
        if (random.chance(0.005)) rate = random.chance(0.5) ? Duration{50ms} : Duration{1s};
        if (now % rate == 0s && !random.chance(0.2)) world.hear(moment(now), wanderer.state());
        if (random.chance(0.01)) {
            const Advice advice{.number = 0,
                                .when = static_cast<std::uint8_t>(random.below(256)),
                                .position = Vec3{static_cast<float>(random.uniform(-200, 200)),
                                                 static_cast<float>(random.uniform(-200, 200)), 0},
                                .target = Advice::Target::other,
                                .peer = static_cast<std::uint16_t>(random.below(65536)),
                                .deviation = {static_cast<float>(random.uniform(-180, 180)), 0}};
            (void)world.guided.handle_advice(moment(now), 0, advice);
        }
        if (now < next_read || world.states.held.empty()) continue;
        next_read = now + (random.chance(0.02) ? Duration{random.below(5'000'000)} : Duration{16ms});
        const Read read = world.read(moment(now));
        ++modes[static_cast<std::size_t>(read.mode)];
        if (before && ++reads > 0)
            RC_ASSERT(world.moved(*before, read) <= GuidedWorld::limit(*before, read) + kRounding);
        before = read;
    }
    RC_ASSERT(reads > 100);
    RC_ASSERT(modes[0] + modes[1] + modes[2] == reads + 1);
}

RC_GTEST_PROP(GuidedReplicas, ConvergeOnceUpdatesAreFrequent, (std::uint32_t seed)) {
    Observed run{seed};
    run.warm_up();
    run.play(6s, 1s);
    RC_ASSERT(run.reads.back().mode == ReplicaMode::guided);
    const std::size_t gained = run.reads.size();
    run.play(11s, 50ms);
    // A sharp turn of the owner is blended for a few frames, which counts as converging again.
    const auto direct = std::ranges::count(run.reads.begin() + static_cast<std::ptrdiff_t>(gained),
                                           run.reads.end(), ReplicaMode::direct, &Read::mode);
    RC_ASSERT(direct > 50);
    RC_ASSERT(run.errors.back() <= GuidedWorld::kDiameter);
}

TEST(GuidedReplicas, AGuideSeesOthersAsShownAndChangesNoneOfThem) {
    GuidedWorld world;
    world.states.own.pose.position = {1, 2, 0};
    for (Duration now = 0s; now < 5s; now += 1s) {
        const auto x = static_cast<float>(seconds(now)) * 10;
        world.hear(moment(now), State{.pose = {.position = {x, 0, 0}}, .payload = {}, .input = {}}, 0);
        world.hear(moment(now), State{.pose = {.position = {-x, 50, 0}}, .payload = {}, .input = {}}, 1);
        (void)world.read(moment(now), 1);
    }
    const Read other = world.read(moment(4500ms), 1);
    const State own = world.states.own;
    for (Duration now = 4500ms; now < 6s; now += 50ms) (void)world.read(moment(now), 0);
    EXPECT_EQ(world.guided.shown({PeerId::from_number(3), 0}), other.pose);
    EXPECT_EQ(world.guided.shown({PeerId::from_number(1), 0}), own.pose);
    EXPECT_EQ(world.states.own.pose, own.pose);
    EXPECT_FALSE(world.guided.shown({PeerId::from_number(99), 0}));
}

/// What a guide of a game returns at its worst: far away, or no number.
Guided wild_guide(const GuideStep& step, const ShownWorld&, std::vector<std::uint8_t>&) {
    Pose pose = step.shown;
    const bool even = step.from.time_since_epoch() / 50ms % 2 == 0;
    pose.position.x = even ? 1e9F : std::numeric_limits<float>::quiet_NaN();
    return {pose, false};
}

TEST(GuidedReplicas, TheLimitOfSpeedHoldsWhateverAGuideReturns) {
    PeerOptions options = GuidedWorld::usual_options();
    options.world.types[0].guide = &wild_guide;
    GuidedWorld world{options};
    for (Duration now = 0s; now < 3s; now += 1s) world.hear(moment(now), {.position = {0, 0, 0}});
    Read before = world.read(moment(2s));
    for (Duration now = 2020ms; now < 4s; now += 20ms) {
        const Read read = world.read(moment(now));
        EXPECT_LE(world.moved(before, read), GuidedWorld::limit(before, read) + kRounding);
        before = read;
    }
    EXPECT_GT(before.pose.position.x, 5);
}

// --- forged guidance ---

TEST(ForgedGuidance, PositionsThatCannotBeReachedAreRefused) {
    GuidedWorld world;
    world.hear(moment(10s), {.position = {0, 0, 0}});
    Advice advice{.number = 0, .when = advice_time(moment(11s)), .position = Vec3{190, 0, 0}};
    EXPECT_EQ(world.guided.handle_advice(moment(10s), 0, advice), Rejection::impossible);
    advice.position = Vec3{10, 0, 0};
    EXPECT_EQ(world.guided.handle_advice(moment(10s), 0, advice), std::nullopt);
    advice.when = advice_time(moment(11900ms));
    EXPECT_EQ(world.guided.handle_advice(moment(10s), 0, advice), Rejection::impossible) << "too far ahead";
    advice.number = 7;
    EXPECT_EQ(world.guided.handle_advice(moment(10s), 0, advice), Rejection::unknown_entity);
}

TEST(ForgedGuidance, TargetsThatDoNotExistAreNoTargets) {
    GuidedWorld world;
    for (Duration now = 10s; now < 12s; now += 1s) world.hear(moment(now), {.position = {0, 0, 0}});
    const Advice advice{.number = 0,
                        .when = advice_time(moment(12s)),
                        .target = Advice::Target::other,
                        .peer = 0xFFFF,
                        .deviation = {.yaw = 10}};
    EXPECT_EQ(world.guided.handle_advice(moment(11s), 0, advice), std::nullopt);
    (void)world.read(moment(11s));
    const Read read = world.read(moment(11100ms));
    ASSERT_TRUE(read.guidance);
    EXPECT_FALSE(read.guidance->aim);
}

}  // namespace
}  // namespace fray
