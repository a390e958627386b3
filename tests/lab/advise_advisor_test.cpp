// Which algorithm is chosen, and what is reported about the others.

#include "lab/advise/advice_text.hpp"
#include "lab/advise/advisor.hpp"
#include "lab/advise_fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fray::lab::advise {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string chosen(const Advice& advice) {
    return advice.chosen ? to_text(advice.chosen->consistency) : std::string{};
}

TEST(AdviseGrid, EveryAlgorithmWithAFewParameters) {
    const auto all = candidates(std::nullopt, 33ms);
    EXPECT_EQ(all.size(), 27U);
    const auto one = candidates(Duration{50ms}, 33ms);
    std::vector<std::string> names;
    names.reserve(one.size());
    for (const Consistency& consistency : one) names.push_back(to_text(consistency));
    EXPECT_THAT(
        names,
        ElementsAre("centralized_serialization, every 50 ms", "everquest, motion model, every 50 ms",
                    "local_lag, lag 50 ms, every 50 ms", "local_lag, lag 100 ms, every 50 ms",
                    "local_lag, lag 150 ms, every 50 ms", "bucket_sync, bucket 50 ms, depth 2, every 50 ms",
                    "bucket_sync, bucket 50 ms, depth 4, every 50 ms",
                    "half_life, remote lag 166 ms, every 50 ms",  // as in 6.1.3
                    "adaptive, lag up to 50 ms, every 50 ms"));
    const auto slow = candidates(Duration{50ms}, 3s);
    EXPECT_EQ(std::get<HalfLife>(slow[7].algorithm).remote_lag, kMostLag);
}

TEST(AdviseGrid, CellsAreNeededOnlyWhereAnAlgorithmIs) {
    const auto network = fake_network();
    EXPECT_TRUE(cells_needed(described("[[entity]]\nname = \"c\"\ntype = \"chat\"\n"), network).empty());
    EXPECT_EQ(cells_needed(described("[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\ninterval_ms = 80\n"
                                     "[[entity]]\nname = \"b\"\ntype = \"other_avatar\"\nsame_as = \"a\"\n"),
                           network)
                  .size(),
              9U);
}

TEST(Advisor, TheCheapestThatMeetsThenTheLeastResponse) {
    const auto advice = advised(described("[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\n"));
    ASSERT_EQ(advice.size(), 1U);
    EXPECT_TRUE(advice[0].met);
    EXPECT_EQ(chosen(advice[0]), "everquest, motion model, every 200 ms");
    EXPECT_THAT(
        advice[0].why_not,
        ElementsAre("centralized_serialization, every 200 ms: meets it, too, with a response of 132 ms, not "
                    "2 ms",
                    StartsWith("local_lag, lag 50 ms, every 200 ms: meets it, too, with"),
                    StartsWith("bucket_sync, bucket 50 ms, depth 2, every 200 ms: meets it, too, with"),
                    "half_life, remote lag 432 ms, every 200 ms: meets it, too, with the same response and a "
                    "propagation of 432 ms, not 124 ms",
                    "adaptive, lag up to 50 ms, every 200 ms: meets it, too, for 2.88 kbit/s"));
}

TEST(Advisor, SaysByWhatTheOthersFail) {
    const auto advice =
        advised(described("[[entity]]\nname = \"a\"\ntype = \"other_avatar\"\n"
                          "[entity.tolerance]\nresponse_ms = 40\npropagation_ms = 60\n"
                          "corrections = 0.5\nstate_divergence = \"any\"\n"));
    EXPECT_TRUE(advice[0].met);
    EXPECT_EQ(chosen(advice[0]), "adaptive, lag up to 50 ms, every 50 ms");
    EXPECT_THAT(advice[0].why_not,
                ElementsAre("centralized_serialization, every 50 ms: corrections 6 %/s > 0.5 %/s",
                            "everquest, motion model, every 50 ms: corrections 0.66 %/s > 0.5 %/s",
                            "local_lag, lag 50 ms, every 50 ms: response 50 ms > 40 ms",
                            "bucket_sync, bucket 50 ms, depth 2, every 100 ms: response 101 ms > "
                            "40 ms",
                            "half_life, remote lag 132 ms, every 50 ms: propagation 132 ms > 60 "
                            "ms"));
}

