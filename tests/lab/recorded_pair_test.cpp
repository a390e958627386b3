// What the two players of a recorded game do besides playing: shots, trades, and what that costs.

#include "lab/workloads/recorded_pair.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace fray::lab {
namespace {

constexpr Duration kOneWay{100ms};

PairFigures play(const ConsistencyAlgorithmOptions& algorithm, const Besides& besides) {
    NetworkModel network;
    network.latency = ConstantLatency{kOneWay};
    std::atomic<double> progress{0};
    const std::atomic<bool> never{false};
    RunContext context{never, progress};
    const auto played =
        play_recorded({.algorithm = algorithm, .interval = 50ms}, network, 1, Seed{1}, context, besides);
    EXPECT_TRUE(played && played->has_value());
    return played && *played ? **played : PairFigures{};
}

TEST(ADuel, IsDecidedAsTheShooterSawItWhereScreensShowWhatWas) {
    const Besides shooting{.shots = 250ms, .trades = {}};
    const Felt late = play(HalfLife{.remote_lag = 300ms}, shooting).felt;
    ASSERT_GT(late.decisions, 150U);
    EXPECT_EQ(late.wrong_decisions, 0);
    const Felt guessed = play(EverQuest{.motion_model = false}, {.shots = 250ms, .trades = {}}).felt;
    EXPECT_GT(guessed.wrong_decisions, 0);
    EXPECT_LT(guessed.wrong_decisions, 50);
}

TEST(ADuel, IsAnsweredAfterTheWayThereAndBack) {
    const Felt felt = play(EverQuest{}, {.shots = 500ms, .trades = {}}).felt;
    EXPECT_GE(felt.decision_ms, millis(2 * kOneWay));
    EXPECT_LE(felt.decision_ms, millis(2 * kOneWay) + 3 * 17);  // frames: asked, decided, shown
}

TEST(ATrade, IsDoneForBothAfterTheWaysToTheWitnessAndBack) {
    const TradeFigures trades = play(EverQuest{}, {.shots = {}, .trades = 1s}).trades;
    EXPECT_GE(trades.done, 20U);
    EXPECT_EQ(trades.undone, 0U);
    EXPECT_GE(trades.response_ms, millis(4 * kOneWay));  // offer, vote, vote, decision
    EXPECT_GE(trades.both_ms, trades.response_ms);
    EXPECT_LE(trades.both_ms, millis(4 * kOneWay) + 6 * 17);
}

TEST(ARecordedGame, HasNeitherShotsNorTradesUnlessAsked) {
    const PairFigures figures = play(EverQuest{}, {});
    EXPECT_EQ(figures.felt.decisions, 0U);
    EXPECT_EQ(figures.trades.done + figures.trades.undone, 0U);
}

TEST(ARecordedGame, InputsTravelOnlyWhereTheyAreUsed) {
    const double straight = play(EverQuest{.motion_model = false}, {}).bytes_per_s;
    EXPECT_GT(play(EverQuest{.motion_model = true}, {}).bytes_per_s, straight);
    EXPECT_GT(play(Adaptive{}, {}).bytes_per_s, straight);
    EXPECT_NEAR(play(HalfLife{.remote_lag = 300ms}, {}).bytes_per_s, straight, straight * 0.01);
}

}  // namespace
}  // namespace fray::lab
