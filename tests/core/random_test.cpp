#include <fray/fingerprint.hpp>
#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace fray {
namespace {

constexpr int kDraws = 200'000;

struct Moments {
    double mean = 0;
    double deviation = 0;
};

template <class Draw>
Moments moments(Draw draw) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
        const double x = draw();
        sum += x;
        squares += x * x;
    }
    const double mean = sum / kDraws;
    return {mean, std::sqrt(squares / kDraws - mean * mean)};
}

TEST(RandomStream, GivesTheSameNumbersWithEveryCompiler) {
    RandomStream random{Seed{42}, "golden", 3};
    Fingerprint sum;
    for (int i = 0; i < 1000; ++i) {
        sum.add(random.next()).add(random.uniform()).add(std::uint64_t{random.below(1000)});
        sum.add(random.normal(1, 2)).add(random.exponential(3)).add(random.log_normal(50, 0.5));
        sum.add(std::uint64_t{random.poisson(4)}).add(std::uint64_t{random.poisson(400)});
    }
    EXPECT_EQ(sum.hex(), "7da90fc0d8b37de4");
}

TEST(RandomStream, SameSeedPurposeAndIndexGiveTheSameNumbers) {
    RandomStream a{Seed{1}, "loss", 5};
    RandomStream b{Seed{1}, "loss", 5};
    for (int i = 0; i < 100; ++i) ASSERT_EQ(a.next(), b.next());
}

TEST(RandomStream, SeedsPurposesAndIndicesAreIndependent) {
    std::vector<RandomStream> streams;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        for (const char* purpose : {"loss", "movement", "latency"}) {
            for (std::uint64_t index = 0; index < 20; ++index)
                streams.emplace_back(Seed{seed}, purpose, index);
        }
    }
    std::set<std::uint64_t> seen;
    for (RandomStream& stream : streams) {
        for (int i = 0; i < 50; ++i) seen.insert(stream.next());
    }
    EXPECT_EQ(seen.size(), streams.size() * 50);
}

TEST(RandomStream, StreamsOfNeighbouringIndicesDoNotCorrelate) {
    RandomStream a{Seed{9}, "peer", 1};
    RandomStream b{Seed{9}, "peer", 2};
    const Moments product = moments([&] { return (a.uniform() - 0.5) * (b.uniform() - 0.5); });
    EXPECT_NEAR(product.mean, 0, 4 * product.deviation / std::sqrt(double{kDraws}));
}

TEST(RandomStream, UniformHasItsMoments) {
    RandomStream random{Seed{3}, "uniform"};
    const Moments m = moments([&] { return random.uniform(-2, 4); });
    EXPECT_NEAR(m.mean, 1, 0.02);
    EXPECT_NEAR(m.deviation, 6 / std::sqrt(12.0), 0.02);
}

TEST(RandomStream, BelowIsEvenForBoundsThatAreNoPowerOfTwo) {
    RandomStream random{Seed{4}, "below"};
    std::array<int, 7> counts{};
    for (int i = 0; i < kDraws; ++i) ++counts.at(random.below(7));
    for (const int count : counts) EXPECT_NEAR(count, kDraws / 7.0, 5 * std::sqrt(kDraws / 7.0));
    EXPECT_EQ(random.below(1), 0U);
}

TEST(RandomStream, ChanceHoldsItsProbability) {
    RandomStream random{Seed{5}, "chance"};
    EXPECT_NEAR(moments([&] { return random.chance(0.02) ? 1.0 : 0.0; }).mean, 0.02, 0.002);
    EXPECT_FALSE(random.chance(0));
    EXPECT_TRUE(random.chance(1));
}

TEST(RandomStream, NormalExponentialAndLogNormalHaveTheirMoments) {
    RandomStream random{Seed{6}, "distributions"};
    const Moments normal = moments([&] { return random.normal(10, 3); });
    EXPECT_NEAR(normal.mean, 10, 0.05);
    EXPECT_NEAR(normal.deviation, 3, 0.05);
    const Moments exponential = moments([&] { return random.exponential(5); });
    EXPECT_NEAR(exponential.mean, 5, 0.1);
    EXPECT_NEAR(exponential.deviation, 5, 0.1);
    const Moments log_normal = moments([&] { return std::log(random.log_normal(33, 0.4)); });
    EXPECT_NEAR(log_normal.mean, std::log(33.0), 0.01);
    EXPECT_NEAR(log_normal.deviation, 0.4, 0.01);
}

TEST(RandomStream, PoissonHasEqualMeanAndVarianceOnBothSidesOfTheSwitch) {
    RandomStream random{Seed{7}, "poisson"};
    for (const double mean : {0.3, 4.0, 9.9, 10.1, 60.0, 3000.0}) {
        const Moments m = moments([&] { return static_cast<double>(random.poisson(mean)); });
        EXPECT_NEAR(m.mean, mean, 5 * std::sqrt(mean / kDraws)) << mean;
        EXPECT_NEAR(m.deviation * m.deviation / mean, 1, 0.03) << mean;
    }
    EXPECT_EQ(random.poisson(0), 0U);
    EXPECT_EQ(random.poisson(-1), 0U);
}

TEST(RandomStream, PoissonProbabilitiesAreExactForALargeMean) {
    RandomStream random{Seed{8}, "poisson"};
    constexpr double kMean = 20;
    std::vector<int> counts(200);
    for (int i = 0; i < kDraws; ++i) ++counts[std::min<std::size_t>(random.poisson(kMean), 199)];
    for (int k = 5; k < 40; ++k) {
        const double expected = kDraws * std::exp(k * std::log(kMean) - kMean - std::lgamma(k + 1.0));
        EXPECT_NEAR(counts[static_cast<std::size_t>(k)], expected, 5 * std::sqrt(expected) + 1) << k;
    }
}

TEST(Seed, DerivedSeedsDifferFromEachOtherAndFromTheirParent) {
    std::set<std::uint64_t> seeds{7};
    for (std::uint64_t i = 0; i < 100; ++i) {
        seeds.insert(derive(Seed{7}, "run", i).value);
        seeds.insert(derive(Seed{7}, "peer", i).value);
    }
    EXPECT_EQ(seeds.size(), 201U);
    EXPECT_EQ(derive(Seed{7}, "run", 3), derive(Seed{7}, "run", 3));
}

}  // namespace
}  // namespace fray
