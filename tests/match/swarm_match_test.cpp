#include "match/match_fields.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

TEST(SwarmMatch, TheSameSeedGivesTheSameMatchAndAllScoreboardsAreEqual) {
    const Arena arena;
    std::vector<SwarmMatchResult> results;
    for (const std::uint64_t seed : {7U, 7U, 8U}) {
        SwarmMatch match{arena.field, arena.mesh, match_of(30s, Seed{seed}), bots(8)};
        results.push_back(played(match));
    }
    EXPECT_EQ(results[0].trace_hash, results[1].trace_hash);
    EXPECT_NE(results[0].trace_hash, results[2].trace_hash);
    for (const SwarmMatchResult& result : results) {
        ASSERT_EQ(result.reports.size(), 8U);
        EXPECT_TRUE(result.scoreboards_equal);
        const Record total = total_of(result.reports[0].standings);
        EXPECT_GT(total.kills, 5U);
        EXPECT_GT(total.pickups, 3U);
        EXPECT_EQ(total.kills + total.accidents, total.deaths) << "every death has one cause";
        for (const MatchReport& report : result.reports) {
            EXPECT_EQ(report.players_seen, 7U);
            EXPECT_EQ(report.impossible_moves, 0U);
            EXPECT_EQ(report.standings.cards().size(), 8U);
            EXPECT_GT(report.network.upload_kbps_mean, 10);
            EXPECT_GE(report.network.upload_kbps_most, report.network.upload_kbps_mean);
            EXPECT_GT(report.network.update_age_ms_p50, 0);
        }
    }
}

/// As 63 bots at 108 kbit/s: forming, claims and final cards take most of the upload.
TEST(SwarmMatch, WithAShortUploadAllScoreboardsAreEqualAndNoPeerExceedsIt) {
    const Arena arena;
    MatchOptions options = match_of(12s, Seed{1});
    options.interest = InterestName::focus;
    options.guidance = true;
    options.upload_kbps = 54;
    SwarmMatch match{arena.field, arena.mesh, options, bots(32)};
    const SwarmMatchResult result = played(match);
    ASSERT_EQ(result.reports.size(), 32U);
    EXPECT_TRUE(result.scoreboards_equal);
    EXPECT_GT(total_of(result.reports[0].standings).kills, 5U);
    constexpr double kOneDatagram = 10;  // kbit/s in a second: a window may end with one
    for (const MatchReport& report : result.reports) {
        EXPECT_LE(report.network.upload_kbps_most, options.upload_kbps + kOneDatagram);
        EXPECT_GT(report.network.focus_size, 0);
    }
}

TEST(SwarmMatch, DoorsOpenOnRequestAndTeamsFight) {
    const Arena ruins{"ruins"};
    MatchOptions options = match_of(40s, Seed{3});
    options.mode = Mode::teams;
    SwarmMatch match{ruins.field, ruins.mesh, options, bots(12)};
    const SwarmMatchResult result = played(match, "world");
    EXPECT_TRUE(result.scoreboards_equal);
    std::uint64_t doors = 0;
    for (const MatchReport& report : result.reports) doors += report.doors_opened;
    EXPECT_GT(doors, 5U);
    EXPECT_GT(total_of(result.reports[0].standings).kills, 0U);
}

TEST(SwarmMatch, TheFlagGivesPointsToItsCarrier) {
    const Arena arena;
    MatchOptions options = match_of(40s, Seed{4});
    options.mode = Mode::flag;
    SwarmMatch match{arena.field, arena.mesh, options, bots(8)};
    const SwarmMatchResult result = played(match);
    EXPECT_TRUE(result.scoreboards_equal);
    std::uint64_t flags = 0;
    for (const MatchReport& report : result.reports) flags += report.flags_taken;
    EXPECT_GT(flags, 1U) << "it changes hands";
    const Record total = total_of(result.reports[0].standings);
    EXPECT_GT(total.score, static_cast<int>(total.kills) - static_cast<int>(total.accidents) + 5);
}

TEST(SwarmMatch, PSensePlaysOnALargeMapAndAgreesOnTheScore) {
    const Arena arena;
    const Arena plains{"plains"};
    MatchOptions options = match_of(30s, Seed{5});
    options.overlay = OverlayName::psense;
    SwarmMatch near{arena.field, arena.mesh, options, bots(12)};
    const SwarmMatchResult crowd = played(near, "world");
    EXPECT_TRUE(crowd.scoreboards_equal);
    EXPECT_GT(total_of(crowd.reports[0].standings).kills, 5U);
    EXPECT_GT(total_of(crowd.reports[0].standings).pickups, 0U) << "every player has items of its own";

    SwarmMatch wide{plains.field, plains.mesh, options, bots(24)};
    const SwarmMatchResult result = played(wide, "world");
    EXPECT_TRUE(result.scoreboards_equal) << "final cards travel from peer to peer";
    for (const MatchReport& report : result.reports) {
        EXPECT_EQ(report.standings.cards().size(), 24U);
        EXPECT_EQ(report.impossible_moves, 0U);
    }
}

