#include "consistency/habits.hpp"

#include <fray/random.hpp>

#include "core/motion.hpp"
#include "support/moments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

namespace fray::test {
namespace {

const World& world() {
    static const World kWorld = [] {
        World wide = walkers_world();
        wide.low = {-100'000, -100'000, 0};
        wide.high = {100'000, 100'000, 0};
        return wide;
    }();
    return kWorld;
}
Subject subject() { return {.world = &world(), .type = {}, .horizon = 2s, .interval = 50ms}; }

Pose as_now(const Moment& update, Duration ahead) {
    return go_on(world(), {}, update.pose, update.payload, update.input, ahead);
}

/// A player that walks right for exactly 300 ms of every second; an update every 50 ms.
class Stepper {
public:
    static constexpr Duration kHold = 300ms;
    static constexpr Duration kTurn = 1s;

    static bool walks(Duration t) { return t % kTurn < kHold; }
    static float place(Duration t) {
        const Duration walked = t / kTurn * kHold + std::min(t % kTurn, kHold);
        return kWalk * static_cast<float>(seconds(walked));
    }
    static Moment said(Duration t) {
        const bool on = walks(t);
        return update(t, moving({place(t), 0, 0}, {on ? kWalk : 0, 0, 0}), {on ? kRight : std::uint8_t{0}});
    }
    void play_until(Duration end) {
        for (; t_ < end; t_ += 50ms) add_update(said(t_));
    }
    void add_update(const Moment& moment) {
        timeline.add(moment);
        habits.learn(timeline);
    }

