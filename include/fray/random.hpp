#pragma once
// Seeded random streams, one per purpose, with the same numbers on every compiler.
//
// A stream has eight bytes of state. Streams with different purposes or indices under one seed are
// independent, so an additional draw in one place never shifts the numbers of another.

#include <cstdint>
#include <string_view>

namespace fray {

/// Determines all randomness of a peer, a simulation or a plan.
struct Seed {
    std::uint64_t value = 0;
    friend constexpr bool operator==(const Seed&, const Seed&) = default;
};

class RandomStream {
public:
    /// purpose: a short fixed text ("loss", "movement"); index: which of several (a peer, a link, a run).
    RandomStream(Seed seed, std::string_view purpose, std::uint64_t index = 0);

    /// 64 uniform bits (SplitMix64).
    std::uint64_t next();
    /// Uniform in [0, 1).
    double uniform();
    /// Uniform in [low, high).
    double uniform(double low, double high);
    /// Uniform in [0, bound); bound > 0.
    std::uint32_t below(std::uint32_t bound);
    /// True with this probability.
    bool chance(double probability);
    double normal(double mean, double deviation);
    double exponential(double mean);
    /// exp(normal(log(median), sigma)).
    double log_normal(double median, double sigma);
    /// A Poisson-distributed count; mean up to a few thousand.
    std::uint32_t poisson(double mean);

private:
    std::uint64_t state_;
};

/// A seed for one part of a whole: run 3 of a plan, peer 17 of a swarm.
[[nodiscard]] Seed derive(Seed seed, std::string_view purpose, std::uint64_t index = 0);

}  // namespace fray
