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

namespace detail {
inline constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15ULL;

/// The finaliser of SplitMix64: every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}
}  // namespace detail

class RandomStream {
public:
    /// purpose: a short fixed text ("loss", "movement"); index: which of several (a peer, a link, a run).
    RandomStream(Seed seed, std::string_view purpose, std::uint64_t index = 0);

    /// 64 uniform bits (SplitMix64).
    std::uint64_t next() { return detail::mix_bits(state_ += detail::kGoldenRatio); }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
    /// Uniform in [low, high).
    double uniform(double low, double high);
    /// Uniform in [0, bound); bound > 0.
    std::uint32_t below(std::uint32_t bound);
    /// True with this probability.
    bool chance(double probability) { return uniform() < probability; }
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
