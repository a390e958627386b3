#include "lab/metrics/path_delays.hpp"

#include <fray/fingerprint.hpp>

#include <algorithm>

namespace fray::lab {

namespace {

constexpr Duration kLostAfter{3s};  // a datagram does not arrive after this

std::size_t datagram_hash(std::span<const std::uint8_t> bytes) {
    Fingerprint print;
    for (const std::uint8_t byte : bytes) print.add(std::uint64_t{byte});
    return static_cast<std::size_t>(print.value());
}

}  // namespace

PathDelays::PathDelays(const std::vector<PeerIndex>& receivers) {
    for (const PeerIndex receiver : receivers) {
        if (receiver >= counts_.size()) counts_.resize(receiver + std::size_t{1});
        counts_[receiver] = true;
    }
}

void PathDelays::on_sent(const Transit& transit) {
    if (!counts(transit.to)) return;
    Path& path = paths_[{transit.from, transit.to}];
    while (!path.under_way.empty() && transit.at - path.under_way.front().at > kLostAfter)
        path.under_way.pop_front();
    path.under_way.push_back({transit.at, datagram_hash(transit.bytes)});
}

void PathDelays::on_delivered(const Transit& transit) {
    if (!counts(transit.to)) return;
    Path& path = paths_[{transit.from, transit.to}];
    const auto sent = std::ranges::find(path.under_way, datagram_hash(transit.bytes), &Sent::bytes);
    if (sent == path.under_way.end()) return;
    const Duration took = transit.at - sent->at;
    path.least = std::min(path.least.value_or(took), took);
    path.under_way.erase(sent);
}

std::optional<Duration> PathDelays::least(PeerIndex from, PeerIndex to) const {
    const auto path = paths_.find({from, to});
    return path == paths_.end() ? std::nullopt : path->second.least;
}

}  // namespace fray::lab
