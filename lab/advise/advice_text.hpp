#pragma once
// Advice as text for a terminal, and as JSON for programs.

#include "lab/advise/advisor.hpp"

#include <span>
#include <string>

namespace fray::lab::advise {

/// A table with a row per group; below it, per group, the recommendation and why other algorithms were not
/// chosen.
[[nodiscard]] std::string advice_text(const Description& description, const Network& network,
                                      std::span<const Advice> advice);
/// The same as JSON.
[[nodiscard]] std::string advice_json(const Description& description, const Network& network,
                                      std::span<const Advice> advice);
/// Whether every requirement is met.
[[nodiscard]] bool all_met(std::span<const Advice> advice);

}  // namespace fray::lab::advise