/// With the figures of all cells of this algorithm changed.
template <class Algorithm>
std::vector<Advice> advised_with(const Description& description, const Network& network,
                                 void (*change)(CellResult& result)) {
    Measured measured = measured_cells(description, network);
    for (const Cell& cell : cells_needed(description, network)) {
        if (std::holds_alternative<Algorithm>(cell.consistency.algorithm))
            change(measured.at(cell_key(cell, network.content)));
    }
    return advise(description, network, measured);
}

TEST(Advisor, ATieNamesWhatDecidedIt) {
    const auto description =
        described("[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\ninterval_ms = 50\n");
    const auto line = [&](void (*change)(CellResult&)) {
        const auto advice = advised_with<Adaptive>(description, fake_network(), change);
        EXPECT_EQ(chosen(advice[0]), "everquest, motion model, every 50 ms");
        return advice[0].why_not.back();
    };
    // To the millisecond, as shown.
    EXPECT_EQ(line([](CellResult& result) {
                  result.bytes_per_s = 1200;
                  result.felt.response_ms -= 0.3;
              }),
              "adaptive, lag up to 50 ms, every 50 ms: as good: the same response and propagation for 9.6 "
              "kbit/s; the first in the list of candidates was taken");
    EXPECT_EQ(line([](CellResult& result) { result.bytes_per_s = 1230; }),
              "adaptive, lag up to 50 ms, every 50 ms: as good: the same response and propagation for 9.84 "
              "kbit/s; the cheaper one was taken");
}

TEST(Advisor, WhatNobodyCouldPlayMeetsNothing) {
    const auto description = described(
        "[[entity]]\nname = \"a\"\ntype = \"other_avatar\"\ninterval_ms = 50\n[entity.tolerance]\n"
        "propagation_ms = 60\nresponse_ms = 40\n");
    const auto never_linked = [](CellResult& result) {
        result = {.felt = {.inputs = 1000, .inputs_unseen = 1000},
                  .bytes_per_s = 0,
                  .top_speed = 20,
                  .recordings = 10,
                  .unplayable = 10};
    };
    ASSERT_EQ(chosen(advised(description)[0]), "everquest, motion model, every 50 ms");
    // If one algorithm is unplayable, its zeros must not make it the best.
    const auto other = advised_with<EverQuest>(description, fake_network(), never_linked);
    EXPECT_TRUE(other[0].met);
    EXPECT_EQ(chosen(other[0]), "adaptive, lag up to 50 ms, every 50 ms");
    EXPECT_THAT(other[0].why_not,
                Contains("everquest, motion model, every 50 ms: not playable over this network in 10 of 10 "
                         "recordings: the players never saw each other"));
}

TEST(Advisor, WhereNothingIsPlayableNoToleranceIsSaidToHelp) {
    const auto description =
        described("[[entity]]\nname = \"a\"\ntype = \"other_avatar\"\ninterval_ms = 50\n");
    const Network network = fake_network(1500ms);
    Measured measured = measured_cells(description, network);
    for (auto& [key, result] : measured) {
        result.felt.inputs_unseen = 30;
        result.felt.viewer_frames = 800;
        result.felt.decisions_open = 1;
        result.unplayable = 2;
    }
    const auto advice = advise(description, network, measured);
    EXPECT_FALSE(advice[0].met);
    EXPECT_FALSE(all_met(advice));
    ASSERT_GE(advice[0].notes.size(), 2U);
    EXPECT_THAT(
        advice[0].notes[0],
        HasSubstr("not playable over this network in 2 of 10 recordings: 3 % of all inputs were never "
                  "seen, the other player was visible for 80 % of the time, 100 % of the shots were never "
                  "answered"));
    EXPECT_THAT(advice[0].notes[0], Not(HasSubstr("would with")));
    EXPECT_EQ(advice[0].why_not.size(), 5U);
    for (const std::string& line : advice[0].why_not) EXPECT_THAT(line, HasSubstr("not playable"));
    const std::string text = advice_text(description, network, advice);
    EXPECT_THAT(text, HasSubstr("none is playable"));
    EXPECT_THAT(text, Not(HasSubstr("≤")));
    const auto json = nlohmann::json::parse(advice_json(description, network, advice));
    EXPECT_EQ(json["advice"][0]["playable"], false);
    EXPECT_FALSE(json["advice"][0].contains("measured"));
}

