#include "clock/clock_sync.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace fray {
namespace {

/// One follower whose clock has an offset and a drift, and a reference whose clock is true time.
struct Setting {
    double drift_ppm = 0;
    Duration offset{};
    Duration interval{1s};
    std::function<std::pair<Duration, Duration>(RandomStream&)> delays;  ///< there, back
};

struct Follower {
    ClockSync clock;
    PeerClock reference;
    RandomStream random;
    Setting setting;

    explicit Follower(Setting s, std::uint64_t seed = 1)
        : random{Seed{seed}, "clock"}, setting{std::move(s)} {}
    [[nodiscard]] Instant local(Duration t) const {
        return Instant{setting.offset + t + from_seconds(seconds(t) * setting.drift_ppm * 1e-6)};
    }
    void exchange(Duration t) {
        const auto [there, back] = setting.delays(random);
        heard(measure_clock(local(t + there + back), local(t), SessionInstant{t + there}, 0ms));
    }
    void heard(const ClockSample& sample) {
        reference.add(sample);
        if (clock.exchanges() == 0) return clock.start(sample);
        const bool is_steady = reference.exchanges() >= PeerClock::kEnough;
        (void)clock.correct(sample.at, ClockSync::Reference{*reference.best(Instant::min()), is_steady}, {});
    }
    [[nodiscard]] Duration error(Duration t) const {
        const Duration e = clock.session_time(local(t)).time_since_epoch() - t;
        return e < 0us ? -e : e;
    }
    /// Errors every 10 ms from `from` on, while an exchange is made every interval.
    std::vector<Duration> run(Duration from, Duration until, Duration begin = {}) {
        std::vector<Duration> errors;
        Duration next = begin;
        Duration answer = begin;
        for (Duration t = begin; t < until; t += 10ms) {
            if (t >= next) {
                exchange(t);
                answer = t + 1s;  // sample() was given times ahead of t: measure only after them
                next += std::max<Duration>(setting.interval, 1500ms);
            }
            if (t >= from && t >= answer) errors.push_back(error(t));
        }
        std::ranges::sort(errors);
        return errors;
    }
};

std::pair<Duration, Duration> jitter(RandomStream& r) {
    return {20ms + Duration{r.below(10'000)}, 20ms + Duration{r.below(10'000)}};
}

Duration p99(const std::vector<Duration>& sorted) { return sorted[sorted.size() * 99 / 100]; }

TEST(ClockSync, AloneItsOwnClockIsSessionTime) {
    const ClockSync clock;
    EXPECT_EQ(clock.session_time(Instant{7s}), SessionInstant{7s});
    EXPECT_EQ(clock.stats().samples, 0U);
}

TEST(ClockSync, TheFirstSampleIsTakenAtOnce) {
    Follower f{{.offset = 90s, .delays = [](RandomStream&) {
                    return std::pair{Duration{30ms}, Duration{30ms}};
                }}};
    f.exchange(1s);
    EXPECT_LE(f.error(1060ms), 1us);
    EXPECT_EQ(f.clock.stats().samples, 1U);
}

TEST(ClockSync, SymmetricJitterAndDriftLeaveLessThanFiveMilliseconds) {
    for (const double drift : {-200.0, -50.0, 0.0, 50.0, 200.0}) {
        Follower f{{.drift_ppm = drift, .offset = -400s, .delays = jitter}};
        const auto errors = f.run(5s, 300s);
        ASSERT_GT(errors.size(), 5000U);
        EXPECT_LT(p99(errors), 5ms) << drift;
    }
}

TEST(ClockSync, DriftIsLearnt) {
    for (const double drift : {-200.0, 200.0}) {
        Follower f{{.drift_ppm = drift, .delays = [](RandomStream& r) {
                        return std::pair{10ms + Duration{r.below(500)}, 10ms + Duration{r.below(500)}};
                    }}};
        (void)f.run(0s, 120s);
        EXPECT_NEAR(f.clock.stats().drift * 1e6, -drift, 25) << drift;
        // No answer for half a minute: the estimate continues.
        EXPECT_LT(f.error(150s), 3ms) << drift;
    }
}

TEST(ClockSync, QueuesInOneDirectionDoNotDeceiveForLong) {
    Follower f{{.drift_ppm = 100, .delays = [](RandomStream& r) {
                    auto both = jitter(r);
                    if (r.chance(0.3)) both.second += Duration{50'000 + r.below(400'000)};
                    return both;
                }}};
    const auto errors = f.run(20s, 300s);
    ASSERT_GT(errors.size(), 5000U);
    EXPECT_LT(p99(errors), 8ms);
}

