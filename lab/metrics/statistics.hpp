#pragma once
// Statistics over few runs: mean, spread, confidence, significance.

#include <cstddef>
#include <cstdint>
#include <span>

namespace fray::lab {

/// part / whole; 0 if there is no whole.
[[nodiscard]] inline double share(double part, std::uint64_t whole) {
    return whole == 0 ? 0 : part / static_cast<double>(whole);
}
[[nodiscard]] inline double share(std::uint64_t part, std::uint64_t whole) {
    return share(static_cast<double>(part), whole);
}

/// Summary of some values. A single value has a mean but no spread.
struct Summary {
    std::size_t count = 0;
    double mean = 0;
    double deviation = 0;  ///< of the sample (n - 1)

    /// Half the width of the 95 % confidence interval of the mean (Student t). 0 with fewer than two values.
    [[nodiscard]] double ci95() const;
};
[[nodiscard]] Summary summarize(std::span<const double> values);

/// Quantile of values in any order, linear between neighbours (R's type 7). 0 if there are none.
[[nodiscard]] double quantile(std::span<const double> values, double q);

/// P(T <= t) of Student's distribution; degrees > 0.
[[nodiscard]] double student_t_cdf(double t, double degrees);
/// The t with P(T <= t) = probability, for probability in (0.5, 1).
[[nodiscard]] double student_t_quantile(double probability, double degrees);

/// Welch's test: the probability of means at least this far apart, in either direction, if the true means are
/// equal. 1 if either side has fewer than two values; 0 for two different constants.
[[nodiscard]] double welch_p_value(const Summary& a, const Summary& b);

/// The slope of log y over log x: 1 is linear growth, 2 quadratic. Needs two different x, all above 0; else
/// 0.
[[nodiscard]] double growth_exponent(std::span<const double> x, std::span<const double> y);

/// Pearson's correlation, -1 to 1: how close y is to a straight line over x. 0 if all values of one side are
/// equal.
[[nodiscard]] double linear_correlation(std::span<const double> x, std::span<const double> y);

/// Spearman's rank correlation, -1 to 1: whether y grows with x. Equal values share the mean of their ranks.
/// 0 if all values of one side are equal.
[[nodiscard]] double rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace fray::lab
