#pragma once
// How often each peer hears from each other one, in windows of one second: how many others at full rate, and
// how often from the rest. Arrivals come from UpdateMeter::set_listener().

#include "lab/metrics/histogram.hpp"
#include "lab/metrics/update_meter.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray::lab {

class PairRates {
public:
    /// From so many updates in a second on, a peer is heard of at the full rate of 20 Hz: the first and the
    /// last one may fall into another second.
    static constexpr std::uint16_t kFull = 18;

    PairRates(std::size_t peers, Duration from) : peers_{peers}, from_{from}, pairs_(peers * peers) {}

    void arrived(const UpdateMeter::Arrival& arrival);
    /// A second of the measured time is over.
    void end_second();

    /// Others that one peer hears of at full rate in one second: one value per peer and second.
    [[nodiscard]] const Histogram& full() const { return full_; }
    /// Updates of a pair in a second in which it was at the full rate.
    [[nodiscard]] double full_hz() const;
    /// Updates of a pair in a second in which it was below the full rate.
    [[nodiscard]] double best_effort_hz() const;
    /// The smallest mean rate of any pair, over all measured seconds.
    [[nodiscard]] double least_hz() const;
    /// Milliseconds between two arrivals of a pair that follow each other at more than twice a frame.
    [[nodiscard]] const Histogram& gaps() const { return gaps_; }
    /// Milliseconds from an owner's update to its arrival, at pairs that had full rate in the second before.
    [[nodiscard]] const Histogram& focus_ages() const { return focus_ages_; }

private:
    struct Pair {
        std::uint16_t in_second = 0;
        bool was_full = false;
        std::uint32_t all = 0;
        Duration last{};
    };
    std::size_t peers_;
    Duration from_;
    std::vector<Pair> pairs_;  // by receiver, then owner
    std::uint64_t seconds_ = 0;
    std::uint64_t best_effort_updates_ = 0;
    std::uint64_t best_effort_pairs_ = 0;
    std::uint64_t full_updates_ = 0;
    std::uint64_t full_pairs_ = 0;
    Histogram full_{0, 1, 1024};        // peers
    Histogram gaps_{0, 10, 1000};       // ms
    Histogram focus_ages_{0, 5, 1000};  // ms
};

}  // namespace fray::lab
