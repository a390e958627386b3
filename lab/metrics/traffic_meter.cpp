#include "lab/metrics/traffic_meter.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {
namespace {

void divide(RoundTraffic& round, std::uint64_t peers) {
    if (peers == 0) return;
    round.out_mean /= static_cast<double>(peers);
    round.in_mean /= static_cast<double>(peers);
}

}  // namespace

RoundTraffic& RoundTraffic::operator+=(const RoundTraffic& other) {
    out_mean += other.out_mean;
    out_max += other.out_max;
    in_mean += other.in_mean;
    in_max += other.in_max;
    return *this;
}

void RoundTraffic::raise_to(const RoundTraffic& other) {
    out_mean = std::max(out_mean, other.out_mean);
    out_max = std::max(out_max, other.out_max);
    in_mean = std::max(in_mean, other.in_mean);
    in_max = std::max(in_max, other.in_max);
}

TrafficMeter::TrafficMeter(Marshalling marshalling)
    : marshalling_{marshalling}, uploads_{0, 8, 32'768} {}  // to 256 KiB

TrafficMeter::Counts& TrafficMeter::counts(PeerIndex index) {
    if (index >= counts_.size()) counts_.resize(index + 1);
    return counts_[index];
}

void TrafficMeter::on_started(Duration, PeerIndex index, const Peer&) { counts(index) = {}; }

void TrafficMeter::on_gone(Duration, PeerIndex, const Peer& peer) {
    const PSenseStats stats = peer.stats().psense;
    forwarded += stats.forwarded;
    forward_duplicates += stats.forward_duplicates;
}

void TrafficMeter::on_sent(const Transit& transit) {
    counts(transit.from).real.out += transit.bytes.size() + kHeaderBytes;
}

void TrafficMeter::on_delivered(const Transit& transit) {
    counts(transit.to).real.in += transit.bytes.size() + kHeaderBytes;
}

TrafficMeter::Bytes TrafficMeter::paper_bytes(const Peer& peer, Counts& held) {
    const PSenseStats stats = peer.stats().psense;
    const Bytes before = std::exchange(held.paper, {.out = stats.paper_bytes, .in = stats.paper_bytes_in});
    return {.out = held.paper.out - before.out, .in = held.paper.in - before.in};
}

void TrafficMeter::end_round(const Swarm& swarm, std::span<const Placed> players, bool counted) {
    round_ = {};
    std::uint64_t present = 0;
    for (PeerIndex i = 0; i < players.size(); ++i) {
        Counts& held = counts(i);
        const Bytes real = std::exchange(held.real, {});
        if (!players[i].present || !swarm.alive(i)) continue;
        ++present;
        const Bytes bytes = marshalling_ == Marshalling::real ? real : paper_bytes(swarm.peer(i), held);
        const auto out = static_cast<double>(bytes.out);
        const auto in = static_cast<double>(bytes.in);
        round_.raise_to({.out_mean = 0, .out_max = out, .in_mean = 0, .in_max = in});
        round_.out_mean += out;
        round_.in_mean += in;
        if (counted) uploads_.add(static_cast<double>(real.out));
    }
    divide(round_, present);
}

}  // namespace fray::lab
