// Sixteen bots fight for 30 seconds in Panzer, the tank game of this project (docs/concepts/panzer.md). Each
// has a peer of its own, over a network as between homes on one continent, in virtual time. Every player
// keeps its own score and sends it to the others; at the end all scoreboards are equal.
//
// SwarmMatch hides the swarm of the earlier examples: it adds a peer per player and runs a MatchGame on each.
// MatchGame is a fray::Game, so the same code plays over UDP (games/panzer/match/udp_match.hpp).

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <cstdio>
#include <string>
#include <vector>

using namespace std::chrono_literals;
namespace panzer = fray::panzer;

namespace {

constexpr std::uint32_t kPlayers = 16;

int fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    return 1;
}

void print_scoreboard(const panzer::Standings& standings) {
    std::printf("%-16s %5s %5s %6s %5s %8s\n", "player", "score", "kills", "deaths", "items", "accuracy");
    for (const panzer::Card& card : standings.ranking()) {
        const panzer::Record& record = card.record;
        const double accuracy = record.shots == 0 ? 0 : 100.0 * record.hits / record.shots;
        std::printf("%-16s %5d %5u %6u %5u %6.0f %%\n", card.name.c_str(), record.score, record.kills,
                    record.deaths, record.pickups, accuracy);
    }
}

/// What it cost: each peer measured its own upload, and how old the tanks on its screen were.
void print_network(const std::vector<panzer::MatchReport>& reports) {
    double upload = 0;
    double age = 0;
    for (const panzer::MatchReport& report : reports) {
        upload += report.network.upload_kbps_mean;
        age += report.network.update_age_ms_p50;
    }
    const auto peers = static_cast<double>(reports.size());
    std::printf("a peer sent %.0f kbit/s, and showed the others as they were %.0f ms before\n",
                upload / peers, age / peers);
}

/// Whether a match took place: tanks were destroyed, and the shooters were told.
bool has_kills(const panzer::Standings& standings) {
    for (const auto& [player, card] : standings.cards()) {
        if (card.record.kills > 0) return true;
    }
    return false;
}

}  // namespace

int main() {
    const auto map = panzer::shipped_map("arena");
    if (!map) return fail(map.error().message);
    const auto mesh = panzer::NavMesh::build(*map);  // where the bots can drive
    if (!mesh) return fail(mesh.error().message);
    const panzer::Battlefield field{*map};

    panzer::MatchOptions options;
    options.mode = panzer::Mode::free_for_all;
    options.length = 30s;
    options.seed = fray::Seed{7};  // the same seed gives the same match
    std::vector<panzer::PlayerOptions> players;
    for (std::uint32_t i = 0; i < kPlayers; ++i) players.push_back(panzer::bot_player(i));

    panzer::SwarmMatch match{field, *mesh, options, players};
    const auto result = match.run(*fray::network_profile("same-continent"));
    if (!result) return fail(result.error().message);

    const panzer::Standings& standings = result->reports.front().standings;  // of the first player's peer
    print_scoreboard(standings);
    print_network(result->reports);
    std::printf("all %zu peers have the same scoreboard: %s\n", result->reports.size(),
                result->scoreboards_equal ? "yes" : "no");
    return result->scoreboards_equal && has_kills(standings) ? 0 : 1;
}
