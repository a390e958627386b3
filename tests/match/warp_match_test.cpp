// Matches on Time Warp in a simulated network: all peers end, and go through, the same states.

#include <fray/time_warp/warp_recording.hpp>

#include "games/panzer/match/input_recording.hpp"
#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/match/warp_oracle.hpp"
#include "games/panzer/match/warp_player.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace fray::panzer {
namespace {

struct Arena {
    explicit Arena(std::string_view name = "arena")
        : map{shipped_map(name).value()}, mesh{std::move(NavMesh::build(map).value())} {}
    Map map;
    NavMesh mesh;
    Battlefield field{map};
};

const Arena& arena() {
    static const Arena kArena;
    return kArena;
}

std::vector<PlayerOptions> bots(std::uint32_t count) {
    std::vector<PlayerOptions> players;
    for (std::uint32_t i = 0; i < count; ++i) players.push_back(bot_player(i));
    return players;
}

MatchOptions warp_match(std::uint32_t players, Duration length, Duration lag, std::uint64_t seed = 1) {
    MatchOptions match;
    match.players = players;
    match.length = length;
    match.seed = Seed{seed};
    match.time_warp = TimeWarpChoice{.lag = lag, .keeps_lines = true};
    return match;
}

NetworkModel rough(double loss) {
    NetworkModel network = network_profile("same-continent").value();
    network.loss = IndependentLoss{loss};
    network.reordering = {.chance = 0.1, .extra = 60ms};
    network.duplication = {.chance = 0.05, .extra = 10ms};
    return network;
}

WarpPlayer& warp_player(PlayerGame& game) { return dynamic_cast<WarpPlayer&>(game); }

struct Watched {
    SwarmMatchResult result;
    WarpOracle::Verdict verdict;
};

/// Plays a match with a witness.
Watched play(const MatchOptions& options, std::vector<PlayerOptions> players, const NetworkModel& network,
             const std::function<void(Swarm&)>& prepare = {},
             const std::function<void(PeerIndex, WarpPlayer&)>& look = {}) {
    SwarmMatch match{arena().field, arena().mesh, options, std::move(players)};
    WarpOracle oracle{WarpBattle{
        PartBattle::start(arena().map, {.tanks = options.players, .mode = options.mode, .seed = options.seed},
                          PartBattle::Players::absent)
            .value()}};
    match.watch([&](PeerIndex index, PlayerGame& game) {
        WarpPlayer& player = warp_player(game);
        if (look) look(index, player);
        if (player.match() != nullptr) oracle.see(PeerId::from_number(index + 1U), *player.match());
    });
    if (prepare) match.prepare(prepare);
    auto result = match.run(network);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return {std::move(*result), oracle.judge()};
}

std::uint64_t rollbacks(const SwarmMatchResult& result) {
    std::uint64_t sum = 0;
    for (const MatchReport& report : result.reports) sum += report.warp->rollbacks;
    return sum;
}

void expect_equal_states(const SwarmMatchResult& result) {
    for (const MatchReport& report : result.reports) {
        EXPECT_TRUE(report.finished);
        EXPECT_EQ(report.warp->state_hash, result.reports.front().warp->state_hash);
        EXPECT_EQ(report.warp->reversed_deaths, 0U);
        EXPECT_EQ(report.warp->desyncs, 0U);
    }
    EXPECT_TRUE(result.scoreboards_equal);
}

TEST(WarpMatch, AllPeersGoThroughTheStatesOfASequentialOracle) {
    std::uint64_t deaths = 0;
    std::uint64_t pickups = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        MatchOptions options = warp_match(8, 30s, 300ms, seed);
        options.time_warp->lag_changes = true;
        const Watched watched = play(options, bots(8), rough(0.1));
        EXPECT_EQ(watched.verdict.different, 0U) << watched.verdict.first;
        EXPECT_GT(watched.verdict.compared, 200U);
        EXPECT_GT(watched.verdict.hits, 0U);
        EXPECT_GT(rollbacks(watched.result), 1000U);
        expect_equal_states(watched.result);
        deaths += watched.verdict.deaths;
        pickups += watched.verdict.pickups;
    }
    EXPECT_GT(deaths, 3U);
    EXPECT_GT(pickups, 3U);
}

TEST(WarpMatch, TheSameSeedGivesTheSameMatch) {
    const auto once = [] { return play(warp_match(4, 8s, 100ms), bots(4), rough(0.05)).result.trace_hash; };
    EXPECT_EQ(once(), once());
}

TEST(WarpMatch, APlayerThatJoinsAtHalfTimeEndsWithTheSameScoreboard) {
    std::vector<PlayerOptions> players = bots(5);
    players.back().enters_at = 10s;
    const Watched watched = play(warp_match(5, 20s, 100ms), players, rough(0.02));
    ASSERT_EQ(watched.result.reports.size(), 5U);
    EXPECT_EQ(watched.result.reports.back().standings.cards().size(), 5U);
    EXPECT_EQ(watched.verdict.different, 0U) << watched.verdict.first;
    EXPECT_LT(watched.result.reports.back().warp->ticks, 12 * 60U) << "it came at half-time";
    expect_equal_states(watched.result);
}

