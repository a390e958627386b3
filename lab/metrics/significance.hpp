#pragma once
// Whether two ways of playing the same recordings differ. The same ten recordings are played with every
// algorithm, so what one recording gives is compared with what the same one gives elsewhere.

#include <span>

namespace fray::lab {

/// Student's paired test: the probability that differences at least this far from 0 in the mean, in either
/// direction, come from ones that are 0 in the mean. a[i] and b[i] are of the same recording. 1 with fewer
/// than two pairs or where no pair differs; 0 if all differ by the same.
[[nodiscard]] double paired_p_value(std::span<const double> a, std::span<const double> b);

/// Of one comparison: of several, a few differ by chance. The paper does not correct for it (Figure 3), so
/// neither do its plans.
[[nodiscard]] bool significantly_different(std::span<const double> a, std::span<const double> b,
                                           double alpha);

}  // namespace fray::lab