TEST(Advisor, SaysWhereARemoteLagIsCutShort) {
    const auto description =
        described("[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\ninterval_ms = 50\n");
    const std::string cut = "6.1.3 requires a remote lag of 3100 ms here, but it is limited to 2000 ms";
    EXPECT_THAT(advised(description, 1500ms)[0].why_not,
                Contains(AllOf(StartsWith("half_life, remote lag 2000 ms, every 50 ms: "), HasSubstr(cut))));
    const auto preferred = advised_with<HalfLife>(description, fake_network(1500ms),
                                                  [](CellResult& result) { result.bytes_per_s = 1; });
    EXPECT_EQ(chosen(preferred[0]), "half_life, remote lag 2000 ms, every 50 ms");
    EXPECT_THAT(preferred[0].notes, Contains(cut));
    const auto whole = advised(description, 950ms);  // 2000 ms
    for (const std::string& line : whole[0].why_not) EXPECT_THAT(line, Not(HasSubstr("6.1.3")));
}

TEST(Advisor, DeathDecisionsAreMadeInTheShootersView) {
    const std::string body =
        "[[entity]]\nname = \"target\"\ntype = \"other_avatar\"\nsituation = \"death_decision\"\n";
    const auto advice = advised(described(body));
    EXPECT_TRUE(advice[0].met);
    EXPECT_EQ(chosen(advice[0]), "half_life, remote lag 132 ms, every 50 ms");
    EXPECT_THAT(advice[0].notes, Contains(HasSubstr("in the shooter's view: Peer::interact")));
    EXPECT_THAT(
        advice[0].why_not,
        Contains("local_lag, lag 50 ms, every 100 ms: meets it, too, but shows an extrapolation where "
                 "the shooter aims (5.4)"));
}

TEST(Advisor, DecisionsAreMeasuredWhereTheyCountAndNowhereElse) {
    const auto description = described(
        "[[entity]]\nname = \"target\"\ntype = \"other_avatar\"\nsituation = \"death_decision\"\n"
        "[[entity]]\nname = \"bot\"\ntype = \"other_avatar\"\nsituation = \"team_position\"\n");
    const auto cells = cells_needed(description, fake_network());
    ASSERT_EQ(cells.size(), 2 * 27U);
    EXPECT_TRUE(cells.front().shots);
    EXPECT_FALSE(cells.back().shots);
    EXPECT_NE(cell_key(cells.front(), {}), cell_key(cells[27], {}));  // the same but for the shots
    const auto advice = advised(description);
    const auto json = nlohmann::json::parse(advice_json(description, fake_network(), advice));
    EXPECT_EQ(json["advice"][0]["measured"]["decision_ms"], 49);
    EXPECT_FALSE(json["advice"][1]["measured"].contains("decision_ms"));
    EXPECT_THAT(advice_text(description, fake_network(), advice), HasSubstr("49≤150"));
    const auto far = advised(description, 80ms);
    EXPECT_FALSE(far[0].met);
    EXPECT_THAT(far[0].notes[0], HasSubstr("decision_ms = 180"));
}

