// Bots of Panzer: CPU seconds for the navigation mesh of a map, and a battle to count instructions in.
//   bench_panzer_bots BOTS STEPS MAP
//   valgrind --tool=callgrind --collect-atstart=no --toggle-collect='fray::panzer::Bot::play*'
//     --toggle-collect='fray::panzer::Bot::look(*' --toggle-collect='fray::panzer::Senses::fill_view*'
//     bench_panzer_bots 64 600 arena
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/workloads/panzer_skill.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>

int main(int argc, char** argv) {
    using namespace fray::panzer;
    if (argc != 4) return std::fputs("usage: bench_panzer_bots BOTS STEPS MAP\n", stderr), 2;
    const auto map = shipped_map(argv[3]);
    if (!map) return std::fprintf(stderr, "%s\n", map.error().message.c_str()), 2;
    const std::clock_t begin = std::clock();
    const auto mesh = NavMesh::build(*map);
    if (!mesh) return std::fprintf(stderr, "%s\n", mesh.error().message.c_str()), 2;
    std::printf("mesh_cpu_s %.3f\npolygons %zu\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC,
                mesh->polygons());
    const auto players = fray::lab::lineup_named("mixed", static_cast<std::size_t>(std::atoi(argv[1])));
    auto battle = BotBattle::start(*map, *mesh, players, Mode::free_for_all, fray::Seed{1});
    if (!battle) return std::fprintf(stderr, "%s\n", battle.error().message.c_str()), 2;
    for (int i = 0; i < std::atoi(argv[2]); ++i) battle->step();
    std::uint64_t kills = 0;
    for (const Record& record : battle->battle().records) kills += record.kills;
    std::printf("bot_steps %llu\nkills %llu\nhash %016llx\n",
                static_cast<unsigned long long>(players.size() * battle->battle().step),
                static_cast<unsigned long long>(kills),
                static_cast<unsigned long long>(fingerprint(battle->battle())));
}
