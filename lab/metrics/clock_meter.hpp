#pragma once
// The error of the peers' session time, relative to that of the oldest peer.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"

#include <vector>

namespace fray::lab {

class ClockMeter : public Observer {
public:
    /// A peer counts once it has been present for this long.
    ClockMeter(const Swarm& swarm, Duration settling);

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    /// Call it at regular times.
    void sample();

    /// Milliseconds, absolute.
    [[nodiscard]] const Histogram& errors() const { return errors_; }

private:
    const Swarm& swarm_;
    Duration settling_;
    std::vector<Duration> since_;
    Histogram errors_;
};

}  // namespace fray::lab
