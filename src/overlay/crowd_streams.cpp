#include "overlay/crowd_streams.hpp"

#include "overlay/rendezvous.hpp"

#include <algorithm>

namespace fray {

void CrowdStreams::choose(Instant now, Roster& roster, std::span<const std::uint32_t> carried) {
    for (Stream& stream : streams_) stream.is_wanted = false;
    for (const KnownPeer& peer : roster.all()) {
        if (peer.fan_out != 0 && peer.wanted_until > now) want(now, peer.name);
    }
    for (const std::uint32_t origin : carried) want(now, origin);
    std::erase_if(streams_, [](const Stream& s) { return !s.is_wanted; });
    for (Stream& stream : streams_)
        choose(now, roster, stream, std::ranges::find(carried, stream.origin) != carried.end());
}

void CrowdStreams::want(Instant now, std::uint32_t origin) {
    const auto place = std::ranges::lower_bound(streams_, origin, {}, &Stream::origin);
    if (place != streams_.end() && place->origin == origin)
        place->is_wanted = true;
    else if (streams_.size() < kMaxStreams)
        streams_.insert(place, Stream{.origin = origin, .chosen = now, .heard = now});
}

void CrowdStreams::choose(Instant now, Roster& roster, Stream& stream, bool is_carried) {
    const KnownPeer* origin = roster.find(stream.origin);
    if (origin == nullptr) return;
    const std::uint8_t fan_out = std::max<std::uint8_t>(1, origin->fan_out);
    if (is_carried || is_relay(roster, stream.origin, fan_out, own_name_, own_name_)) {
        stream.relay = stream.origin;
        return;
    }
    KnownPeer* relay = roster.find(stream.relay);
    const bool is_silent = now - std::max(stream.chosen, stream.heard) > kSilence;
    if (relay != nullptr && is_silent) relay->avoided_until = now + kAvoidFor;
    if (relay != nullptr && relay->avoided_until <= now) return;
    stream.relay = 0;
    stream.chosen = now;
    std::uint64_t best = 0;
    for (const KnownPeer& peer : roster.row(roster.row_of(stream.origin))) {
        if (peer.avoided_until > now || peer.name == stream.origin) continue;
        if (!is_relay(roster, stream.origin, fan_out, peer.name, own_name_)) continue;
        const std::uint64_t rank = rank_of(own_name_ ^ stream.origin, peer.name, peer.weight);
        if (rank <= best) continue;
        best = rank;
        stream.relay = peer.name;
    }
}

bool CrowdStreams::is_relay(Roster& roster, std::uint32_t origin, std::uint8_t fan_out, std::uint32_t name,
                            std::uint32_t own_name) {
    if (roster.row_of(name) != roster.row_of(origin)) return false;
    const KnownPeer* peer = roster.find(name);
    // We do not rank ourselves: that is for others, who know our weight.
    if (name == own_name || peer == nullptr) return false;
    const std::uint64_t rank = rank_of(origin, name, peer->weight);
    std::size_t before = 0;
    for (const KnownPeer& other : roster.row(roster.row_of(origin))) {
        if (other.name != origin && rank_of(origin, other.name, other.weight) > rank) ++before;
    }
    return before < fan_out;
}

bool CrowdStreams::has_relay(std::uint32_t name) const {
    return std::ranges::find(streams_, name, &Stream::relay) != streams_.end();
}

void CrowdStreams::list_wants(std::uint32_t relay, std::vector<std::uint32_t>& origins) const {
    origins.clear();
    for (const Stream& stream : streams_) {
        if (stream.relay == relay) origins.push_back(stream.origin);
    }
}

void CrowdStreams::handle_update(Instant now, std::uint32_t origin, std::uint32_t relay) {
    const auto stream = std::ranges::find(streams_, origin, &Stream::origin);
    if (stream != streams_.end() && stream->relay == relay) stream->heard = now;
}

void CrowdStreams::handle_refusal(Instant now, Roster& roster, std::uint32_t relay) {
    KnownPeer* peer = roster.find(relay);
    if (peer != nullptr && has_relay(relay)) peer->avoided_until = now + kAvoidFor;
}

}  // namespace fray
