#pragma once
// The upload of peers, headers counted: the mean, and the highest in any second.

#include <fray/swarm.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace fray::lab {

class UploadMeter : public Observer {
public:
    /// Bytes sent before `from` do not count in the mean.
    explicit UploadMeter(Duration from) : from_{from} {}

    void on_sent(const Transit& transit) override;

    /// Mean over peers and over the time from `from` to `until`.
    [[nodiscard]] double mean_kbps(Duration until, std::size_t peers) const;
    /// The highest upload of any peer, in any window of one second of the whole run.
    [[nodiscard]] double most_kbps_in_a_second() const;
    /// Below which this share of all peers' whole seconds since `from` lies; the last second is left out.
    [[nodiscard]] double kbps_in_a_second(double share) const;

private:
    struct Sent {
        Duration at;
        std::uint64_t bytes;
    };
    struct Sender {
        std::deque<Sent> second;
        std::uint64_t in_second = 0;
        std::uint64_t most = 0;
        std::vector<std::uint32_t> whole_seconds;  // bytes, since from_
    };

    Duration from_;
    std::uint64_t counted_bytes_ = 0;
    std::vector<Sender> senders_;
};

}  // namespace fray::lab
