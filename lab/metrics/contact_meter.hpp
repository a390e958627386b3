#pragma once
// Measures, after a partition heals, the time until each receiver holds an update made after the healing.
// Counted per ordered pair (owner, receiver) that the partition separated, from the moment of contact: the
// later of the healing and the time at which both are linked. Links that never broke are in contact from the
// healing on. The stricter count starts at the first datagram that arrives.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"
#include "lab/metrics/update_meter.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray::lab {

class ContactMeter : public Observer {
public:
    /// side: by peer, which part of the partition it was in.
    ContactMeter(const Swarm& swarm, Duration healed, std::vector<bool> side);

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_event(Duration at, PeerIndex index, const Event& event) override;
    void on_delivered(const Transit& transit) override;
    void note(const UpdateMeter::Arrival& arrival);
    /// Call it once, at the end of the run, while the peers are alive.
    void conclude();

    struct Result {
        std::uint64_t pairs = 0;  ///< separated pairs whose peers were alive from the healing to the end
        std::uint64_t never = 0;  ///< of them, those that hold no such update at the end
        Histogram since_linked{0, 0.1, 100'000};  ///< milliseconds
        Histogram since_heard{0, 0.1, 100'000};   ///< from the first datagram of the owner
    };
    [[nodiscard]] const Result& result() const { return result_; }
    /// Time from healing until all peers are linked with all peers of the other side again, in milliseconds.
    [[nodiscard]] double reunion_ms() const { return reunion_ms_; }

private:
    struct Pair {
        std::optional<Duration> linked;  ///< when the receiver became linked with the owner
        std::optional<Duration> heard;   ///< first datagram after the healing
        std::optional<Duration> held;    ///< first update made after the healing
    };
    [[nodiscard]] Pair& pair(PeerIndex owner, PeerIndex receiver) {
        return pairs_[owner * side_.size() + receiver];
    }
    void judge(PeerIndex owner, PeerIndex receiver);

    const Swarm& swarm_;
    Duration healed_;
    std::vector<bool> side_;
    std::vector<Pair> pairs_;
    std::vector<Duration> since_;
    Result result_;
    double reunion_ms_ = 0;
};

}  // namespace fray::lab
