#include "lab/metrics/significance.hpp"

#include <fray/assert.hpp>

#include "lab/metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace fray::lab {

double paired_p_value(std::span<const double> a, std::span<const double> b) {
    FRAY_ASSERT(a.size() == b.size());
    if (a.size() < 2) return 1;
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>{});
    // Compares the values themselves: with rounding, even ten equal numbers have a deviation.
    const double first = differences.front();
    if (std::all_of(differences.begin(), differences.end(), [&](double d) { return d == first; }))
        return first == 0 ? 1 : 0;
    const Summary summary = summarize(differences);
    const auto count = static_cast<double>(summary.count);
    const double t = summary.mean / (summary.deviation / std::sqrt(count));
    return 2 * student_t_cdf(-std::abs(t), count - 1);
}

bool significantly_different(std::span<const double> a, std::span<const double> b, double alpha) {
    return paired_p_value(a, b) < alpha;
}

}  // namespace fray::lab
