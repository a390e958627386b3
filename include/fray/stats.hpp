#pragma once
// What a peer measures of itself and its links.

#include <fray/ids.hpp>
#include <fray/ledger.hpp>
#include <fray/time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fray {

/// Why a datagram, or the rest of one, was thrown away.
enum class Rejection : std::uint8_t {
    too_short,        ///< shorter than any datagram of ours
    too_long,         ///< longer than any datagram of ours
    unknown_kind,     ///< a datagram kind we do not know
    unknown_link,     ///< a link number nobody holds
    bad_token,        ///< it does not prove to come from the peer of that link
    duplicate,        ///< seen before
    stale,            ///< too old to tell
    malformed,        ///< the bytes are no such message
    unknown_message,  ///< a message type we do not know
    unknown_entity,   ///< about an entity we know nothing of
    no_baseline,      ///< a delta against a state we do not hold
    impossible,       ///< well-formed, but it cannot be (a time far off, a number never given)
    no_room,          ///< a bound of ours was reached
    version,          ///< another protocol version
    world,            ///< another world
};
inline constexpr std::size_t kRejectionCount = 15;
[[nodiscard]] std::string_view to_string(Rejection rejection);

struct RejectionCounts {
    std::array<std::uint64_t, kRejectionCount> counts{};
    void count(Rejection rejection) { ++counts[static_cast<std::size_t>(rejection)]; }
    [[nodiscard]] std::uint64_t of(Rejection rejection) const {
        return counts[static_cast<std::size_t>(rejection)];
    }
    [[nodiscard]] std::uint64_t total() const;
};

struct LinkStats {
    PeerId peer;
    Duration rtt{};     ///< smoothed; zero until measured
    Duration jitter{};  ///< mean deviation of the round trip
    double loss = 0;    ///< share of our datagrams that were not acknowledged, recent
    std::uint64_t delivered = 0;
    std::uint64_t lost = 0;
};

struct ClockStats {
    Duration offset{};       ///< session time minus local time
    double drift = 0;        ///< how much faster session time runs than ours, relative
    std::uint32_t hops = 0;  ///< to the peer whose clock is session time
    std::uint64_t samples = 0;
};

/// Of the pSense overlay; zero with others.
struct PSenseStats {
    std::uint32_t near = 0;                ///< nodes in sight
    std::uint32_t sensors = 0;             ///< sectors with a sensor node
    std::uint64_t paper_bytes = 0;         ///< sent, as the paper's marshalling would count them
    std::uint64_t paper_bytes_in = 0;      ///< received, likewise
    std::uint64_t forwarded = 0;           ///< updates of others passed on
    std::uint64_t forward_duplicates = 0;  ///< received, and known already
};

struct Stats {
    ByteLedger ledger;
    RejectionCounts rejections;
    ClockStats clock;
    std::uint64_t updates_sent = 0;
    std::uint64_t updates_received = 0;  ///< newer than what was held
    std::uint64_t updates_stale = 0;     ///< overtaken on the way
    std::uint64_t datagrams_received = 0;
    std::uint64_t bytes_received = 0;  ///< without UDP and IP headers
    std::uint64_t messages_delivered = 0;
    PSenseStats psense{};
    std::vector<LinkStats> links;
};

}  // namespace fray
