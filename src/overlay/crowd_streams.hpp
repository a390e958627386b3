#pragma once
// Peers that more others watch than their upload serves. Such an origin announces how many relays it feeds:
// the members of its row with the highest rank, by weighted rendezvous hashing. It sends them every update,
// and they send it to those that want it. A watcher chooses one of the relays by another rank, so that all
// relays get about as many watchers as they can carry.

#include "overlay/roster.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class CrowdStreams {
public:
    static constexpr Duration kSilence{2s};    ///< a relay that sends nothing for so long is replaced, ...
    static constexpr Duration kAvoidFor{10s};  ///< ... and avoided

    explicit CrowdStreams(std::uint32_t own_name) : own_name_{own_name} {}

    /// Once per round: follows which peers are wanted, and replaces relays that fail or refused. `carried`:
    /// origins that we relay ourselves.
    void choose(Instant now, Roster& roster, std::span<const std::uint32_t> carried);
    /// Whether we get some stream over a link with this peer.
    [[nodiscard]] bool has_relay(std::uint32_t name) const;
    /// The origins that this peer is to send us, ascending.
    void list_wants(std::uint32_t relay, std::vector<std::uint32_t>& origins) const;
    /// This peer sent an update of the origin.
    void handle_update(Instant now, std::uint32_t origin, std::uint32_t relay);
    void handle_refusal(Instant now, Roster& roster, std::uint32_t relay);
    /// Whether this peer is one of the relays of the origin.
    [[nodiscard]] static bool is_relay(Roster& roster, std::uint32_t origin, std::uint8_t fan_out,
                                       std::uint32_t name, std::uint32_t own_name);
    void clear() { streams_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const { return streams_.capacity() * sizeof(Stream); }

private:
    struct Stream {
        std::uint32_t origin = 0;
        std::uint32_t relay = 0;  // or the origin itself; 0: none
        Instant chosen{};
        Instant heard{};
        bool is_wanted = true;
    };
    void want(Instant now, std::uint32_t origin);
    void choose(Instant now, Roster& roster, Stream& stream, bool is_carried);

    std::uint32_t own_name_;
    std::vector<Stream> streams_;  // ordered by origin
};

}  // namespace fray
