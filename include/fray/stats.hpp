#pragma once
// Measurements that a peer takes of itself and its links.

#include <fray/ids.hpp>
#include <fray/ledger.hpp>
#include <fray/time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fray {

/// Why a datagram, or the rest of one, was dropped.
enum class Rejection : std::uint8_t {
    too_short,        ///< shorter than the smallest datagram, or a call shorter than its answer
    too_long,         ///< longer than kMaxDatagramBytes
    unknown_kind,     ///< unknown kind of datagram
    unknown_link,     ///< no link has this number
    bad_token,        ///< the token does not match the link
    duplicate,        ///< received before
    stale,            ///< too old to tell whether it was received before
    malformed,        ///< the bytes do not decode
    unknown_message,  ///< unknown message type
    unknown_entity,   ///< about an entity that this peer does not know
    no_baseline,      ///< a delta against a state that this peer does not hold
    impossible,       ///< well-formed but invalid (a time far off, a number never assigned)
    no_room,          ///< a limit of this peer was reached
    version,          ///< another protocol version
    world,            ///< another world or overlay
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
    Duration rtt{};               ///< smoothed; zero until measured
    Duration jitter{};            ///< mean deviation of the round-trip time
    double loss = 0;              ///< recent share of sent datagrams that were not acknowledged
    std::uint64_t delivered = 0;  ///< datagrams acknowledged
    std::uint64_t lost = 0;       ///< datagrams counted as lost
    // With the FocusSet policy:
    float attention = 0;        ///< that this peer's player pays to the other one
    float attention_heard = 0;  ///< that the other player pays to this one, as the other peer says
    bool in_focus = false;      ///< the other peer is in our focus set: it gets every frame
    bool watched = false;       ///< every update of the other peer is wanted (FocusSet::least_focus)
};

struct ClockStats {
    Duration offset{};       ///< session time minus local time
    double drift = 0;        ///< relative rate: how much faster session time runs than the local clock
    std::uint32_t hops = 0;  ///< to the peer whose clock is session time
    std::uint64_t samples = 0;
};

/// A peer that the pSense overlay has chosen to be linked with.
struct PSenseNode {
    PeerId peer;
    bool is_near = false;     ///< in sight: it gets the updates; false: the sensor node of its sector
    std::uint8_t sector = 0;  ///< in which it is, counter-clockwise from +x
};

/// Counters of the pSense overlay; zero with other overlays.
struct PSenseStats {
    std::uint32_t near = 0;                ///< near nodes
    std::uint32_t sensors = 0;             ///< sectors with a sensor node
    std::uint64_t paper_bytes = 0;         ///< sent, counted in the paper's marshalling
    std::uint64_t paper_bytes_in = 0;      ///< received, counted in the same way
    std::uint64_t forwarded = 0;           ///< updates of other peers that were forwarded
    std::uint64_t forward_duplicates = 0;  ///< forwards received that were not newer
    std::vector<PSenseNode> nodes{};       ///< near and sensor nodes
};

/// Counters of the FocusSet policy; zero with other policies.
struct FocusStats {
    std::uint32_t in_focus = 0;          ///< linked peers in the focus set now
    std::uint32_t watched = 0;           ///< peers, linked or not, whose every update this player wants
    Duration best_effort_gap{};          ///< expected time between two updates to each of the other peers
    std::uint64_t attentions_told = 0;   ///< messages
    std::uint64_t attentions_heard = 0;  ///< messages
};

/// Counters of movable and shared entities.
struct OwnershipStats {
    std::uint32_t owned = 0;               ///< entities that this peer owns now
    std::uint32_t deputy_of = 0;           ///< entities of other peers of which this peer keeps the record
    std::uint64_t taken_over = 0;          ///< as deputy, when an owner was lost
    std::uint64_t received = 0;            ///< by hand_over()
    std::uint64_t yielded = 0;             ///< to another peer that owned the entity at the same time
    std::uint64_t replies_held = 0;        ///< until the deputy had a record of them
    std::uint64_t requests_repeated = 0;   ///< asked of this peer again, and not decided again
    std::uint64_t histories_received = 0;  ///< of peers that owned one of our entities at the same time
};

struct Stats {
    ByteLedger ledger;
    RejectionCounts rejections;
    ClockStats clock;
    std::uint64_t updates_sent = 0;
    /// States given to publish() and update() whose pose was clamped: outside the world, faster than
    /// World::velocity_limit, or with a pitch beyond 90 degrees.
    std::uint64_t poses_clamped = 0;
    std::uint64_t updates_received = 0;  ///< newer than the state held
    std::uint64_t updates_stale = 0;     ///< overtaken by a newer update
    std::uint64_t datagrams_received = 0;
    std::uint64_t bytes_received = 0;  ///< without UDP and IP headers
    std::uint64_t messages_delivered = 0;
    PSenseStats psense{};
    OwnershipStats ownership{};
    FocusStats focus{};
    std::vector<LinkStats> links;
};

}  // namespace fray
