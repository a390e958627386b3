#include "lab/runner/plan_report.hpp"

#include <algorithm>

namespace fray::lab {

bool PlanReport::promises_kept() const {
    return std::all_of(claims.begin(), claims.end(),
                       [](const ClaimResult& c) { return c.holds || c.kind != ClaimKind::promise; });
}

}  // namespace fray::lab
