#pragma once
// Bounds on the work and the memory that another peer can cause.

#include <fray/time.hpp>

#include <cstddef>
#include <cstdint>

namespace fray {

inline constexpr Duration kMostTick{
    150s};  ///< World::tick; four of them are the longest LinkOptions::timeout
/// Local time before zero or after it, about 1,100 years: sums and differences of such times do not overflow.
inline constexpr Duration kMostLocalTime{std::int64_t{1} << 55U};

inline constexpr std::size_t kMaxDatagram = 1200;  ///< bytes, seal included, UDP and IP headers not
inline constexpr std::size_t kSealBytes = 20;      ///< reserved and booked in every datagram
inline constexpr std::size_t kUdpIpv4Bytes = 28;
inline constexpr std::size_t kUdpIpv6Bytes = 48;

inline constexpr std::size_t kFragmentBytes = 1024;  ///< of a message that does not fit one datagram
inline constexpr std::size_t kMaxFragments = 64;
inline constexpr std::size_t kMaxPartials = 8;     ///< messages being reassembled, per link
inline constexpr std::size_t kReliableSpan = 128;  ///< unacknowledged ids, oldest to newest
inline constexpr std::size_t kReceiveSpan = 256;   ///< ids remembered for exactly-once; at least twice that
inline constexpr std::size_t kMaxHeldOrdered = kReliableSpan;
// What one peer can make us hold is at most 1 MiB. A sender that follows the protocol stays below: at most
// kReliableSpan unacknowledged fragments, and those of the oldest message that were acknowledged already.
inline constexpr std::size_t kMaxReliablePieceBytes = 288 * 1024;  ///< in incomplete reliable messages
inline constexpr std::size_t kMaxLoosePieceBytes = 256 * 1024;     ///< in incomplete unreliable messages
inline constexpr std::size_t kMaxHeldOrderedBytes = 256 * 1024;    ///< ordered, waiting for a predecessor

/// Reliable messages and fragments that wait for one link. A message of which only the newest version matters
/// may exceed it, by as many again.
inline constexpr std::size_t kMaxReliableBacklog = 4096;

/// Bytes around a message in a datagram, upper bound.
inline constexpr std::size_t kDatagramOverhead = 160;
inline constexpr std::size_t kMaxInFlight = 256;  ///< sent datagrams remembered per link
inline constexpr unsigned kAckBits = 32;          ///< earlier datagrams acknowledged along with the newest
inline constexpr unsigned kReorderTolerance = 3;  ///< a datagram overtaken by this many counts as lost

inline constexpr std::size_t kMaxRemoteEntities = 4096;  ///< of one peer
inline constexpr std::size_t kMaxReplicaBytes =
    16 * 1024 * 1024;                                 ///< of one peer: states, whole and baselines
inline constexpr std::size_t kMaxRelayedStates = 16;  ///< of one peer, in one message
inline constexpr std::size_t kMaxAdvice = 16;         ///< entities in one message of guidance, of either kind
inline constexpr std::size_t kMaxBundledPeers = 128;  ///< in one bundle

// Contacts that another peer introduced and that never answered.
inline constexpr std::size_t kMaxUnconfirmed = 1024;     ///< in all
inline constexpr std::size_t kMaxUnconfirmedOfOne = 64;  ///< introduced over one link
inline constexpr std::uint8_t kMaxUnconfirmedCalls = 8;  ///< of one contact, then it is forgotten
inline constexpr std::uint8_t kMaxIntroductionsDue = 4;  ///< answers that we may wait for, per link

inline constexpr std::size_t kMaxPendingLinks = 256;  ///< the oldest is evicted
inline constexpr Duration kParkedFor{120s};           ///< reliable messages of a lost link are kept this long
inline constexpr std::size_t kMaxParkedBytes = 4 * 1024 * 1024;  ///< of all of them; the oldest is evicted
inline constexpr Duration kHandshakePatience{2s};                ///< a pending link is dropped after this
inline constexpr Duration kAnswerTime{500ms};                    ///< from the last hello until then
inline constexpr unsigned kQuickHellos =
    4;  ///< one per frame; then the back-off doubles after each second one

// Strangers: callers that have not echoed a token of ours, so that their addresses may be forged.
inline constexpr std::size_t kMaxStrangers = 24;  ///< pending links; further callers must prove their address
inline constexpr Duration kProofPeriod{4s};       ///< how long a proof is valid at least
inline constexpr std::size_t kMaxProofsAsked =
    256;                                           ///< unsent requests for a proof; further callers get none
inline constexpr std::size_t kMaxRefusals = 16;    ///< unsent refusals; further callers get none
inline constexpr std::size_t kRefusalPercent = 5;  ///< of the upload, at most
inline constexpr std::size_t kStrangerPercent = 25;  ///< of the upload, at most, for answers and proofs asked
inline constexpr Duration kShareBurst{500ms};        ///< unused shares are kept this long
inline constexpr std::size_t kLeastShareBurst = 256;  ///< bytes; a share of a small upload fits one datagram
inline constexpr Duration kReplyPatience{
    500ms};  ///< a reply that is older is dropped: the caller has asked again

// Calls to contacts that have not answered yet; others may have invented them.
inline constexpr std::size_t kMaxUnheardCalls = 64;       ///< at once
inline constexpr std::size_t kMaxUnheardCallsAtHost = 8;  ///< at once, to one IP address
inline constexpr std::size_t kMaxUnheardCallsOfOne = 32;  ///< at once, introduced over one link

// A peer calls under the id of a linked peer, from another address.
inline constexpr Duration kIdProbeFor{1s};  ///< without an acknowledgement, the linked peer counts as gone
inline constexpr Duration kIdProbeEvery{100ms};
inline constexpr Duration kIdProvenFor{2s};    ///< its acknowledgement holds this long
inline constexpr Duration kIdContestFor{10s};  ///< then probing starts anew

}  // namespace fray
