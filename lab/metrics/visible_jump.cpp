#include "lab/metrics/visible_jump.hpp"

#include "core/space.hpp"
#include "lab/metrics/statistics.hpp"

#include <algorithm>
#include <deque>

namespace fray::lab {
namespace {

constexpr Duration kAround{1s};

double step_to(const World& world, const Trail& trail, std::size_t index) {
    return length(way(world, trail[index - 1].position, trail[index].position));
}

/// The largest step within a second around a time that never decreases.
class LargestStep {
public:
    LargestStep(const World& world, const Trail& trail) : world_{world}, trail_{trail} {}

    double around(SessionInstant at) {
        for (; next_ < trail_.size() && trail_[next_].since <= at + kAround; ++next_) add(next_);
        while (!falling_.empty() && falling_.front().at < at - kAround) falling_.pop_front();
        return falling_.empty() ? 0 : falling_.front().length;
    }

private:
    struct Step {
        SessionInstant at{};
        double length = 0;
    };

    void add(std::size_t index) {
        const Step step{trail_[index].since, step_to(world_, trail_, index)};
        // A shorter step that leaves the window earlier is never the largest again.
        while (!falling_.empty() && falling_.back().length <= step.length) falling_.pop_back();
        falling_.push_back(step);
    }

    const World& world_;
    const Trail& trail_;
    std::size_t next_ = 1;
    std::deque<Step> falling_;
};

}  // namespace

VisibleJump visible_jump(const Trail& shown, const Trail& simulated, const SessionSpan& measured,
                         const World& world) {
    LargestStep largest{world, simulated};
    std::vector<double> jumps;
    for (std::size_t i = 1; i < shown.size(); ++i) {
        if (!measured.contains(shown[i].since)) continue;
        const double step = step_to(world, shown, i);
        jumps.push_back(std::max(0.0, step - largest.around(shown[i].since)));
    }
    return {.p99 = quantile(jumps, 0.99), .most = quantile(jumps, 1)};
}

}  // namespace fray::lab
