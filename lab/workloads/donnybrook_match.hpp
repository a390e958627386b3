#pragma once
// A match of Panzer under one of the three conditions of Donnybrook's user study (section IV-A): LoBW, little
// upload with today's techniques; LoBW-Donny, the same upload with focus sets and guidable AI; HiBW, no
// limit. The study asked people. Here proxies stand for what they noticed: see docs/concepts/donnybrook.md
// for what each of them can and cannot say.

#include "games/panzer/match/match_options.hpp"
#include "lab/workloads/tabled_experiment.hpp"

#include <string>
#include <vector>

namespace fray::lab {

class DonnybrookMatch final : public TabledExperiment {
public:
    DonnybrookMatch();
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// "lobw", "lobw_donny", "hibw".
[[nodiscard]] ParameterSpec condition_parameter();
/// A match under this condition, with this upload where it is limited.
[[nodiscard]] panzer::MatchOptions match_under(const std::string& condition, std::uint32_t upload_kbps);

}  // namespace fray::lab
