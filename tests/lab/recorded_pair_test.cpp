// What the two players of a recorded game do besides playing: shots, trades, and their cost.

#include "lab/workloads/recorded_pair.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace fray::lab {
namespace {

constexpr Duration kOneWay{100ms};

PairFigures play(const ConsistencyAlgorithmOptions& algorithm, const Besides& besides,
                 const LossModel& loss = {}) {
    NetworkModel network;
    network.latency = ConstantLatency{kOneWay};
    network.loss = loss;
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

TEST(ARecordedGame, HasAThirdPeerWhereSomethingGoesThroughItOrTheStudyWantsIt) {
    const Besides alone{.shots = {}, .trades = {}, .third_peer = false};
    const PairFigures three = play(EverQuest{}, {});
    const PairFigures two = play(EverQuest{}, alone);
    EXPECT_EQ(three.work.peers, 3U);
    EXPECT_GT(three.serializer_bytes_per_s, 0);
    EXPECT_EQ(two.work.peers, 2U);
    EXPECT_EQ(two.serializer_bytes_per_s, 0);
    // A player with half as many viewers sends half as much.
    EXPECT_NEAR(two.bytes_per_s, three.bytes_per_s / 2, three.bytes_per_s * 0.05);
    EXPECT_NEAR(two.felt.propagation_ms, three.felt.propagation_ms, 5);
    for (const ConsistencyAlgorithmOptions& through :
         {ConsistencyAlgorithmOptions{CentralizedSerialization{serializer_id()}},
          ConsistencyAlgorithmOptions{EverQuest{.validator = serializer_id()}}}) {
        const PairFigures passed_on = play(through, alone);
        EXPECT_EQ(passed_on.work.peers, 3U);
        EXPECT_GT(passed_on.serializer_bytes_per_s, 500);
        EXPECT_TRUE(playable(passed_on.felt));
    }
    EXPECT_GT(play(EverQuest{}, {.shots = {}, .trades = 1s, .third_peer = false}).trades.done, 0U);
}

TEST(ARecordedGame, IsPlayableOnlyWhereWhatIsDoneIsSeen) {
    const Besides shooting{.shots = 500ms, .trades = {}, .third_peer = false};
    const Felt fine = play(EverQuest{}, shooting, IndependentLoss{0.02}).felt;
    EXPECT_GE(fine.viewer_frames, 2 * 1490U);
    EXPECT_GE(fine.inputs, 2 * 1490U);
    EXPECT_TRUE(playable(fine) && decided(fine));
    const Felt none = play(EverQuest{}, shooting, IndependentLoss{1}).felt;
    EXPECT_GT(none.inputs, 0U);
    EXPECT_EQ(none.inputs_unseen, none.inputs);
    EXPECT_EQ(none.viewer_frames, 0U);
    EXPECT_FALSE(playable(none) || decided(none));
    EXPECT_FALSE(playable({}) || decided({}));
    EXPECT_TRUE(playable({.inputs = 1000, .inputs_unseen = 10, .viewer_frames = 1000}));
    EXPECT_FALSE(playable({.inputs = 1000, .inputs_unseen = 11, .viewer_frames = 1000}));
    EXPECT_FALSE(playable({.inputs = 1000, .inputs_unseen = 0, .viewer_frames = 980}));  // seen late
    EXPECT_TRUE(decided({.decisions = 99, .decisions_open = 1}));
    EXPECT_FALSE(decided({.decisions = 98, .decisions_open = 2}));
}

}  // namespace
}  // namespace fray::lab
