#pragma once
// How far peers' session times are from the session's: that of the peer that has been there longest.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"

#include <vector>

namespace fray::lab {

class ClockMeter : public Observer {
public:
    /// A peer counts once it has been there this long.
    ClockMeter(const Swarm& swarm, Duration settling);

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    /// To be called at regular times.
    void sample();

    /// Milliseconds, without sign.
    [[nodiscard]] const Histogram& errors() const { return errors_; }

private:
    const Swarm& swarm_;
    Duration settling_;
    std::vector<Duration> since_;
    Histogram errors_;
};

}  // namespace fray::lab
