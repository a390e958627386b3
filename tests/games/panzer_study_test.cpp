// The user study: phases, votes, answers, what is said, and the results.

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "games/panzer/study/study.hpp"
#include "games/panzer/study/study_csv.hpp"
#include "games/panzer/study/study_words.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace fray::panzer {
namespace {

constexpr Comparison kLow{NetVersion::low};
constexpr StudyTimes kTimes{.practice = 10, .trial = 100, .last = 20};

Study begun(NetVersion first = NetVersion::donnybrook) {
    Study study{kLow, kTimes, first};
    study.begin(1000);
    return study;
}

TEST(Study, RunsThroughItsPhasesInOrder) {
    Study study{kLow, kTimes, NetVersion::low};
    study.advance(900);
    EXPECT_EQ(study.phase(), StudyPhase::waiting) << "until both people are there";
    study.begin(1000);
    study.advance(1005);
    EXPECT_EQ(study.phase(), StudyPhase::practice);
    EXPECT_EQ(study.version(), NetVersion::high) << "people practise on the good network";
    EXPECT_NEAR(study.seconds_left(), 5, 1e-9);
    study.advance(1010);
    EXPECT_EQ(study.phase(), StudyPhase::trial);
    EXPECT_EQ(study.version(), NetVersion::low);
    study.advance(1109.9);
    EXPECT_EQ(study.phase(), StudyPhase::trial);
    study.advance(1110);
    EXPECT_EQ(study.phase(), StudyPhase::last);
    study.advance(1130);
    EXPECT_EQ(study.phase(), StudyPhase::questions);
    study.answer(0, {.scores = {3, 9}, .prefers = 1});
    study.advance(1131);
    EXPECT_EQ(study.phase(), StudyPhase::questions) << "until both people have answered";
    study.answer(1, {.scores = {5, 5}, .prefers = std::nullopt});
    study.advance(1132);
    EXPECT_EQ(study.phase(), StudyPhase::done);
    study.advance(9999);
    EXPECT_EQ(study.phase(), StudyPhase::done);
}

TEST(Study, TheVersionChangesWhenBothHaveVotedAndVotesBeginAnew) {
    Study study = begun();
    study.advance(1010);
    study.vote(0, true, 1050);
    EXPECT_EQ(study.version(), NetVersion::donnybrook) << "one vote is not enough";
    EXPECT_TRUE(study.has_voted(0));
    study.vote(1, true, 1060);
    EXPECT_EQ(study.version(), NetVersion::low);
    EXPECT_FALSE(study.has_voted(0));
    EXPECT_FALSE(study.has_voted(1));
    study.vote(1, true, 1070);
    study.vote(0, true, 1075);
    EXPECT_EQ(study.version(), NetVersion::donnybrook) << "back and forth as often as they wish";
    EXPECT_EQ(study.figures().switches, 2U);
    EXPECT_NEAR(*study.figures().first_vote, 40, 1e-9);
    EXPECT_NEAR(*study.figures().both_votes, 50, 1e-9);
    study.advance(1110);
    EXPECT_NEAR(study.figures().seconds_on[0], 50 + 35, 1e-9);
    EXPECT_NEAR(study.figures().seconds_on[1], 15, 1e-9);
}

TEST(Study, AVoteCanBeTakenBack) {
    Study study = begun();
    study.advance(1010);
    study.vote(0, true, 1020);
    study.vote(0, false, 1030);
    study.vote(1, true, 1040);
    EXPECT_EQ(study.version(), NetVersion::donnybrook);
    EXPECT_NEAR(*study.figures().first_vote, 10, 1e-9) << "it was dissatisfied then";
    EXPECT_FALSE(study.figures().both_votes);
}

TEST(Study, VotesOutsideOfTheTrialAndOfStrangersCountNothing) {
    Study study = begun();
    study.vote(0, true, 1001);
    study.vote(1, true, 1002);
    EXPECT_EQ(study.phase(), StudyPhase::practice);
    study.advance(1010);
    study.vote(0, true, 1020);
    study.vote(7, true, 1021);
    EXPECT_EQ(study.figures().switches, 0U);
    study.advance(1111);
    study.vote(1, true, 1112);
    EXPECT_EQ(study.figures().switches, 0U);
}

TEST(Study, TheLastGameIsOnTheVersionThatWasUsedLess) {
    for (const double switched_at : {1030.0, 1090.0}) {
        Study study = begun();
        study.vote(0, true, switched_at);
        study.vote(1, true, switched_at);
        study.advance(1115);
        ASSERT_EQ(study.phase(), StudyPhase::last);
        EXPECT_EQ(study.version(), switched_at < 1060 ? NetVersion::donnybrook : NetVersion::low);
    }
    Study never = begun();
    never.advance(1115);
    EXPECT_EQ(never.version(), NetVersion::low) << "the version that was not played at all";
}

TEST(Study, OneLateCallCountsAsManyTimelyOnes) {
    Study timely = begun(), late = begun();
    for (double now = 1000; now <= 1130; now += 0.25) timely.advance(now);
    late.advance(1130);
    EXPECT_EQ(timely.phase(), late.phase());
    EXPECT_NEAR(timely.figures().seconds_on[0], late.figures().seconds_on[0], 1e-6);
    EXPECT_NEAR(late.figures().seconds_on[0], kTimes.trial, 1e-9);
}

TEST(Study, ThatBothPeopleAreThereCanBeSaidInEveryFrame) {
    Study study = begun();
    for (double now = 1000; now <= 1125; now += 0.25) {
        study.begin(now);
        study.advance(now);
    }
    EXPECT_EQ(study.phase(), StudyPhase::last);
    EXPECT_NEAR(study.figures().seconds_on[0], kTimes.trial, 1e-6);
}

TEST(Study, OnlyTheFirstValidAnswersCount) {
    Study study = begun();
    study.answer(0, {.scores = {1, 1}, .prefers = 0});
    study.advance(1131);
    study.answer(0, {.scores = {0, 11}, .prefers = 0});
    EXPECT_FALSE(study.figures().answers[0]);
    study.answer(0, {.scores = {10, 1}, .prefers = 0});
    study.answer(0, {.scores = {1, 10}, .prefers = 1});
    ASSERT_TRUE(study.figures().answers[0]);
    EXPECT_EQ(study.figures().answers[0]->scores[0], 10);
}

TEST(Study, EachVersionTellsThePeersWhatItsNameSays) {
    EXPECT_EQ(tuning_of(NetVersion::high, 108), Tuning{});
    EXPECT_EQ(tuning_of(NetVersion::donnybrook, 108), (Tuning{.upload_kbps = 108}));
    EXPECT_EQ(tuning_of(NetVersion::low, 108),
              (Tuning{.upload_kbps = 108, .focus_sets = false, .guidance = false}));
}

TEST(Study, TimesAreThreeNumbersOfSeconds) {
    EXPECT_EQ(parse_study_times("480,900,300").value(), StudyTimes{});
    EXPECT_EQ(parse_study_times("1.5,20,8").value(), (StudyTimes{1.5, 20, 8}));
    for (const char* wrong : {"", "1", "1,2", "1,2,3,4", "a,b,c", "1,2,0", "1,2,99999", "1,2,nan", "1;2;3"})
        EXPECT_FALSE(parse_study_times(wrong)) << wrong;
}

TEST(StudyWords, WhatOneSaysTheOtherReads) {
    const StudyState state{.phase = StudyPhase::trial,
                           .letter = 1,
                           .version = NetVersion::low,
                           .seconds_left = 311.5,
                           .votes = {true, false}};
    EXPECT_EQ(parse_study_state(to_text(state)), state);
    for (const bool wants : {false, true}) EXPECT_EQ(parse_study_vote(vote_text(wants)), wants);
    for (const auto prefers : {std::optional<std::uint8_t>{}, std::optional<std::uint8_t>{1}}) {
        const StudyAnswers answers{.scores = {7, 3}, .prefers = prefers};
        EXPECT_EQ(parse_study_answers(to_text(answers)), answers);
    }
}

TEST(StudyWords, AnythingElseIsNotUnderstood) {
    for (const char* wrong : {"", "state", "state 9 0 0 1 0 0", "state 2 0 3 1 0 0", "state 2 0 0 -1 0 0",
                              "state 2 0 0 nan 0 0", "state 2 0 0 1 0 0 ", "state 2 0 0 1 0 2", "hello"})
        EXPECT_FALSE(parse_study_state(wrong)) << wrong;
    for (const char* wrong : {"vote", "vote 2", "vote 0.5", "vote 1 1", "vote x"})
        EXPECT_FALSE(parse_study_vote(wrong)) << wrong;
    for (const char* wrong : {"answers 0 5 1", "answers 5 11 1", "answers 5 5 3", "answers 5 5"})
        EXPECT_FALSE(parse_study_answers(wrong)) << wrong;
}

TEST(StudyResults, AWholeRehearsalGivesOneLineWithEverything) {
    // Two programs: the first person's runs the study, the other one knows what it is told.
    Study study{kLow, kTimes, NetVersion::low};
    StudyState told;
    const auto tell = [&](double now) {
        study.advance(now);
        told = parse_study_state(to_text(state_of(study))).value();
    };
    study.begin(0);
    for (double now = 0; now <= 130.5; now += 0.5) {
        tell(now);
        if (now == 30) study.vote(1, *parse_study_vote(vote_text(true)), now);
        if (now == 35) study.vote(0, true, now);
        if (now == 36) {
            EXPECT_EQ(told.version, NetVersion::donnybrook);
        }
        if (now == 120) {
            EXPECT_EQ(told.phase, StudyPhase::last);
        }
    }
    EXPECT_EQ(told.phase, StudyPhase::questions);
    study.answer(0, {.scores = {2, 8}, .prefers = 1});
    study.answer(1, *parse_study_answers("answers 4 4 2"));
    tell(131);
    EXPECT_EQ(told.phase, StudyPhase::done);
    // Version A was "low": 25 s on it, 75 s on Donnybrook, then the last game on "low".
    EXPECT_EQ(csv_line(3, study, {.trial = {31, 12}, .last = {10, 21}}),
              "3,donnybrook-low,low,20.0,25.0,75.0,25.0,1,low,8,2,donnybrook,4,4,neither,31,12,10,21");
}

TEST(StudyResults, TheStartingVersionIsBalancedOverTheTrialsOfAComparison) {
    std::string csv = std::string{csv_header()} + "\n";
    int donnybrook = 0;
    for (std::uint32_t i = 1; i <= 6; ++i) {
        const auto next = next_trial(csv, kLow);
        ASSERT_TRUE(next) << next.error().message;
        EXPECT_EQ(next->number, i);
        donnybrook += next->first == NetVersion::donnybrook ? 1 : 0;
        csv += csv_line(i, Study{kLow, kTimes, next->first}, {}) + "\n";
        if (i % 2 == 0) {
            EXPECT_EQ(donnybrook, static_cast<int>(i / 2));
        }
    }
    const auto other = next_trial(csv, Comparison{NetVersion::high});
    EXPECT_EQ(other->number, 7U) << "trials are counted together";
    EXPECT_EQ(other->first, NetVersion::donnybrook) << "and balanced for themselves";
}

TEST(StudyResults, AreAppendedToAFileAndAnotherFileIsNotTouched) {
    const std::string file = testing::TempDir() + "/fray_study_test.csv";
    std::filesystem::remove(file);
    EXPECT_EQ(next_trial_of_file(file, kLow)->number, 1U);
    const std::string line = csv_line(1, Study{kLow, kTimes, NetVersion::donnybrook}, {});
    ASSERT_TRUE(append_result(file, line));
    ASSERT_TRUE(append_result(file, line));
    std::stringstream text;
    text << std::ifstream{file}.rdbuf();
    EXPECT_EQ(text.str(), std::string{csv_header()} + "\n" + line + "\n" + line + "\n");
    EXPECT_EQ(next_trial_of_file(file, kLow)->number, 3U);
    std::filesystem::remove(file);
    const auto wrong = next_trial("name,age\nme,7\n", kLow);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("line 1"), std::string::npos);
    EXPECT_FALSE(append_result("/no/such/folder/study.csv", line));
}

