#pragma once
// Advice for a terminal, and for programs.

#include "lab/advise/advisor.hpp"

#include <span>
#include <string>

namespace fray::lab::advise {

/// A table with a row for each thing, and below it for each what to do and why nothing else.
[[nodiscard]] std::string advice_text(const Description& description, const Network& network,
                                      std::span<const Advice> advice);
/// The same as JSON.
[[nodiscard]] std::string advice_json(const Description& description, const Network& network,
                                      std::span<const Advice> advice);
/// Whether every requirement is met.
[[nodiscard]] bool all_met(std::span<const Advice> advice);

}  // namespace fray::lab::advise
