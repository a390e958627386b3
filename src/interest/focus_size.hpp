#pragma once
// The bytes for a focus set. So many things take bytes besides updates that a formula would be wrong: it
// grows while the others are updated in time, and shrinks while they are not.

#include <fray/time.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace fray {

class FocusSize {
public:
    struct Frame {
        double budget = 0;  ///< bytes
        double all = 0;     ///< that updates to everybody would take
        double most = 0;    ///< for the focus set
        Duration tick{};
    };
    /// gap: between two updates to one of the others, at present. most_gap: what it may be.
    [[nodiscard]] std::size_t bytes(const Frame& frame, Duration gap, Duration most_gap) {
        const double late = std::min(2.0, seconds(gap) / seconds(most_gap));
        const double bytes = bytes_ ? *bytes_ + (1 - late) * kGain * frame.budget : first(frame, most_gap);
        bytes_ = std::clamp(bytes, 0.0, frame.most);
        return static_cast<std::size_t>(*bytes_);
    }

private:
    static constexpr double kGain = 1.0 / 48;  // of a frame's bytes: by so much it changes at once

    /// In each frame the others get a part of the updates to all of them.
    static double first(const Frame& frame, Duration most_gap) {
        const double part = std::min(0.99, seconds(frame.tick) / seconds(most_gap));
        return (frame.budget - frame.all * part) / (1 - part);
    }

    std::optional<double> bytes_;
};

}  // namespace fray
