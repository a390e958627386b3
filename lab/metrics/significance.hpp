#pragma once
// Whether two ways of playing the same recordings differ. The same ten recordings are played with every
// algorithm, so what one recording gives is compared with what the same one gives elsewhere.

#include <span>
#include <vector>

namespace fray::lab {

/// Student's paired test: the probability that differences at least this far from 0 in the mean, in either
/// direction, come from ones that are 0 in the mean. a[i] and b[i] are of the same recording. 1 with fewer
/// than two pairs or where no pair differs; 0 where all differ by the same.
[[nodiscard]] double paired_p_value(std::span<const double> a, std::span<const double> b);

/// Of one comparison. Of several, correct their p-values first.
[[nodiscard]] bool significantly_different(std::span<const double> a, std::span<const double> b,
                                           double alpha);

/// Holm's correction: p-values of several comparisons, raised so that, whichever of them do not differ in
/// truth, the probability that any of these is below alpha is at most alpha. In the order given.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace fray::lab
