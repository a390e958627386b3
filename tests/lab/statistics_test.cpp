#include "lab/metrics/statistics.hpp"

#include "lab/metrics/histogram.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace fray::lab {
namespace {

// The t table every textbook has.
TEST(StudentT, QuantilesAreThoseOfTheTable) {
    EXPECT_NEAR(student_t_quantile(0.975, 1), 12.706, 5e-4);
    EXPECT_NEAR(student_t_quantile(0.975, 4), 2.776, 5e-4);
    EXPECT_NEAR(student_t_quantile(0.975, 9), 2.262, 5e-4);
    EXPECT_NEAR(student_t_quantile(0.975, 29), 2.045, 5e-4);
    EXPECT_NEAR(student_t_quantile(0.975, 1e6), 1.960, 5e-4);
    EXPECT_NEAR(student_t_quantile(0.95, 9), 1.833, 5e-4);
    EXPECT_NEAR(student_t_quantile(0.995, 2), 9.925, 5e-4);
}

TEST(StudentT, CdfIsSymmetric) {
    EXPECT_DOUBLE_EQ(student_t_cdf(0, 5), 0.5);
    EXPECT_NEAR(student_t_cdf(1.3, 7) + student_t_cdf(-1.3, 7), 1, 1e-12);
    EXPECT_NEAR(student_t_cdf(1, 1), 0.75, 1e-12);  // Cauchy: 1/2 + atan(1)/pi
}

TEST(Summary, KnownNumbers) {
    const std::array values{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
    const Summary summary = summarize(values);
    EXPECT_EQ(summary.count, 8U);
    EXPECT_DOUBLE_EQ(summary.mean, 5);
    EXPECT_NEAR(summary.deviation, 2.1380899, 1e-6);
    EXPECT_NEAR(summary.ci95(), 2.3646243 * 2.1380899 / 2.8284271, 1e-5);
}

TEST(Summary, OneValueHasNoSpread) {
    const std::array values{3.0};
    EXPECT_EQ(summarize(values).mean, 3);
    EXPECT_EQ(summarize(values).ci95(), 0);
    EXPECT_EQ(summarize({}).count, 0U);
}

// The expected value is the density of Student's distribution integrated numerically (Simpson).
TEST(Welch, AgreesWithNumericalIntegration) {
    const std::array a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9};
    const std::array b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5};
    const double p = welch_p_value(summarize(a), summarize(b));
    EXPECT_NEAR(p, 0.2348617520, 1e-9);
    EXPECT_DOUBLE_EQ(p, welch_p_value(summarize(b), summarize(a)));
}

TEST(Welch, TooFewOrConstantValues) {
    const Summary one{.count = 1, .mean = 1};
    const Summary five{.count = 5, .mean = 1};
    const Summary other{.count = 5, .mean = 2};
    EXPECT_EQ(welch_p_value(one, five), 1);
    EXPECT_EQ(welch_p_value(five, five), 1);
    EXPECT_EQ(welch_p_value(five, other), 0);
}

TEST(Quantile, IsLinearBetweenNeighbours) {
    const std::array values{4.0, 1.0, 3.0, 2.0};
    EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
    EXPECT_EQ(quantile({}, 0.5), 0);
}

TEST(GrowthExponent, TellsLinearFromQuadratic) {
    const std::array x{1.0, 2.0, 4.0, 8.0};
    const std::array linear{3.0, 6.0, 12.0, 24.0};
    const std::array quadratic{1.0, 4.0, 16.0, 64.0};
    EXPECT_NEAR(growth_exponent(x, linear), 1, 1e-12);
    EXPECT_NEAR(growth_exponent(x, quadratic), 2, 1e-12);
    const std::array zero{0.0, 1.0, 2.0, 3.0};
    EXPECT_EQ(growth_exponent(zero, linear), 0);
}

TEST(Histogram, QuantilesAreAtMostABinOff) {
    Histogram histogram{0, 0.1, 1000};
    for (int i = 1; i <= 1000; ++i) histogram.add(i * 0.05);  // 0.05 to 50
    EXPECT_EQ(histogram.count(), 1000U);
    EXPECT_NEAR(histogram.mean(), 25.025, 1e-9);
    EXPECT_NEAR(histogram.quantile(0.5), 25, 0.11);
    EXPECT_NEAR(histogram.quantile(0.95), 47.5, 0.11);
    EXPECT_DOUBLE_EQ(histogram.quantile(1), 50);
    EXPECT_NEAR(histogram.share_up_to(10), 0.2, 0.003);
}

TEST(Histogram, ValuesOutsideStayCounted) {
    Histogram histogram{0, 1, 10};
    histogram.add(-5);
    histogram.add(500);
    EXPECT_EQ(histogram.count(), 2U);
    EXPECT_EQ(histogram.smallest(), -5);
    EXPECT_EQ(histogram.quantile(1), 500);
    EXPECT_EQ(histogram.share_up_to(500), 1);
    EXPECT_EQ(histogram.share_up_to(-6), 0);
}

TEST(Histogram, MergingIsAddingBoth) {
    Histogram a{0, 1, 10};
    Histogram b{0, 1, 10};
    Histogram both{0, 1, 10};
    for (const double value : {1.5, 2.5}) a.add(value), both.add(value);
    for (const double value : {7.5, 0.5}) b.add(value), both.add(value);
    a.merge(b);
    EXPECT_EQ(a.quantile(0.5), both.quantile(0.5));
    EXPECT_EQ(a.mean(), both.mean());
    EXPECT_EQ(a.smallest(), 0.5);
    EXPECT_EQ(Histogram(0, 1, 3).quantile(0.5), 0);
}

TEST(Statistics, EqualValuesHaveNoDeviationWhateverTheirMeanRoundsTo) {
    const std::vector<double> values(7, 50.0 / 3);
    EXPECT_EQ(summarize(values).ci95(), 0);
    const std::vector<double> close{1, 1 + 1e-9};
    EXPECT_GT(summarize(close).ci95(), 0) << "a difference is one";
}

TEST(Statistics, RankCorrelationComparesOrdersNotSizes) {
    const std::vector<double> x{1, 2, 3, 4, 5};
    EXPECT_NEAR(rank_correlation(x, std::vector<double>{1, 10, 11, 500, 501}), 1, 1e-12);
    EXPECT_NEAR(rank_correlation(x, std::vector<double>{9, 7, 5, 3, 1}), -1, 1e-12);
    EXPECT_NEAR(rank_correlation(x, std::vector<double>{2, 1, 4, 3, 5}), 0.8, 1e-12);
    // Ranks 1.5 1.5 3.5 3.5 5 and 1 2 3 5 4.
    EXPECT_NEAR(rank_correlation(std::vector<double>{1, 1, 2, 2, 3}, std::vector<double>{1, 2, 3, 5, 4}),
                0.7905694, 1e-6);
    EXPECT_EQ(rank_correlation(x, std::vector<double>(5, 3)), 0) << "no order";
}

}  // namespace
}  // namespace fray::lab
