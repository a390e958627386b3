// The rules of Panzer under valgrind: bench_panzer_rules TANKS STEPS MAP. Players press keys at random, aim
// at their neighbours and fire. Count only what Rules::step costs:
//   valgrind --tool=callgrind --toggle-collect='fray::panzer::Rules::step*' bench_panzer_rules 64 1200 arena
#include "tests/games/panzer_battles.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace fray::panzer;
    if (argc != 4) return std::fputs("usage: bench_panzer_rules TANKS STEPS MAP\n", stderr), 2;
    const auto tanks = static_cast<std::size_t>(std::atoi(argv[1]));
    const auto map = shipped_map(argv[3]);
    if (!map) return std::fprintf(stderr, "%s\n", map.error().message.c_str()), 2;
    Rules rules{*map};
    auto battle = rules.start({.tanks = tanks, .seed = fray::Seed{1}});
    if (!battle) return std::fprintf(stderr, "%s\n", battle.error().message.c_str()), 2;
    Keys keys{fray::Seed{1}, tanks};
    for (int i = 0; i < std::atoi(argv[2]); ++i) rules.step(*battle, keys.press(*battle));
    std::uint64_t shots = 0;
    std::uint64_t kills = 0;
    for (const Record& r : battle->records) shots += r.shots, kills += r.kills;
    std::printf("tank_steps %llu\nshots %llu\nkills %llu\nhash %016llx\n",
                static_cast<unsigned long long>(tanks * battle->step), static_cast<unsigned long long>(shots),
                static_cast<unsigned long long>(kills),
                static_cast<unsigned long long>(fingerprint(*battle)));
}