TEST(SwarmMatch, ItemsSurviveTheirOwnerAndAPlayerThatComesBackKeepsItsRecord) {
    const Arena arena;
    SwarmMatch match{arena.field, arena.mesh, match_of(60s, Seed{6}), bots(8)};
    match.prepare([](Swarm& swarm) {
        EXPECT_TRUE(swarm.schedule({20s, ActionKind::crash, 0, {}}));
        EXPECT_TRUE(swarm.schedule({35s, ActionKind::crash, 4, {}}));
        EXPECT_TRUE(swarm.schedule({38s, ActionKind::rejoin, 4, 2}));
    });
    const SwarmMatchResult result = played(match);
    ASSERT_EQ(result.reports.size(), 7U) << "the first player is gone";
    EXPECT_TRUE(result.scoreboards_equal);
    std::uint64_t taken_over = 0;
    for (const MatchReport& report : result.reports) taken_over += report.taken_over;
    EXPECT_GE(taken_over, arena.map.items.size()) << "each item has another owner";
    const Standings& standings = result.reports[0].standings;
    ASSERT_NE(standings.find(PeerId::from_number(1)), nullptr);
    EXPECT_FALSE(standings.find(PeerId::from_number(1))->is_final);
    const Card* returned = standings.find(PeerId::from_number(5));
    ASSERT_NE(returned, nullptr);
    EXPECT_TRUE(returned->is_final);
    // It was away for 3 of 60 s. In the same match without a crash it has about as many shots.
    SwarmMatch calm{arena.field, arena.mesh, match_of(60s, Seed{6}), bots(8)};
    const SwarmMatchResult whole = played(calm);
    const Card* stayed = whole.reports[0].standings.find(PeerId::from_number(5));
    ASSERT_NE(stayed, nullptr);
    EXPECT_GT(returned->record.shots, stayed->record.shots / 2) << "its shots of 35 s are not forgotten";
}

TEST(SwarmMatch, ThingsWhoseOwnerAndDeputyEndTogetherAreCreatedAnew) {
    const Arena arena;
    SwarmMatch match{arena.field, arena.mesh, match_of(60s, Seed{6}), bots(6)};
    match.prepare([](Swarm& swarm) {
        for (const PeerIndex index : {0U, 1U, 2U})
            EXPECT_TRUE(swarm.schedule({8s, ActionKind::crash, index, {}}));
    });
    const SwarmMatchResult result = played(match);
    ASSERT_EQ(result.reports.size(), 3U);
    EXPECT_TRUE(result.scoreboards_equal);
    std::uint64_t created = 0;
    for (const MatchReport& report : result.reports) created += report.created + report.taken_over;
    EXPECT_GE(created, arena.map.items.size());
}

TEST(SwarmMatch, CheatsAreRefusedAndCounted) {
    const Arena ruins{"ruins"};
    const auto with = [&](Cheat cheat) {
        auto players = bots(8);
        players.back().cheat = cheat;
        SwarmMatch match{ruins.field, ruins.mesh, match_of(30s, Seed{9}), players};
        return played(match);
    };
    const SwarmMatchResult honest = with(Cheat::none);
    EXPECT_EQ(refused_in(honest, Refusal::no_hit), 0U);
    EXPECT_EQ(refused_in(honest, Refusal::too_fast), 0U);
    EXPECT_EQ(refused_in(honest, Refusal::impossible_move), 0U);

    const SwarmMatchResult walls = with(Cheat::walls);
    EXPECT_GT(refused_in(walls, Refusal::no_hit), 50U);
    EXPECT_TRUE(walls.scoreboards_equal);
    EXPECT_GT(refused_in(with(Cheat::fire), Refusal::too_fast), 5U);
    const SwarmMatchResult speed = with(Cheat::speed);
    std::uint64_t impossible = 0;
    for (const MatchReport& report : speed.reports) impossible += report.impossible_moves;
    EXPECT_GT(impossible, 50U);
    EXPECT_GT(refused_in(speed, Refusal::impossible_move), 0U);
}

TEST(SwarmMatch, ImpossibleChoicesAreRefusedWithAReason) {
    const Arena duel{"duel"};
    const auto error_of = [&](MatchOptions options, std::uint32_t players) {
        options.players = players;
        const auto checked = options.check(duel.map);
        return checked ? std::string{} : checked.error().message;
    };
    EXPECT_EQ(error_of(match_of(10s, Seed{1}), 2), "");
    EXPECT_NE(error_of(match_of(10s, Seed{1}), 1).find("2 to 2,048"), std::string::npos);
    EXPECT_NE(error_of(match_of(10s, Seed{1}), 1000).find("duel has spawn points for"), std::string::npos);
    EXPECT_NE(error_of(match_of(0s, Seed{1}), 2).find("1 second"), std::string::npos);
    MatchOptions flag = match_of(10s, Seed{1});
    flag.mode = Mode::flag;
    flag.overlay = OverlayName::psense;
    EXPECT_NE(error_of(flag, 2).find("mode flag needs the overlay mesh"), std::string::npos);
    EXPECT_NE(parse_consistency("lag").error().message.find("local_lag"), std::string::npos);
    EXPECT_NE(parse_mode("war").error().message.find("ffa, teams, flag"), std::string::npos);
}

}  // namespace
}  // namespace fray::panzer
