#pragma once
// The experiment behind the plan panzer_skill: bots of several levels and characters fight on the rules of
// Panzer alone, without a network.

#include "games/panzer/bots/bot_battle.hpp"
#include "lab/workloads/tabled_experiment.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fray::lab {

/// Bots with levels and characters in turn. lineup: "expert_beginner", "levels", "characters" or "mixed".
[[nodiscard]] std::vector<panzer::BotOptions> lineup_named(const std::string& lineup, std::size_t players);

class PanzerSkill : public TabledExperiment {
public:
    PanzerSkill();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
