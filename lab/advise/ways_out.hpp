#pragma once
// What a designer can do besides choosing an algorithm, according to the paper.

#include "lab/advise/advisor.hpp"

#include <string>
#include <vector>

namespace fray::lab::advise {

/// For a group that no algorithm satisfies: the tolerances to relax for the nearest candidate, and changes of
/// the game that help (3.3, 6.2, 6.3, 7.1).
[[nodiscard]] std::vector<std::string> ways_out(const Description& description, const Group& group,
                                                const Tried& nearest);

/// Whether hits on it are decided.
[[nodiscard]] bool is_death_decision(const Description& description, const Group& group);

/// Decisions that must be the same for all players, and the part of Fray that makes them. chosen: nullptr if
/// there is no algorithm.
[[nodiscard]] std::vector<std::string> agreement_notes(const Description& description, const Group& group,
                                                       const Tried* chosen);

}  // namespace fray::lab::advise