TEST(Advisor, OneThingInTwoEyesGetsOneAlgorithm) {
    const std::string body =
        "[[entity]]\nname = \"mine\"\ntype = \"local_avatar\"\n[entity.tolerance]\nresponse_ms = 120\n"
        "[[entity]]\nname = \"yours\"\ntype = \"other_avatar\"\nsame_as = \"mine\"\nkbps = 20\n"
        "[entity.tolerance]\nstate_divergence = 0.1\ncorrections = 0.1\n";
    const auto advice = advised(described(body));
    ASSERT_EQ(advice.size(), 1U);
    EXPECT_THAT(advice[0].group.entities, ElementsAre(0U, 1U));
    EXPECT_TRUE(advice[0].met);
    EXPECT_EQ(chosen(advice[0]), "local_lag, lag 100 ms, every 100 ms");
    EXPECT_EQ(advice[0].group.most_kbps, 20);
}

TEST(Advisor, DistancesGrowWithTheSpeed) {
    const std::string body =
        "[[entity]]\nname = \"a\"\ntype = \"other_avatar\"\ninterval_ms = 50\n"
        "[entity.tolerance]\npropagation_ms = 60\nresponse_ms = 40\n";
    const auto at = [&](const std::string& speed) {
        auto text = body;
        if (!speed.empty()) text.insert(text.find("interval"), "speed = " + speed + "\n");
        return advised(described(text))[0].chosen->felt;
    };
    EXPECT_DOUBLE_EQ(at("40").state_divergence, 2 * at("").state_divergence);
    EXPECT_DOUBLE_EQ(at("40").propagation_ms, at("").propagation_ms);
}

TEST(Advisor, WhereNothingMeetsItSaysWhatWouldHaveToGive) {
    const std::string head =
        "[[entity]]\nname = \"sniper's aim\"\ntype = \"other_avatar\"\nby_several = true\n"
        "critical = true\n[entity.tolerance]\n";
    const auto advice =
        advised(described(head + "propagation_ms = 60\nresponse_ms = 50\nstate_divergence = 0.4\n"), 160ms);
    EXPECT_FALSE(advice[0].met);
    EXPECT_EQ(chosen(advice[0]), "adaptive, lag up to 50 ms, every 50 ms");
    ASSERT_GE(advice[0].notes.size(), 4U);
    EXPECT_EQ(advice[0].notes[0],
              "nothing meets this; nearest is adaptive, lag up to 50 ms, every 50 ms, and would with "
              "propagation_ms "
              "= 200, state_divergence = 1.1, corrections = 1.1");
    EXPECT_THAT(advice[0].notes, Contains(HasSubstr("stretch the time scale")));
    EXPECT_THAT(advice[0].notes, Contains(HasSubstr("choose a target instead of aiming at it (3.3)")));
    EXPECT_THAT(advice[0].notes, Contains(HasSubstr("situation = \"death_decision\"")));
    EXPECT_EQ(advice[0].why_not.size(), 5U);
    // And the note is true.
    const auto given =
        advised(described(head + "response_ms = 50\npropagation_ms = 200\nstate_divergence = 1.1\n"
                                 "corrections = 1.1\n"),
                160ms);
    EXPECT_TRUE(given[0].met);
}

TEST(Advisor, UploadIsARequirementToo) {
    const std::string body = "[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\nkbps = 2\n";
    const auto advice = advised(described(body));
    EXPECT_FALSE(advice[0].met);
    EXPECT_THAT(advice[0].notes[0], HasSubstr("and would with kbps = 2.4"));
    EXPECT_THAT(advice[0].why_not, Contains(HasSubstr("upload 2.4 kbit/s > 2 kbit/s")));
}

