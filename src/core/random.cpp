#include <fray/assert.hpp>
#include <fray/fingerprint.hpp>
#include <fray/random.hpp>

#include "core/math.hpp"

#include <cmath>

namespace fray {

namespace {

using detail::kGoldenRatio;
using detail::mix_bits;

std::uint64_t start_of(Seed seed, std::string_view purpose, std::uint64_t index) {
    return mix_bits(Fingerprint{}.add(mix_bits(seed.value + kGoldenRatio)).add(purpose).add(index).value());
}

/// log(k!): exact for small k, Stirling's series (error below 1e-12) above.
double log_factorial(double k) {
    if (k < 10) {
        double product = 1;
        for (double i = 2; i <= k; ++i) product *= i;
        return math::log(product);
    }
    constexpr double kHalfLogTwoPi = 0.91893853320467274178;
    const double n = k + 1;
    const double r = 1 / n;
    const double series = r * (1.0 / 12 - r * r * (1.0 / 360 - r * r * (1.0 / 1260 - r * r * (1.0 / 1680))));
    return (n - 0.5) * math::log(n) - n + kHalfLogTwoPi + series;
}

/// Multiplies uniform numbers until their product is below exp(-mean): exact, good for small means.
std::uint32_t poisson_by_products(RandomStream& random, double mean) {
    const double limit = math::exp(-mean);
    std::uint32_t count = 0;
    for (double product = random.uniform(); product > limit; product *= random.uniform()) ++count;
    return count;
}

/// Transformed rejection with squeeze (Hoermann 1993, PTRS): exact, about 1.1 tries, for means from 10.
std::uint32_t poisson_by_rejection(RandomStream& random, double mean) {
    const double log_mean = math::log(mean);
    const double b = 0.931 + 2.53 * std::sqrt(mean);
    const double a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    const double squeeze = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = random.uniform() - 0.5;
        const double v = 1 - random.uniform();
        const double us = 0.5 - std::fabs(u);
        const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= squeeze) return static_cast<std::uint32_t>(k);
        if (k < 0 || (us < 0.013 && v > us)) continue;
        const double left = math::log(v * inverse_alpha / (a / (us * us) + b));
        if (left <= k * log_mean - mean - log_factorial(k)) return static_cast<std::uint32_t>(k);
    }
}

}  // namespace

RandomStream::RandomStream(Seed seed, std::string_view purpose, std::uint64_t index)
    : state_{start_of(seed, purpose, index)} {}

double RandomStream::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint32_t RandomStream::below(std::uint32_t bound) {
    FRAY_ASSERT(bound > 0);
    // The high half of a product is uniform once the few low halves that would favour some values are
    // redrawn.
    const std::uint32_t unfair = (0U - bound) % bound;
    for (;;) {
        const std::uint64_t product = (next() >> 32U) * bound;
        if (static_cast<std::uint32_t>(product) >= unfair) return static_cast<std::uint32_t>(product >> 32U);
    }
}

double RandomStream::normal(double mean, double deviation) {
    // Box-Muller; the second number is not kept, so that a stream stays eight bytes.
    const double radius = std::sqrt(-2 * math::log(1 - uniform()));
    return mean + deviation * radius * math::cos(2 * math::kPi * uniform());
}

double RandomStream::exponential(double mean) { return -mean * math::log(1 - uniform()); }

double RandomStream::log_normal(double median, double sigma) { return median * math::exp(normal(0, sigma)); }

std::uint32_t RandomStream::poisson(double mean) {
    if (!(mean > 0)) return 0;
    return mean < 10 ? poisson_by_products(*this, mean) : poisson_by_rejection(*this, mean);
}

Seed derive(Seed seed, std::string_view purpose, std::uint64_t index) {
    return Seed{mix_bits(start_of(seed, purpose, index) ^ kGoldenRatio)};
}

}  // namespace fray