TEST(ClockSync, WhileSlewingTimeNeverGoesBack) {
    Follower f{{.drift_ppm = 200, .delays = [](RandomStream& r) {
                    return std::pair{Duration{r.below(80'000)}, Duration{r.below(80'000)}};
                }}};
    f.exchange(0s);
    SessionInstant last = f.clock.session_time(f.local(200ms));
    Duration corrected{0};
    for (Duration t = 400ms; t < 60s; t += 200ms) {
        const Duration before = f.error(t + 160ms);
        const auto [there, back] = f.setting.delays(f.random);
        f.heard(measure_clock(f.local(t + there + back), f.local(t), SessionInstant{t + there}, 0ms));
        corrected = std::max(corrected, before);
        for (Duration s = there + back; s < 200ms; s += 1ms) {
            const SessionInstant now = f.clock.session_time(f.local(t + s));
            ASSERT_GE(now, last);
            last = now;
        }
    }
    EXPECT_GT(corrected, 2ms);  // there was something to slew
}

TEST(ClockSync, HoldingTheQuestionBackDoesNotMatter) {
    ClockSync clock;
    clock.start(measure_clock(Instant{10s + 540ms}, Instant{10s}, SessionInstant{500s + 520ms}, 500ms));
    EXPECT_EQ(clock.session_time(Instant{10s + 540ms}), SessionInstant{500s + 540ms});
}

TEST(ClockSync, AnotherReferenceIsFollowedWithoutAJump) {
    Follower f{{.drift_ppm = 50, .delays = jitter}};
    (void)f.run(0s, 60s);
    const auto before = f.clock.session_time(f.local(61s));
    f.clock.change_reference();
    f.reference = PeerClock{};
    EXPECT_EQ(f.clock.session_time(f.local(61s)), before);  // nothing known yet: continues
    const auto errors = f.run(75s, 120s, 61s);
    ASSERT_GT(errors.size(), 500U);
    EXPECT_LT(p99(errors), 5ms);
}

TEST(ClockSync, AbsurdAnswersMoveTheClockByABoundedRate) {
    Follower f{{.delays = jitter}};
    f.exchange(0s);
    RandomStream random{Seed{9}, "absurd"};
    SessionInstant last = f.clock.session_time(Instant{1s});
    for (int i = 10; i < 1000; ++i) {
        const Instant now{Duration{i * 100'000}};
        const auto wild = static_cast<std::int64_t>(random.next() >> 13U) - (std::int64_t{1} << 50);
        f.heard(measure_clock(now, now - Duration{random.below(1'000'000)}, SessionInstant{Duration{wild}},
                              Duration{random.below(1U << 24U)}));
        const SessionInstant next = f.clock.session_time(now + 100ms);
        const Duration moved = next - last - 100ms;
        ASSERT_LE(std::abs(moved.count()), (kMostSlew / 10 + 60us).count()) << i;
        last = next;
    }
    EXPECT_EQ(f.clock.stats().samples, 991U);
    EXPECT_LE(std::abs(f.clock.stats().drift), 500e-6);
}

TEST(ClockSync, LeavingForgetsEverything) {
    Follower f{{.offset = 77s, .delays = jitter}};
    (void)f.run(0s, 10s);
    f.clock.reset();
    EXPECT_EQ(f.clock.session_time(Instant{5s}), SessionInstant{5s});
    EXPECT_EQ(f.clock.stats().samples, 0U);
}

}  // namespace
}  // namespace fray
