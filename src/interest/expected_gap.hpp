#pragma once
// The expected time between two best-effort updates to the same link: of the updates that wait, so many leave
// in a frame, both as moving averages.

#include <fray/time.hpp>

#include <algorithm>
#include <cstddef>

namespace fray {

class ExpectedGap {
public:
    /// In this frame so many updates waited, so many of them were chosen, and so many rode along in the last
    /// one.
    void count(std::size_t waiting, std::size_t chosen, std::size_t riders) {
        const double share = started_ ? kNewestShare : 1;
        waiting_ += (static_cast<double>(waiting) - waiting_) * share;
        chosen_ += (static_cast<double>(chosen) - chosen_) * share;
        riders_ += (static_cast<double>(riders) - riders_) * share;
        started_ = true;
    }
    /// One that was chosen did not leave.
    void undo() { chosen_ -= kNewestShare; }
    /// Of a frame, on average.
    [[nodiscard]] double riders() const { return riders_; }
    [[nodiscard]] Duration gap(Duration tick) const {
        const double leaving = chosen_ + riders_;
        if (waiting_ <= leaving) return tick;
        const double frames = waiting_ / std::max(leaving, kLeastChosen);
        return std::min(kLongest,
                        Duration{static_cast<std::int64_t>(frames * static_cast<double>(micros(tick)))});
    }

private:
    static constexpr double kNewestShare = 1.0 / 32;
    static constexpr double kLeastChosen = 1e-3;
    static constexpr Duration kLongest{10s};
    double waiting_ = 0;
    double chosen_ = 0;
    double riders_ = 0;
    bool started_ = false;
};

}  // namespace fray
