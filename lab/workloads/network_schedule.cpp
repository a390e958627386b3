#include "lab/workloads/network_schedule.hpp"

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fray::lab {

namespace {

constexpr Duration kSpacing{10ms};

std::size_t samples_in(double s) { return static_cast<std::size_t>(s / seconds(kSpacing)); }

/// Between two steps.
struct Level {
    double delay = 0;   ///< s, one way
    double jitter = 0;  ///< s, mean
    double loss = 0;
    std::size_t until = 0;
};

/// typical: s, of the whole schedule.
Level next_level(RandomStream& random, double typical, std::size_t at) {
    Level level;
    level.delay = typical * std::exp2(random.uniform(-1, 1));
    level.jitter = level.delay * random.uniform(0, 0.15);
    level.loss = random.uniform(0, 0.08);
    level.until = at + samples_in(random.uniform(2, 8));
    return level;
}

/// A queue that has built up and drains, or a moment without any delivery.
struct Burst {
    std::size_t from = 0;
    std::size_t until = 0;
    double height = 0;  ///< s above the level at first; 0: everything is lost

    [[nodiscard]] double on_top(std::size_t at) const {
        return height * static_cast<double>(until - at) / static_cast<double>(until - from);
    }
};

Burst next_burst(RandomStream& random, std::size_t at) {
    constexpr double kApart = 4;  // s, mean
    Burst burst;
    burst.from = at + samples_in(random.exponential(kApart));
    const bool queue = random.chance(0.5);
    if (queue) burst.height = random.uniform(0.05, 0.4);
    burst.until = burst.from + 1 + samples_in(queue ? random.uniform(0.2, 1) : random.uniform(0.05, 0.3));
    return burst;
}

}  // namespace

TraceLatency random_schedule(Seed seed, Duration length) {
    RandomStream levels{seed, "levels"};
    RandomStream bursts{seed, "bursts"};
    RandomStream noise{seed, "noise"};
    std::vector<Duration> samples(samples_in(seconds(length)));
    const double typical = 0.020 * std::pow(20, levels.uniform());  // 20 to 400 ms, log-uniform
    Level level;
    Burst burst = next_burst(bursts, 0);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i >= level.until) level = next_level(levels, typical, i);
        if (i >= burst.until) burst = next_burst(bursts, i);
        const bool inside = i >= burst.from;
        const double delay = level.delay + noise.exponential(level.jitter) + (inside ? burst.on_top(i) : 0);
        const bool lost = noise.chance(level.loss) || (inside && burst.height == 0);
        samples[i] = lost ? kLostSample : from_seconds(delay);
    }
    return {.samples = std::make_shared<const std::vector<Duration>>(std::move(samples)),
            .share = 1,
            .interval = kSpacing};
}

}  // namespace fray::lab