TEST(WarpMatch, APlayerThatJoinsAfterACrashHasTheCardOfTheLostPlayer) {
    std::vector<PlayerOptions> players = bots(5);
    players.back().enters_at = 12s;
    const Watched watched = play(warp_match(5, 18s, 50ms), players, rough(0.02), [&](Swarm& swarm) {
        ASSERT_TRUE(swarm.schedule({.at = 4s, .kind = ActionKind::crash, .peer = 2, .through = {}}));
    });
    ASSERT_EQ(watched.result.reports.size(), 4U);
    for (const MatchReport& report : watched.result.reports)
        EXPECT_EQ(report.standings.cards().size(), 5U) << to_string(report.player);
    expect_equal_states(watched.result);
}

TEST(WarpMatch, ASpectatorSeesTheSameMatchAndHasNoTank) {
    std::vector<PlayerOptions> players = bots(5);
    players.back().enters_at = 4s;
    players.back().watches = true;
    const Watched watched = play(warp_match(4, 15s, 100ms), players, rough(0.05));
    ASSERT_EQ(watched.result.reports.size(), 5U);
    const MatchReport& spectator = watched.result.reports.back();
    EXPECT_EQ(spectator.standings.cards().size(), 4U);
    EXPECT_EQ(spectator.warp->messages, 0U);
    EXPECT_GT(spectator.warp->rollbacks, 50U);
    EXPECT_EQ(watched.verdict.different, 0U) << watched.verdict.first;
    expect_equal_states(watched.result);
}

TEST(WarpMatch, SurvivorsOfACrashGoOnWithEqualStatesAndThePlayerComesBackToItsSeat) {
    for (const PeerIndex lost : {0U, 2U}) {
        const Watched watched = play(warp_match(5, 40s, 100ms, 3), bots(5), rough(0.05), [&](Swarm& swarm) {
            ASSERT_TRUE(swarm.schedule({.at = 8s, .kind = ActionKind::crash, .peer = lost, .through = {}}));
            ASSERT_TRUE(swarm.schedule({.at = 22s, .kind = ActionKind::rejoin, .peer = lost, .through = {}}));
        });
        EXPECT_EQ(watched.result.reports.size(), 5U);
        EXPECT_EQ(watched.verdict.different, 0U) << watched.verdict.first;
        EXPECT_GT(watched.verdict.compared, 100U);
        expect_equal_states(watched.result);
        for (const MatchReport& report : watched.result.reports) EXPECT_EQ(report.warp->stalled_ticks, 0U);
    }
}

TEST(WarpMatch, ARecordingOfWhatWasSaidGivesTheMatchAgain) {
    const MatchOptions options = warp_match(4, 15s, 150ms, 5);
    SwarmMatch match{arena().field, arena().mesh, options, bots(4)};
    WarpRecording recording;
    match.watch([&](PeerIndex index, PlayerGame& game) {
        if (index != 0) return;
        for (const StreamLine& line : warp_player(game).match()->take_final_lines()) recording.add(line);
        recording.end = warp_player(game).match()->horizon();
    });
    const auto result = match.run(rough(0.05));
    ASSERT_TRUE(result);
    EXPECT_GT(recording.lines.size(), 100U);

    const auto bytes = bytes_of(recording);
    ASSERT_TRUE(bytes);
    const auto read = value_of<WarpRecording>(*bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->lines, recording.lines);
    WarpBattle first{PartBattle::start(arena().map, {.tanks = 4, .mode = options.mode, .seed = options.seed},
                                       PartBattle::Players::absent)
                         .value()};
    Battle last;
    Tick seen = 0;
    replay(first, *read, [&](const WarpBattle& battle, Tick tick) {
        ++seen;
        battle.copy_to(last, tick);
    });
    EXPECT_EQ(seen, recording.end + 1);
    EXPECT_EQ(fingerprint(last), result->reports.front().warp->state_hash);
}

TEST(WarpMatch, RecordedInputsGiveTheScoreboardAndTheLastStateAgain) {
    InputRecording inputs;
    std::vector<PlayerOptions> players = bots(4);
    players.back().enters_at = 5s;
    players.front().inputs = &inputs;
    players.push_back(watcher(4, 0));
    MatchOptions options = warp_match(4, 12s, 150ms, 5);
    options.time_warp->keeps_lines = false;
    SwarmMatch match{arena().field, arena().mesh, options, players};
    const auto result = match.run(rough(0.05));
    ASSERT_TRUE(result);
    ASSERT_EQ(result->reports.size(), 5U);
    EXPECT_TRUE(result->scoreboards_equal);
    const auto read = InputRecording::parse(inputs.to_bytes(), "file");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_GT(read->said.lines.size(), 100U);
    const auto outcome = read->execute();
    ASSERT_TRUE(outcome) << outcome.error().message;
    for (const MatchReport& report : result->reports) {
        EXPECT_EQ(outcome->state_hash, report.warp->state_hash);
        EXPECT_EQ(outcome->standings.fingerprint(), report.standings.fingerprint());
    }
    EXPECT_EQ(outcome->state_hash, read->state_hash);
}

