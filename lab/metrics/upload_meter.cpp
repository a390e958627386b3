#include "lab/metrics/upload_meter.hpp"

#include "lab/metrics/statistics.hpp"

#include <algorithm>

namespace fray::lab {

void UploadMeter::on_sent(const Transit& transit) {
    if (transit.from >= senders_.size()) senders_.resize(transit.from + 1);
    Sender& sender = senders_[transit.from];
    const std::uint64_t bytes = transit.bytes.size() + kHeaderBytes;
    if (transit.at >= from_) {
        counted_bytes_ += bytes;
        const auto second = static_cast<std::size_t>((transit.at - from_) / Duration{1s});
        if (second >= sender.whole_seconds.size()) sender.whole_seconds.resize(second + 1);
        sender.whole_seconds[second] += static_cast<std::uint32_t>(bytes);
    }
    sender.second.push_back({.at = transit.at, .bytes = bytes});
    sender.in_second += bytes;
    while (sender.second.front().at <= transit.at - Duration{1s}) {
        sender.in_second -= sender.second.front().bytes;
        sender.second.pop_front();
    }
    sender.most = std::max(sender.most, sender.in_second);
}

double UploadMeter::mean_kbps(Duration until, std::size_t peers) const {
    const double span = seconds(until - from_) * static_cast<double>(peers);
    return span > 0 ? static_cast<double>(counted_bytes_) * 8 / 1000 / span : 0;
}

double UploadMeter::most_kbps_in_a_second() const {
    std::uint64_t most = 0;
    for (const Sender& sender : senders_) most = std::max(most, sender.most);
    return static_cast<double>(most) * 8 / 1000;
}

double UploadMeter::kbps_in_a_second(double share) const {
    std::vector<double> rates;
    for (const Sender& sender : senders_) {
        for (std::size_t i = 0; i + 1 < sender.whole_seconds.size(); ++i)
            rates.push_back(sender.whole_seconds[i] * 8.0 / 1000);
    }
    return quantile(rates, share);
}

}  // namespace fray::lab
