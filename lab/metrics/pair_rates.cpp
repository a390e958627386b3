#include "lab/metrics/pair_rates.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {

namespace {
constexpr Duration kLongGap{100ms};
double in_ms(Duration d) { return static_cast<double>(micros(d)) / 1000; }
}  // namespace

void PairRates::arrived(const UpdateMeter::Arrival& arrival) {
    if (arrival.owner >= peers_ || arrival.receiver >= peers_) return;
    Pair& pair = pairs_[arrival.receiver * peers_ + arrival.owner];
    const Duration gap = arrival.at - std::exchange(pair.last, arrival.at);
    if (arrival.at < from_) return;
    ++pair.in_second;
    ++pair.all;
    if (gap > kLongGap) gaps_.add(in_ms(gap));
    if (pair.was_full) focus_ages_.add(in_ms(arrival.at - arrival.made));
}

void PairRates::end_second() {
    ++seconds_;
    for (std::size_t receiver = 0; receiver < peers_; ++receiver) {
        int full = 0;
        for (std::size_t owner = 0; owner < peers_; ++owner) {
            if (owner == receiver) continue;
            Pair& pair = pairs_[receiver * peers_ + owner];
            const std::uint16_t count = std::exchange(pair.in_second, std::uint16_t{0});
            pair.was_full = count >= kFull;
            full += pair.was_full ? 1 : 0;
            (pair.was_full ? full_pairs_ : best_effort_pairs_) += 1;
            (pair.was_full ? full_updates_ : best_effort_updates_) += count;
        }
        full_.add(full);
    }
}

double PairRates::full_hz() const {
    const auto pairs = static_cast<double>(std::max<std::uint64_t>(1, full_pairs_));
    return static_cast<double>(full_updates_) / pairs;
}

double PairRates::best_effort_hz() const {
    const auto pairs = static_cast<double>(std::max<std::uint64_t>(1, best_effort_pairs_));
    return static_cast<double>(best_effort_updates_) / pairs;
}

double PairRates::least_hz() const {
    std::uint32_t least = UINT32_MAX;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (i / peers_ != i % peers_) least = std::min(least, pairs_[i].all);
    }
    return static_cast<double>(least) / static_cast<double>(std::max<std::uint64_t>(1, seconds_));
}

}  // namespace fray::lab
