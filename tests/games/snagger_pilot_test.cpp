#include "games/snagger/pilot/figures.hpp"
#include "games/snagger/pilot/pilot.hpp"
#include "games/snagger/pilot/recording.hpp"
#include "support/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray::snagger {
namespace {

constexpr std::uint32_t kReactionTicks = 12;  // 200 ms
constexpr std::uint32_t kShortestTicks = 4;   // 67 ms

std::vector<Recording> committed() {
    auto all = load_recordings((test::source_tree() / "games/snagger/recordings").string());
    EXPECT_TRUE(all) << all.error().message;
    return all ? std::move(all).value() : std::vector<Recording>{};
}

/// How long each press of this key lasted, in ticks; a press that the end cuts off does not count.
std::vector<std::uint32_t> presses(const Recording& recording, std::size_t ship, bool Input::*key) {
    std::vector<std::uint32_t> lengths;
    std::uint32_t held = 0;
    for (const Inputs& inputs : recording.inputs) {
        if (inputs[ship].*key) {
            ++held;
        } else if (held > 0) {
            lengths.push_back(held);
            held = 0;
        }
    }
    return lengths;
}

// After a change that is meant to alter them: fray_snagger_record games/snagger/recordings
TEST(SnaggerRecordings, AreWhatThePilotsPlay) {
    const auto all = committed();
    ASSERT_EQ(all.size(), kRecordings);
    for (std::size_t i = 0; i < kRecordings; ++i) {
        EXPECT_EQ(all[i].inputs.size(), kRecordedInputs);
        EXPECT_EQ(all[i], recorded_by_pilots(i)) << recording_name(i);
    }
}

TEST(SnaggerRecordings, AreAsFastAndAsRestlessAsThePapersTableImplies) {
    std::vector<Figures> all;
    for (const Recording& recording : committed()) all.push_back(figures(recording));
    ASSERT_EQ(all.size(), kRecordings);
    const ShipFigures mean = mean_ship(all);
    EXPECT_NEAR(mean.speed, 6.7, 0.67);
    EXPECT_NEAR(mean.acceleration, 10, 1.5);
}

TEST(SnaggerRecordings, InEachBothShipsFlyAndAliensAreCaught) {
    for (const Recording& recording : committed()) {
        const Figures one = figures(recording);
        EXPECT_GT(one.caught, 0U);
        EXPECT_EQ(one.caught, play(recording).score);
        for (const ShipFigures& ship : one.ships) EXPECT_GT(ship.speed, 3);
    }
}

TEST(SnaggerRecordings, KeysChangeAsOftenAsFingersDo) {
    for (const Recording& recording : committed()) {
        for (const ShipFigures& ship : figures(recording).ships) {
            EXPECT_GT(ship.key_changes, 1);
            EXPECT_LT(ship.key_changes, 6);
        }
    }
}

TEST(SnaggerRecordings, EveryKeyIsUsedAndHeldNoShorterThanATap) {
    for (bool Input::*key : {&Input::thrust, &Input::left, &Input::right, &Input::snag}) {
        std::vector<std::uint32_t> all;
        for (const Recording& recording : committed()) {
            for (std::size_t ship = 0; ship < kShips; ++ship) {
                const auto some = presses(recording, ship, key);
                all.insert(all.end(), some.begin(), some.end());
            }
        }
        ASSERT_GT(all.size(), 20U);
        EXPECT_GE(*std::min_element(all.begin(), all.end()), kShortestTicks);
        EXPECT_GT(*std::max_element(all.begin(), all.end()), *std::min_element(all.begin(), all.end()));
    }
}

TEST(SnaggerPilot, TheSameSeedPlaysTheSameGameAndAnotherDoesNot) {
    const Recording one = record(Seed{77}, 600);
    EXPECT_EQ(one, record(Seed{77}, 600));
    EXPECT_EQ(trace_hash(one), trace_hash(record(Seed{77}, 600)));
    EXPECT_NE(one.inputs, record(Seed{78}, 600).inputs);
}

TEST(SnaggerPilot, AnswersNothingFasterThanAPerson) {
    std::uint32_t answered = 0;
    for (std::uint32_t change = 100; change < 700; change += 7) {
        Pilot one{0, Seed{5}};
        Pilot other{0, Seed{5}};
        Game game = start(Seed{5});
        for (; game.tick < change; game = step(game, {})) ASSERT_EQ(one.play(game), other.play(game));
        // The other ship is elsewhere, and turned round.
        Game changed = game;
        changed.ships[0].pose = {.position = {10, 10, 0}, .yaw = 270};
        for (std::uint32_t i = 0; i < kTicksPerSecond; ++i) {
            const bool differs = one.play(game) != other.play(changed);
            ASSERT_FALSE(differs && i < kReactionTicks) << "after " << i << " ticks";
            answered += differs ? 1 : 0;
            game = step(game, {});
            changed = step(changed, {});
        }
    }
    EXPECT_GT(answered, 1000U);
}

TEST(SnaggerPilot, CatchesMoreThanOneThatOnlyPressesSpace) {
    std::uint32_t by_pilots = 0;
    std::uint32_t by_waiting = 0;
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
        by_pilots += play(record(Seed{seed}, kRecordedInputs)).score;
        Recording waiting{.seed = Seed{seed}, .inputs = {}};
        for (std::uint32_t i = 0; i < kRecordedInputs; ++i)
            waiting.inputs.push_back({Input{.snag = i % 30 < 6}, Input{}});
        by_waiting += play(waiting).score;
    }
    EXPECT_GT(by_pilots, 2 * by_waiting);
    EXPECT_GT(by_pilots, 60U);
}

}  // namespace
}  // namespace fray::snagger