TEST(Advisor, WhatNeedsNoAlgorithm) {
    const auto advice =
        advised(described("[[entity]]\nname = \"c\"\ntype = \"chat\"\n"
                          "[[entity]]\nname = \"t\"\ntype = \"inventory\"\nsituation = \"trade\"\n"
                          "[[entity]]\nname = \"s\"\ntype = \"object\"\nsituation = "
                          "\"physics_effects\"\n[[entity]]\nname = \"sky\"\ntype = \"terrain\"\n"
                          "interactive = false\n"));
    ASSERT_EQ(advice.size(), 4U);
    for (const Advice& one : advice) EXPECT_TRUE(one.met && !one.chosen);
    EXPECT_THAT(advice[0].notes, ElementsAre(HasSubstr("ChatRoom")));
    EXPECT_THAT(advice[1].notes, ElementsAre(HasSubstr("TradeDesk")));
    EXPECT_THAT(advice[2].notes, ElementsAre(HasSubstr("let every peer compute its own")));
    EXPECT_THAT(advice[3].notes, ElementsAre(HasSubstr("nothing interacts with it (3.2)")));
}

TEST(AdviceText, HasARowPerThingAndReasonsBelow) {
    const auto description = described(
        "[[entity]]\nname = \"mine\"\ntype = \"local_avatar\"\nkbps = 30\n"
        "[[entity]]\nname = \"yours\"\ntype = \"other_avatar\"\nsame_as = \"mine\"\n"
        "[[entity]]\nname = \"talk\"\ntype = \"chat\"\n");
    const auto advice = advised(description);
    const std::string text = advice_text(description, fake_network(), advice);
    EXPECT_THAT(text,
                StartsWith("Test over same-continent (median latency 16 ms one way, half a round trip)"));
    EXPECT_THAT(text, HasSubstr("mine = yours  yes  local_lag, lag 50 ms,  50≤150    124≤150"));
    EXPECT_THAT(text, HasSubstr("2.4≤30"));
    EXPECT_THAT(text, HasSubstr("talk          yes  ChatRoom"));
    EXPECT_THAT(
        text,
        HasSubstr(
            "\nmine = yours: local_lag, lag 50 ms, every 200 ms, 2.4 kbit/s\n  why not\n    centralized"));
    EXPECT_TRUE(all_met(advice));
}

TEST(AdviceText, NumbersHaveNoExponent) {
    const auto description = described(
        "[[entity]]\nname = \"a\"\ntype = \"other_avatar\"\nspeed = 9000\ninterval_ms = 10\nkbps = 4000\n"
        "[entity.tolerance]\nstate_divergence = 1000\n");
    const std::string text = advice_text(description, fake_network(1500ms), advised(description, 1500ms));
    EXPECT_THAT(text, HasSubstr("(median latency 1500 ms one way"));
    EXPECT_THAT(text, HasSubstr("≤4000"));
    EXPECT_THAT(text, Not(HasSubstr("e+")));
    EXPECT_EQ(short_number(0.00003), "0");
    EXPECT_EQ(short_number(0.01234), "0.0123");
    EXPECT_EQ(short_number(99.97), "100");
    EXPECT_EQ(short_number(123456.7), "123457");
}

TEST(AdviceText, JsonSaysTheSame) {
    const auto description = described(
        "[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\nkbps = 2\n"
        "[[entity]]\nname = \"talk\"\ntype = \"chat\"\n");
    const auto json = nlohmann::json::parse(advice_json(description, fake_network(), advised(description)));
    EXPECT_EQ(json["game"], "Test");
    EXPECT_EQ(json["met"], false);
    ASSERT_EQ(json["advice"].size(), 2U);
    EXPECT_EQ(json["advice"][0]["algorithm"], "everquest");
    EXPECT_EQ(json["advice"][0]["interval_ms"], 200);
    EXPECT_EQ(json["advice"][0]["allowed"]["kbps"], 2);
    EXPECT_EQ(json["advice"][0]["measured"]["response_ms"], 2);
    EXPECT_EQ(json["advice"][0]["measured"]["inputs"], 1000);
    EXPECT_EQ(json["advice"][0]["playable"], true);
    EXPECT_EQ(json["advice"][1]["means"], "ChatRoom");
}

}  // namespace
}  // namespace fray::lab::advise
