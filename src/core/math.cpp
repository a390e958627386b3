#include "core/math.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace fray::math {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double x) {
    double sum = c[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
    return sum;
}

// Taylor coefficients: on the reduced ranges they reach the last bit or two.
constexpr std::array<double, 9> kSin{1.0,
                                     -1.0 / 6,
                                     1.0 / 120,
                                     -1.0 / 5040,
                                     1.0 / 362880,
                                     -1.0 / 39916800,
                                     1.0 / 6227020800.0,
                                     -1.0 / 1307674368000.0,
                                     1.0 / 355687428096000.0};
constexpr std::array<double, 9> kCos{1.0,
                                     -1.0 / 2,
                                     1.0 / 24,
                                     -1.0 / 720,
                                     1.0 / 40320,
                                     -1.0 / 3628800,
                                     1.0 / 479001600,
                                     -1.0 / 87178291200.0,
                                     1.0 / 20922789888000.0};
constexpr std::array<double, 14> kExp{1.0,
                                      1.0,
                                      1.0 / 2,
                                      1.0 / 6,
                                      1.0 / 24,
                                      1.0 / 120,
                                      1.0 / 720,
                                      1.0 / 5040,
                                      1.0 / 40320,
                                      1.0 / 362880,
                                      1.0 / 3628800,
                                      1.0 / 39916800,
                                      1.0 / 479001600,
                                      1.0 / 6227020800.0};
constexpr std::array<double, 13> kLog{1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                                      1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25};
constexpr std::array<double, 14> kAtan{1.0,       -1.0 / 3,  1.0 / 5,   -1.0 / 7, 1.0 / 9,
                                       -1.0 / 11, 1.0 / 13,  -1.0 / 15, 1.0 / 17, -1.0 / 19,
                                       1.0 / 21,  -1.0 / 23, 1.0 / 25,  -1.0 / 27};

/// An angle as a multiple of a quarter turn and a rest in [-pi/4, pi/4].
struct Reduced {
    unsigned quarter;
    double rest;
};

Reduced reduce(double x) {
    // pi/2 in three parts of 33 bits: the products with whole numbers below 2^20 are exact.
    constexpr double kHigh = 1.57079632673412561417e+00;
    constexpr double kMiddle = 6.07710050630396597660e-11;
    constexpr double kLow = 2.02226624879595063154e-21;
    constexpr double kFar = 1e9;
    if (!(std::fabs(x) <= kFar)) x -= std::floor(x / (2 * kPi)) * (2 * kPi);
    if (!(std::fabs(x) <= kFar)) return {0, kNaN};
    const double n = std::floor(x * (2 / kPi) + 0.5);
    const double rest = ((x - n * kHigh) - n * kMiddle) - n * kLow;
    return {static_cast<unsigned>(static_cast<std::int64_t>(n) & 3), rest};
}

double by_quarter(unsigned quarter, double rest) {
    const double square = rest * rest;
    const double value = (quarter & 1U) != 0 ? polynomial(kCos, square) : rest * polynomial(kSin, square);
    return (quarter & 2U) != 0 ? -value : value;
}

/// 2^n for -1022 <= n <= 1023.
double power_of_two(int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52U); }

/// x >= 0.
double atan_positive(double x) {
    constexpr double kTan15 = 0.26794919243112270647;
    constexpr double kSqrt3 = 1.73205080756887729353;
    const bool steep = x > 1;
    const double t = steep ? 1 / x : x;
    const bool high = t > kTan15;
    const double r = high ? (t * kSqrt3 - 1) / (t + kSqrt3) : t;
    const double angle = r * polynomial(kAtan, r * r) + (high ? kPi / 6 : 0.0);
    return steep ? kPi / 2 - angle : angle;
}

bool is_whole(double x) { return std::floor(x) == x; }

bool is_odd(double whole) { return !is_whole(whole / 2); }

}  // namespace

double sin(double x) {
    const Reduced r = reduce(x);
    return by_quarter(r.quarter, r.rest);
}

double cos(double x) {
    const Reduced r = reduce(x);
    return by_quarter(r.quarter + 1, r.rest);
}

double atan2(double y, double x) {
    if (x != x || y != y) return kNaN;
    const double ax = std::fabs(x);
    const double ay = std::fabs(y);
    if (ax == 0 && ay == 0) return 0;
    const double first = ax == ay ? kPi / 4 : atan_positive(ay / ax);
    const double upper = x < 0 ? kPi - first : first;
    return y < 0 ? -upper : upper;
}

double exp(double x) {
    constexpr double kLn2High = 6.93147180369123816490e-01;
    constexpr double kLn2Low = 1.90821492927058770002e-10;
    constexpr double kLog2E = 1.44269504088896340736;
    if (x != x) return kNaN;
    if (x > 709.782712893384) return kInfinity;
    if (x < -745.2) return 0;
    const double n = std::floor(x * kLog2E + 0.5);
    const double rest = (x - n * kLn2High) - n * kLn2Low;
    // Two factors, because 2^n alone may be out of range although the result is not.
    const int half = static_cast<int>(n) / 2;
    return polynomial(kExp, rest) * power_of_two(half) * power_of_two(static_cast<int>(n) - half);
}

double log(double x) {
    constexpr double kLn2High = 6.93147180369123816490e-01;
    constexpr double kLn2Low = 1.90821492927058770002e-10;
    constexpr double kSmallestNormal = 2.2250738585072014e-308;
    constexpr double kTwoTo54 = 18014398509481984.0;
    if (!(x > 0)) return x == 0 ? -kInfinity : kNaN;
    if (x == kInfinity) return kInfinity;
    int exponent = 0;
    if (x < kSmallestNormal) {
        x *= kTwoTo54;
        exponent = -54;
    }
    const auto pattern = std::bit_cast<std::uint64_t>(x);
    exponent += static_cast<int>(pattern >> 52U) - 1023;
    double m = std::bit_cast<double>((pattern & 0x000FFFFFFFFFFFFFULL) | 0x3FF0000000000000ULL);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        ++exponent;
    }
    const double s = (m - 1) / (m + 1);
    const double n = exponent;
    return n * kLn2High + (n * kLn2Low + 2 * s * polynomial(kLog, s * s));
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x == 0) {
        if (y < 0) return kInfinity;
        return y > 0 ? 0 : kNaN;
    }
    if (x > 0) return exp(y * log(x));
    if (!is_whole(y)) return kNaN;
    const double size = exp(y * log(-x));
    return is_odd(y) ? -size : size;
}

}  // namespace fray::math
