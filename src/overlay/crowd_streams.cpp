#include "overlay/crowd_streams.hpp"

#include "core/attention_sink.hpp"
#include "overlay/rendezvous.hpp"

#include <algorithm>

namespace fray {

namespace {
constexpr Duration kWatched{300ms};  // since the policy said so
}  // namespace

void CrowdStreams::choose(Instant now, CrowdRoster& roster, const CrowdFanOut::Self& self,
                          std::span<const std::uint32_t> carried) {
    for (Stream& stream : streams_) stream.is_wanted = false;
    for (const KnownPeer& peer : roster.all()) {
        if (peer.fan_out != 0 && peer.wanted_until > now) want(peer.name);
    }
    for (const std::uint32_t origin : carried) want(origin);
    std::erase_if(streams_, [](const Stream& s) { return !s.is_wanted; });
    for (Stream& stream : streams_)
        choose(now, roster, self, stream, std::ranges::find(carried, stream.origin) != carried.end());
}

void CrowdStreams::want(std::uint32_t origin) {
    const auto place = std::ranges::lower_bound(streams_, origin, {}, &Stream::origin);
    if (place != streams_.end() && place->origin == origin)
        place->is_wanted = true;
    else if (streams_.size() < kMaxStreams)
        streams_.insert(place, Stream{.origin = origin});
}

void CrowdStreams::choose(Instant now, CrowdRoster& roster, const CrowdFanOut::Self& self, Stream& stream,
                          bool is_carried) {
    const KnownPeer* origin = roster.find(stream.origin);
    if (origin == nullptr) return;
    const bool is_watched = origin->wanted_until > now;
    const CrowdFanOut fan_out{roster, self, stream.origin, std::max<std::uint8_t>(1, origin->fan_out)};
    const unsigned own = is_carried ? fan_out.stripes(self.name) : 0;
    for (unsigned stripe = 0; stripe < kStripes; ++stripe) {
        Source& source = stream.sources[stripe];
        if ((own >> stripe & 1U) != 0)
            source.relay = stream.origin;
        else if (!is_watched)
            source.relay = 0;
        else
            replace(now, roster, (self.name ^ stream.origin) + stripe, fan_out.relays(stripe), source);
    }
}

/// Keeps the relay while it works.
void CrowdStreams::replace(Instant now, CrowdRoster& roster, std::uint32_t pick,
                           const std::vector<std::uint32_t>& relays, Source& source) {
    KnownPeer* relay = roster.find(source.relay);
    const bool is_silent = now - std::max(source.chosen, source.heard) > kSilence;
    if (relay != nullptr && is_silent) relay->no_streams_until = now + kAvoidFor;
    const bool is_relay = std::ranges::find(relays, source.relay) != relays.end();
    if (relay != nullptr && is_relay && relay->no_streams_until <= now) return;
    source = {.relay = 0, .chosen = now, .heard = now};
    std::uint64_t best = 0;
    for (const std::uint32_t name : relays) {
        const KnownPeer* peer = roster.find(name);
        if (peer == nullptr || peer->no_streams_until > now) continue;
        const std::uint64_t rank = rank_of(pick, name, peer->weight);
        if (rank <= best) continue;
        best = rank;
        source.relay = name;
    }
}

bool CrowdStreams::has_relay(std::uint32_t name) const {
    return std::ranges::any_of(streams_, [&](const Stream& stream) {
        return std::ranges::find(stream.sources, name, &Source::relay) != stream.sources.end();
    });
}

void CrowdStreams::list_wants(Instant now, const CrowdRoster& roster, std::uint32_t relay,
                              std::vector<std::uint32_t>& origins) const {
    origins.clear();
    for (const Stream& stream : streams_) {
        if (std::ranges::find(stream.sources, relay, &Source::relay) != stream.sources.end())
            origins.push_back(stream.origin);
    }
    const KnownPeer* peer = roster.find(relay);
    // The link stays longer, but full rate only while it is watched: it would take the upload of bundles.
    if (peer == nullptr || !is_watched(now, *peer) || peer->fan_out != 0) return;
    const auto place = std::ranges::lower_bound(origins, relay);
    if (origins.size() < kMaxStreams && (place == origins.end() || *place != relay))
        origins.insert(place, relay);
}

bool CrowdStreams::is_watched(Instant now, const KnownPeer& peer) {
    return peer.wanted_until > now && peer.wanted_until - now >= AttentionSink::kHolds - kWatched;
}

void CrowdStreams::handle_update(Instant now, std::uint32_t origin, std::uint32_t relay) {
    const auto stream = std::ranges::lower_bound(streams_, origin, {}, &Stream::origin);
    if (stream == streams_.end() || stream->origin != origin) return;
    for (Source& source : stream->sources) {
        if (source.relay == relay) source.heard = now;
    }
}

void CrowdStreams::handle_refusal(Instant now, CrowdRoster& roster, std::uint32_t relay) {
    KnownPeer* peer = roster.find(relay);
    if (peer != nullptr && has_relay(relay)) peer->no_streams_until = now + kAvoidFor;
}

}  // namespace fray
