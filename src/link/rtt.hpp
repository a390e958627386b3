#pragma once
// Round-trip time and its variation, smoothed as in TCP (RFC 6298).

#include <fray/time.hpp>

#include <algorithm>

namespace fray {

class RttEstimator {
public:
    void sample(Duration rtt) {
        rtt = std::max(rtt, Duration{0});
        if (smoothed_ == Duration{0}) {
            smoothed_ = rtt;
            deviation_ = rtt / 2;
            return;
        }
        const Duration error = rtt - smoothed_;
        deviation_ += ((error < Duration{0} ? -error : error) - deviation_) / 4;
        smoothed_ += error / 8;
    }

    /// Zero until the first sample.
    [[nodiscard]] Duration smoothed() const { return smoothed_; }
    [[nodiscard]] Duration deviation() const { return deviation_; }
    /// Retransmit after this time without an acknowledgement.
    [[nodiscard]] Duration patience() const {
        return smoothed_ == Duration{0} ? Duration{200ms}
                                        : smoothed_ + std::max(Duration{10ms}, 4 * deviation_);
    }

private:
    Duration smoothed_{0};
    Duration deviation_{0};
};

}  // namespace fray
