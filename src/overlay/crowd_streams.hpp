#pragma once
// From whom we get every update of peers that fan out (crowd_fan_out.hpp): for each of them and each stripe,
// one of the relays, chosen by weighted rendezvous hashing, so that all relays get about as many watchers as
// they can carry. A relay that sends nothing or refuses is replaced, and avoided for a while.

#include "overlay/crowd_fan_out.hpp"
#include "overlay/roster.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class CrowdStreams {
public:
    static constexpr Duration kSilence{2s};    ///< a relay that sends nothing for so long is replaced, ...
    static constexpr Duration kAvoidFor{10s};  ///< ... and avoided

    /// Once per round: follows which peers are wanted, and replaces relays that fail or refused. `carried`:
    /// origins that we relay ourselves.
    void choose(Instant now, CrowdRoster& roster, const CrowdFanOut::Self& self,
                std::span<const std::uint32_t> carried);
    /// Whether the policy has wanted its updates of late.
    [[nodiscard]] static bool is_watched(Instant now, const KnownPeer& peer);
    /// Whether we get some stream over a link with this peer.
    [[nodiscard]] bool has_relay(std::uint32_t name) const;
    /// The origins that this peer is to send us, ascending. A watched peer is asked for its own updates: our
    /// attention tells it the same, but waits for an update to travel with.
    void list_wants(Instant now, const CrowdRoster& roster, std::uint32_t relay,
                    std::vector<std::uint32_t>& origins) const;
    /// This peer sent an update of the origin.
    void handle_update(Instant now, std::uint32_t origin, std::uint32_t relay);
    void handle_refusal(Instant now, CrowdRoster& roster, std::uint32_t relay);
    void clear() { streams_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const { return streams_.capacity() * sizeof(Stream); }

private:
    struct Source {
        std::uint32_t relay = 0;  // or the origin itself; 0: none
        Instant chosen{};
        Instant heard{};
    };
    struct Stream {
        std::uint32_t origin = 0;
        std::array<Source, kStripes> sources{};
        bool is_wanted = true;
    };
    void want(std::uint32_t origin);
    static void choose(Instant now, CrowdRoster& roster, const CrowdFanOut::Self& self, Stream& stream,
                       bool is_carried);
    static void replace(Instant now, CrowdRoster& roster, std::uint32_t pick,
                        const std::vector<std::uint32_t>& relays, Source& source);

    std::vector<Stream> streams_;  // ordered by origin
};

}  // namespace fray
