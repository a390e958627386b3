#include "lab/metrics/statistics.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fray::lab {
namespace {

constexpr int kMostTerms = 300;
constexpr double kEnough = 1e-15;

/// Avoids a division by zero in the continued fraction.
double not_zero(double value) { return std::abs(value) < 1e-300 ? 1e-300 : value; }

/// The continued fraction of the incomplete beta function (Lentz's method); converges for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < kMostTerms; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        value *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        value *= d * c;
        if (std::abs(d * c - 1) < kEnough) break;
    }
    return value;
}

/// std::lgamma writes a global sign and is not thread-safe; its reentrant variant is.
double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

/// Regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double log_front =
        log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
    const double front = std::exp(log_front);
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

constexpr double kRounding = 1e-12;  // relative

/// The rank of each value, from 1; equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
    std::vector<double> sorted{values.begin(), values.end()};
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> result;
    for (const double value : values) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
        result.push_back(static_cast<double>((first - sorted.begin()) + 1 + (last - sorted.begin())) / 2);
    }
    return result;
}

/// Variance of the mean.
double squared_error(const Summary& s) { return s.deviation * s.deviation / static_cast<double>(s.count); }

}  // namespace

Summary summarize(std::span<const double> values) {
    Summary summary{.count = values.size()};
    if (values.empty()) return summary;
    for (const double value : values) summary.mean += value;
    summary.mean /= static_cast<double>(values.size());
    if (values.size() < 2) return summary;
    double squares = 0;
    for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
    summary.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    // Equal values, up to rounding: their mean differs from them in the last bits.
    if (summary.deviation < std::abs(summary.mean) * kRounding) summary.deviation = 0;
    return summary;
}

double Summary::ci95() const {
    if (count < 2) return 0;
    return student_t_quantile(0.975, static_cast<double>(count - 1)) * std::sqrt(squared_error(*this));
}

double quantile(std::span<const double> values, double q) {
    if (values.empty()) return 0;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double at = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

double student_t_cdf(double t, double degrees) {
    FRAY_ASSERT(degrees > 0);
    const double tail = 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
    return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double probability, double degrees) {
    FRAY_ASSERT(probability > 0.5 && probability < 1);
    double high = 1;
    while (student_t_cdf(high, degrees) < probability && high < 1e12) high *= 2;
    double low = 0;
    // Sixty halvings leave less than the precision of a double.
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (student_t_cdf(middle, degrees) < probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

double welch_p_value(const Summary& a, const Summary& b) {
    if (a.count < 2 || b.count < 2) return 1;
    const double error_a = squared_error(a);
    const double error_b = squared_error(b);
    const double error = error_a + error_b;
    if (error == 0) return a.mean == b.mean ? 1 : 0;
    const double degrees = error * error /
                           (error_a * error_a / static_cast<double>(a.count - 1) +
                            error_b * error_b / static_cast<double>(b.count - 1));
    const double t = std::abs(a.mean - b.mean) / std::sqrt(error);
    return 2 * (1 - student_t_cdf(t, degrees));
}

double growth_exponent(std::span<const double> x, std::span<const double> y) {
    FRAY_ASSERT(x.size() == y.size());
    const auto positive = [](double value) { return value > 0; };
    if (!std::all_of(x.begin(), x.end(), positive) || !std::all_of(y.begin(), y.end(), positive)) return 0;
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mean_x += std::log(x[i]), mean_y += std::log(y[i]);
    mean_x /= static_cast<double>(x.size());
    mean_y /= static_cast<double>(x.size());
    double covariance = 0;
    double variance = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        covariance += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
        variance += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
    }
    return variance > 0 ? covariance / variance : 0;
}

double linear_correlation(std::span<const double> x, std::span<const double> y) {
    FRAY_ASSERT(x.size() == y.size());
    const double mean_x = summarize(x).mean;
    const double mean_y = summarize(y).mean;
    double covariance = 0;
    double variance_x = 0;
    double variance_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        covariance += (x[i] - mean_x) * (y[i] - mean_y);
        variance_x += (x[i] - mean_x) * (x[i] - mean_x);
        variance_y += (y[i] - mean_y) * (y[i] - mean_y);
    }
    return variance_x > 0 && variance_y > 0 ? covariance / std::sqrt(variance_x * variance_y) : 0;
}

double rank_correlation(std::span<const double> x, std::span<const double> y) {
    return linear_correlation(ranks(x), ranks(y));
}

}  // namespace fray::lab