    Timeline timeline;
    Habits habits;

private:
    Duration t_{50ms};
};

struct Errors {
    double by_habit = 0, as_now = 0;
};
TEST(HabitsOfAStepper, AKeyJustPressedIsExpectedToBeLetGo) {
    Stepper stepper;
    stepper.play_until(40s);
    stepper.add_update(Stepper::said(40s));  // pressed at this moment
    const Moment& pressed = stepper.timeline.newest();
    ASSERT_EQ(pressed.input, std::vector<std::uint8_t>{kRight});
    const auto ahead = [&](Duration d) {
        return static_cast<double>(stepper.habits.ahead_of(subject(), pressed, d).position.x -
                                   pressed.pose.position.x);
    };
    EXPECT_NEAR(ahead(100ms), 1, 0.05) << "it is never let go that early";
    EXPECT_NEAR(ahead(250ms), 2.5, 0.15);
    // Of the thirds of 800 ms, 300 ms lies in the second, whose middle is 400 ms.
    EXPECT_NEAR(ahead(800ms), 4, 0.4) << "as now for ever would be 8";
}

TEST(HabitsOfAStepper, ForecastBetterThanAsNowForEverBeyondTheHold) {
    Stepper stepper;
    Duration t = 40s;
    stepper.play_until(t);
    for (const Duration ahead : {400ms, 600ms, 800ms}) {
        Errors sum;
        for (int turn = 0; turn < 20; ++turn, t += 50ms) {
            stepper.play_until(t + 50ms);
            const Moment& last = stepper.timeline.newest();
            const auto truth = static_cast<double>(Stepper::place(last.when.time_since_epoch() + ahead));
            const auto x = static_cast<double>(stepper.habits.ahead_of(subject(), last, ahead).position.x);
            sum.by_habit += std::abs(x - truth);
            sum.as_now += std::abs(static_cast<double>(as_now(last, ahead).position.x) - truth);
        }
        EXPECT_LT(sum.by_habit, 0.7 * sum.as_now) << ahead.count();
    }
}

TEST(HabitsOfAStepper, AreOneHoldInDoubtAtFirst) {
    Stepper stepper;
    const Moment pressed = Stepper::said(1s);
    stepper.add_update(update(950ms, pressed.pose, {0}));
    stepper.add_update(pressed);
    EXPECT_EQ(stepper.habits.ahead_of(subject(), pressed, 800ms), as_now(pressed, 800ms))
        << "nothing is known of how long it is held";
    stepper.add_update(Stepper::said(1300ms));
    stepper.add_update(Stepper::said(2s));
    const Moment again = Stepper::said(2s);
    const float pulled =
        as_now(again, 900ms).position.x - stepper.habits.ahead_of(subject(), again, 900ms).position.x;
    // Held once for 300 ms, which is in the second third: with probability 1/2 it is released after 450 ms.
    EXPECT_NEAR(pulled, 0.5 * 0.45 * kWalk, 1e-3);
}

RC_GTEST_PROP(Habits, OfWhoNeverChangesAKeyAreTheMotionModelsAnswer, ()) {
    const auto input = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    RC_PRE(input.size() <= kMaxInputBytes);
    Stepper stepper;
    for (Duration t = 0ms; t < 3s; t += 50ms)
        stepper.add_update(
            update(t, moving({kWalk * static_cast<float>(seconds(t)), 5, 0}, {3, 4, 0}), input));
    const Moment& last = stepper.timeline.newest();
    const Duration ahead{*rc::gen::inRange(0, 2'000'000)};
    RC_ASSERT(stepper.habits.ahead_of(subject(), last, ahead) == as_now(last, ahead));
    RC_ASSERT(stepper.habits.heap_bytes() <= 2 * kMaxInputBytes);  // no key is remembered
}

// --- any player ---

std::vector<std::uint8_t> any_input(RandomStream& random) {
    const std::uint32_t most = random.chance(0.2) ? std::uint32_t{kMaxInputBytes} : 2;
    std::vector<std::uint8_t> input(random.below(most + 1));
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.below(256));
    return input;
}
std::vector<Moment> any_updates(std::uint64_t seed, int count) {
    RandomStream random{Seed{seed}, "habits"};
    std::vector<Moment> updates;
    Duration when{-1s};
    for (int i = 0; i < count; ++i) {
        when += Duration{1 + random.below(120'000)};
        updates.push_back(
            update(when, moving({static_cast<float>(random.uniform(-50, 50)), 0, 0}), any_input(random)));
    }
    return updates;
}

RC_GTEST_PROP(Habits, AreTheSameForTheSameWordsWhateverCameLateBetween, (std::uint64_t seed)) {
    const auto updates = any_updates(seed, 80);
    Stepper prompt;
    Stepper with_late;
    for (std::size_t i = 0; i < updates.size(); ++i) {
        prompt.add_update(updates[i]);
        with_late.add_update(updates[i]);
        if (i < 5 || i % 3 != 0) continue;
        Moment late = updates[i - 4];
        late.when += Duration{1};
        late.input = {0xff, 0xff};
        with_late.add_update(late);
        with_late.add_update(updates[i]);  // the same update twice
    }
    for (const Duration ahead : {30ms, 200ms, 1000ms}) {
        const Pose one = prompt.habits.ahead_of(subject(), updates.back(), ahead);
        const Pose other = with_late.habits.ahead_of(subject(), updates.back(), ahead);
        RC_ASSERT(std::bit_cast<std::uint32_t>(one.position.x) ==
                  std::bit_cast<std::uint32_t>(other.position.x));
        RC_ASSERT(one == other);
    }
}

RC_GTEST_PROP(Habits, AreBoundedHoweverTheInputsChange, (std::uint64_t seed)) {
    Stepper player;
    std::size_t bytes = 0;
    for (const Moment& one : any_updates(seed, 200)) {
        player.add_update(one);
        const Pose ahead = player.habits.ahead_of(subject(), one, 1s);
        // Two keys matter to the walker: it is between standing and walking on, or a little beyond.
        RC_ASSERT(length(ahead.position - one.pose.position) <= 4 * kWalk);
        RC_ASSERT(player.habits.heap_bytes() >= bytes);
        bytes = player.habits.heap_bytes();
    }
    Stepper all;
    all.add_update(update(1s, {}, std::vector<std::uint8_t>(kMaxInputBytes, 0)));
    all.add_update(update(2s, {}, std::vector<std::uint8_t>(kMaxInputBytes, 0xff)));
    RC_ASSERT(bytes <= all.habits.heap_bytes());
    RC_ASSERT(all.habits.heap_bytes() < 8'000U);
}

// --- cost ---

std::size_t asked = 0;  // calls of the motion model

Pose counted_walk(const Pose& pose, std::span<const std::uint8_t> payload,
                  std::span<const std::uint8_t> input, std::uint32_t ticks) {
    ++asked;
    return walk(pose, payload, input, ticks);
}

/// Changes any of this many keys at any time, so that none is certain to stay for long.
Stepper fidget(std::size_t keys) {
    RandomStream random{Seed{1}, "fidget"};
    Stepper fidgety;
    std::vector<std::uint8_t> input(2);
    for (int i = 1; i < 800; ++i) {
        for (std::size_t bit = 0; bit < keys; ++bit) {
            if (random.chance(0.1)) input[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        }
        fidgety.add_update(update(50ms * i, moving({5, 0, 0}), input));
    }
    return fidgety;
}

std::size_t calls_for(std::size_t keys, Duration ahead) {
    World counting = world();
    counting.types = {EntityType::bare("walker", counted_walk)};
    const Stepper fidgety = fidget(keys);
    asked = 0;
    (void)fidgety.habits.ahead_of({.world = &counting, .type = {}, .horizon = 2s, .interval = 50ms},
                                  fidgety.timeline.newest(), ahead);
    return asked;
}

TEST(Habits, OfWhoChangesAllKeysAskTheMotionModelOnlySoOften) {
    EXPECT_GT(calls_for(4, 1s), 10U) << "nearly each of four keys in each of three parts";
    for (std::size_t keys = 1; keys <= 16; ++keys) {
        for (const Duration ahead : {50ms, 300ms, 1000ms}) {
            EXPECT_LE(calls_for(keys, ahead), Habits::kMostModelCalls) << keys;
        }
    }
}

TEST(Habits, FollowTheKeysThatAreLikeliestToChange) {
    // Six keys change once in a while; the one that moves the walker changes only after that, again and
    // again.
    Stepper player;
    std::vector<std::uint8_t> input(2);
    Duration t{50ms};
    const auto add_update = [&](Duration held) {
        player.add_update(update(t, moving({5, 0, 0}), input));
        t += held;
    };
    add_update(50ms);
    for (int turn = 0; turn < 2; ++turn) {
        for (unsigned bit = 2; bit < 8; ++bit) {
            input[0] ^= static_cast<std::uint8_t>(1U << bit);
            add_update(1s);
        }
    }
    for (int turn = 0; turn < 41; ++turn) {
        input[0] ^= kRight;
        add_update(200ms);
    }
    const Moment& last = player.timeline.newest();
    ASSERT_EQ(last.input[0] & kRight, kRight);
    const float pulled =
        as_now(last, 600ms).position.x - player.habits.ahead_of(subject(), last, 600ms).position.x;
    EXPECT_GT(pulled, 0.5F * kWalk * 0.4F) << "it is let go after 200 ms";
}

TEST(Habits, OfAKeyThatIsNoLongerInTheInputAreLeftAlone) {
    Stepper stepper;
    stepper.play_until(20s);
    const Moment silent = update(20s, moving({5, 0, 0}), {});
    stepper.add_update(silent);
    EXPECT_EQ(stepper.habits.ahead_of(subject(), silent, 900ms), as_now(silent, 900ms));
}

}  // namespace
}  // namespace fray::test
