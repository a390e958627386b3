#pragma once
// Every bound that keeps a stranger from choosing our work or our memory.

#include <fray/time.hpp>

#include <cstddef>
#include <cstdint>

namespace fray {

inline constexpr std::size_t kMaxDatagram = 1200;  ///< bytes, seal included, UDP and IP headers not
inline constexpr std::size_t kSealBytes = 20;      ///< reserved and booked in every datagram
inline constexpr std::size_t kUdpIpv4Bytes = 28;
inline constexpr std::size_t kUdpIpv6Bytes = 48;

inline constexpr std::size_t kFragmentBytes = 1024;  ///< of a message that does not fit one datagram
inline constexpr std::size_t kMaxFragments = 64;
inline constexpr std::size_t kMaxPartials = 8;     ///< messages being put together, per link
inline constexpr std::size_t kReliableSpan = 128;  ///< unacknowledged ids, oldest to newest
inline constexpr std::size_t kReceiveSpan =
    256;  ///< ids remembered for exactly-once; at least twice the span
inline constexpr std::size_t kMaxHeldOrdered = kReliableSpan;

inline constexpr std::size_t kMaxInFlight = 256;  ///< sent datagrams remembered per link
inline constexpr unsigned kAckBits = 32;          ///< earlier datagrams acknowledged beside the newest
inline constexpr unsigned kReorderTolerance = 3;  ///< datagrams overtaken by so many count as lost

inline constexpr std::size_t kMaxPendingLinks = 256;  ///< half-open links; the oldest gives way
inline constexpr Duration kParkedFor{120s};           ///< a lost link's reliable messages wait for its return
inline constexpr std::size_t kMaxRefusals = 16;       ///< refusals waiting to be sent
inline constexpr Duration kHandshakePatience{2s};     ///< a half-open link lives so long
inline constexpr unsigned kQuickHellos = 4;           ///< one per frame, then twice as long with every try
inline constexpr std::uint8_t kAnswersPerHello = 3;   ///< an answer may get lost; more would amplify

}  // namespace fray
