#pragma once
// What a designer can do besides choosing an algorithm, following the paper.

#include "lab/advise/advisor.hpp"

#include <string>
#include <vector>

namespace fray::lab::advise {

/// Nothing meets: which tolerances would have to give for the nearest, and what the game could do instead
/// (3.3, 6.2, 6.3, 7.1).
[[nodiscard]] std::vector<std::string> ways_out(const Description& description, const Group& group,
                                                const Tried& nearest);

/// Whether it decides hits.
[[nodiscard]] bool is_death_decision(const Description& description, const Group& group);

/// What must be decided alike for all, and with which part of Fray. chosen: nullptr if no algorithm is.
[[nodiscard]] std::vector<std::string> agreement_notes(const Description& description, const Group& group,
                                                       const Tried* chosen);

}  // namespace fray::lab::advise
