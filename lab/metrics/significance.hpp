#pragma once
// Whether two algorithms differ over the same recordings. Each algorithm plays the same ten recordings, so
// results are compared recording by recording.

#include <span>

namespace fray::lab {

/// Student's paired test: the probability of a mean difference at least this far from 0, in either direction,
/// if the true mean is 0. a[i] and b[i] belong to the same recording. 1 with fewer than two pairs or if no
/// pair differs; 0 if all differ by the same amount.
[[nodiscard]] double paired_p_value(std::span<const double> a, std::span<const double> b);

/// For a single comparison: of many, a few differ by chance. The paper does not correct for this (Figure 3),
/// so neither do its plans.
[[nodiscard]] bool significantly_different(std::span<const double> a, std::span<const double> b,
                                           double alpha);

}  // namespace fray::lab
