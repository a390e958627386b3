#pragma once
// A match on a shipped map, for tests.

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fray::panzer {

/// Map, mesh and field stay where they are, because games refer to them.
struct Arena {
    explicit Arena(const std::string& name = "arena") : map{shipped_map(name).value()} {}
    Map map;
    NavMesh mesh{std::move(NavMesh::build(map).value())};
    Battlefield field{map};
};

inline std::vector<PlayerOptions> bots(std::uint32_t count) {
    std::vector<PlayerOptions> players;
    for (std::uint32_t i = 0; i < count; ++i) players.push_back(bot_player(i));
    return players;
}

inline MatchOptions match_of(Duration length, Seed seed) {
    MatchOptions match;
    match.length = length;
    match.seed = seed;
    return match;
}

inline SwarmMatchResult played(SwarmMatch& match, const std::string& network = "same-continent") {
    auto result = match.run(network_profile(network).value());
    EXPECT_TRUE(result) << result.error().message;
    return result ? std::move(*result) : SwarmMatchResult{};
}

/// The sum of all cards.
inline Record total_of(const Standings& standings) {
    Record total;
    for (const auto& [player, card] : standings.cards()) {
        total.kills += card.record.kills;
        total.deaths += card.record.deaths;
        total.accidents += card.record.accidents;
        total.pickups += card.record.pickups;
        total.hits += card.record.hits;
        total.score += card.record.score;
    }
    return total;
}

inline std::uint64_t refused_in(const SwarmMatchResult& result, Refusal refusal) {
    std::uint64_t sum = 0;
    for (const MatchReport& report : result.reports) sum += report.refused[static_cast<std::size_t>(refusal)];
    return sum;
}

}  // namespace fray::panzer