TEST(StudyMatch, APersonIsWorthTenBots) {
    const MatchOptions match{.people = kPeople};
    EXPECT_EQ(match.points_for(PeerId::from_number(1)), 10);
    EXPECT_EQ(match.points_for(PeerId::from_number(2)), 10);
    EXPECT_EQ(match.points_for(PeerId::from_number(3)), 1);
    EXPECT_EQ(MatchOptions{}.points_for(PeerId::from_number(1)), 1);
}

TEST(StudyMatch, PointsForPeopleReachTheScoreboards) {
    const Map map = shipped_map("arena").value();
    const Battlefield field{map};
    const NavMesh mesh = NavMesh::build(map).value();
    MatchOptions options{.players = 8, .length = 25s, .seed = Seed{3}};
    options.people = 8;
    std::vector<PlayerOptions> players;
    for (std::uint32_t i = 0; i < options.players; ++i) players.push_back(bot_player(i));
    SwarmMatch match{field, mesh, options, players};
    const auto played = match.run(network_profile("lan").value());
    ASSERT_TRUE(played) << played.error().message;
    EXPECT_TRUE(played->scoreboards_equal);
    std::uint32_t kills = 0;
    for (const Card& card : played->reports.front().standings.ranking()) {
        kills += card.record.kills;
        // A player that destroys itself loses a point.
        EXPECT_GE(card.record.score, 10 * static_cast<std::int32_t>(card.record.kills) -
                                         static_cast<std::int32_t>(card.record.accidents));
    }
    EXPECT_GT(kills, 3U);
}

}  // namespace
}  // namespace fray::panzer