TEST(WarpMatch, RecordedInputsWithAChangedLineEndInAnotherState) {
    InputRecording inputs;
    std::vector<PlayerOptions> players = bots(2);
    players.front().inputs = &inputs;
    SwarmMatch match{arena().field, arena().mesh, warp_match(2, 6s, 0ms), players};
    ASSERT_TRUE(match.run(rough(0)));
    EXPECT_EQ(inputs.execute().value().state_hash, inputs.state_hash);
    inputs.said.lines.resize(inputs.said.lines.size() / 2);
    EXPECT_NE(inputs.execute().value().state_hash, inputs.state_hash);
}

TEST(WarpMatch, RecordedInputsOfTanksThatDoNotExistAreRefused) {
    InputRecording inputs;
    inputs.tanks = 2;
    inputs.said.lines.push_back({.tick = 1, .kind = StreamLine::Kind::enter, .seat = 2, .bytes = {}});
    const auto line = InputRecording::parse(inputs.to_bytes(), "file");
    ASSERT_FALSE(line);
    EXPECT_EQ(line.error().message, "file: damaged: a line of a tank that does not exist");
    inputs.said.lines.clear();
    inputs.players.push_back({.seat = 2, .id = {}, .name = "x"});
    const auto player = InputRecording::parse(inputs.to_bytes(), "file");
    ASSERT_FALSE(player);
    EXPECT_EQ(player.error().message, "file: damaged: a player of a tank that does not exist");
}

TEST(WarpMatch, ADisturbedStateIsFoundDownToTheFieldAndRepaired) {
    bool is_disturbed = false;
    std::vector<Desync> found;
    const Watched watched =
        play(warp_match(4, 20s, 50ms), bots(4), rough(0.0), {}, [&](PeerIndex index, WarpPlayer& player) {
            if (index != 2 || is_disturbed || player.match()->horizon() < 300) return;
            is_disturbed = true;
            PartWarp<WarpBattle>& warp = *player.match()->warp();
            auto state = warp.state_at(warp.horizon());
            std::get<TankPart>(state[1].value).tank.shield = 42;
            warp.install(warp.horizon(), state);
        });
    ASSERT_TRUE(is_disturbed);
    std::uint64_t desyncs = 0;
    for (const MatchReport& report : watched.result.reports) {
        desyncs += report.warp->desyncs;
        EXPECT_EQ(report.warp->state_hash, watched.result.reports.front().warp->state_hash);
        ASSERT_FALSE(report.warp->last_desync.empty()) << "every member is told";
        EXPECT_NE(report.warp->last_desync.find("part 1, tanks[1].shield: 42, 0"), std::string::npos)
            << report.warp->last_desync;
    }
    EXPECT_EQ(desyncs, 1U);
}

TEST(WarpMatch, NothingStallsOverLongAndLossyPaths) {
    NetworkModel network;
    network.latency = ConstantLatency{161ms};
    network.reordering = {.chance = 1, .extra = 20ms};  // 161 to 181 ms, uniform
    network.loss = IndependentLoss{0.02};
    const Watched watched = play(warp_match(8, 20s, 0ms), bots(8), network);
    for (const MatchReport& report : watched.result.reports) {
        EXPECT_EQ(report.warp->stalled_ticks, 0U);
        EXPECT_GT(report.warp->rollbacks, 100U);
        EXPECT_EQ(report.warp->visible, 0U);
        EXPECT_LE(report.warp->response_ms, 17);
    }
    EXPECT_EQ(watched.verdict.different, 0U) << watched.verdict.first;
    expect_equal_states(watched.result);
}

TEST(WarpMatch, InputDelayThatFollowsTheNetworkMakesRollbacksShallower) {
    MatchOptions options = warp_match(4, 15s, 0ms);
    const auto depth = [&] {
        const Watched watched = play(options, bots(4), network_profile("other-continent").value());
        expect_equal_states(watched.result);
        EXPECT_GT(rollbacks(watched.result), 0U);
        return std::pair{watched.result.reports[1].warp->depth_ms_p50,
                         watched.result.reports[1].warp->response_ms};
    };
    const auto without = depth();
    options.time_warp->input_delay = 6;
    const auto with = depth();
    EXPECT_LT(with.first, without.first);
    EXPECT_GT(with.second, without.second);
    EXPECT_LE(with.second, 7 * 17);
}

}  // namespace
}  // namespace fray::panzer
