#pragma once
// The handshake: two hellos that carry each other's token make a link. A hello that starts a handshake (a
// call) is answered by one datagram that is not longer than it, so forged addresses gain nothing by our
// answers. A caller therefore pads its call to the size of the answer, and repeats it if no answer comes.

#include <fray/event.hpp>
#include <fray/ids.hpp>
#include <fray/serialize.hpp>

#include "link/datagram.hpp"
#include "wire/address_codec.hpp"
#include "wire/session_time.hpp"

#include <array>
#include <span>

namespace fray {

/// Addresses of other members: a newcomer that loses the peer it joins through tries these.
struct OtherPeers {
    static constexpr std::size_t kMost = 3;
    std::uint8_t count = 0;
    std::array<Address, kMost> addresses{};

    [[nodiscard]] std::span<const Address> span() const { return std::span{addresses}.first(count); }
};

template <class Stream>
void serialize(Stream& s, OtherPeers& others) {
    s.integer(others.count, 0, OtherPeers::kMost);
    for (std::size_t i = 0; i < others.count && s.ok(); ++i) serialize_address(s, others.addresses[i]);
}

/// The seal of a hello holds the token of the hello it answers, or none.
struct Hello {
    /// The first three fields are the same in every version, so that any version can be refused.
    std::uint16_t version = 0;
    std::uint16_t link = 0;     ///< the sender's number for this link; data sent to it carries this
    std::uint64_t token = 0;    ///< the sender's token; data sent to it is sealed with this
    std::uint64_t world = 0;    ///< World::fingerprint()
    std::uint32_t overlay = 0;  ///< fingerprint of the overlay and of those of its options that must agree
    PeerId id;
    std::uint32_t incarnation = 0;
    std::uint32_t channel = 0;  ///< id of the sender's reliable channel: continued from a former link, or new
    std::uint8_t attempt = 0;   ///< number of hellos sent before on this link
    bool answers = false;
    std::uint16_t answered_link = 0;  ///< the receiver's number, taken from the hello that this one answers
    std::uint8_t answered_attempt = 0;
    std::uint32_t hold_us = 0;     ///< time between the arrival of that hello and this answer
    std::uint64_t session_us = 0;  ///< session time when this hello left
    /// Session time when the sender joined; the smaller value is the older peer.
    std::uint64_t joined_us = 0;
    std::uint8_t hops = 0;    ///< clock hops to the peer whose clock is session time
    bool newcomer = false;    ///< asks the receiver for introductions to other members
    bool early_data = false;  ///< messages follow
    OtherPeers others{};      ///< in an answer to a newcomer
};

inline constexpr std::uint8_t kMostHops = 15;
inline constexpr std::uint32_t kMostHold = (1U << 24U) - 1;

template <class Stream>
void serialize(Stream& s, Hello& h) {
    s.whole(h.version);
    s.whole(h.link);
    s.whole(h.token);
    s.whole(h.world);
    s.whole(h.overlay);
    s.array(h.id.bytes);
    s.whole(h.incarnation);
    s.whole(h.channel);
    s.whole(h.attempt);
    s.boolean(h.answers);
    if (h.answers) {
        s.whole(h.answered_link);
        s.whole(h.answered_attempt);
        s.integer(h.hold_us, 0, kMostHold);
    }
    s.integer(h.session_us, 0, kMaxWireTime);
    s.integer(h.joined_us, 0, kMaxWireTime);
    s.integer(h.hops, 0, kMostHops);
    s.boolean(h.newcomer);
    s.boolean(h.early_data);
    if (h.answers) serialize(s, h.others);
}

/// Bytes of an answer, seal included: with this many addresses of other peers, each of this many bits. A call
/// has the size of the longest answer that it hopes for; the answer names only as many as fit.
[[nodiscard]] constexpr std::size_t answer_bytes(std::size_t others, std::size_t address_bits) {
    constexpr std::size_t kHelloBits = 551;
    constexpr std::size_t kCountBits = 2;
    return (kKindBits + kHelloBits + kCountBits + others * address_bits + 7) / 8 + kSealBytes;
}
inline constexpr std::size_t kIpv4Bits = 50;
inline constexpr std::size_t kIpv6Bits = 146;
inline constexpr std::size_t kCallBytes = answer_bytes(0, 0);
inline constexpr std::size_t kNewcomerCallBytes = answer_bytes(OtherPeers::kMost, kIpv4Bits);
inline constexpr std::size_t kNewcomerCallBytesIpv6 = answer_bytes(OtherPeers::kMost, kIpv6Bits);
[[nodiscard]] constexpr std::size_t call_bytes(bool newcomer, bool is_ipv6) {
    if (!newcomer) return kCallBytes;
    return is_ipv6 ? kNewcomerCallBytesIpv6 : kNewcomerCallBytes;
}

/// The last reason that a refusal may name; later ones are never sent.
inline constexpr Reason kLastRefusal = Reason::overlay_mismatch;

/// Refuses a hello; sealed with the token of that hello. A busy or full peer names others that may accept the
/// newcomer. A peer with too many unproven callers asks for a proof instead: a call that is sealed with
/// `proof` is accepted.
struct Refusal {
    std::uint16_t version = 0;
    std::uint16_t link = 0;  ///< the number in the refused hello
    Reason reason{};
    bool asks_proof = false;
    Token proof{};
    OtherPeers others{};
};

template <class Stream>
void serialize(Stream& s, Refusal& r) {
    s.whole(r.version);
    s.whole(r.link);
    s.enumeration(r.reason, kLastRefusal);
    s.boolean(r.asks_proof);
    if (r.asks_proof) {
        auto proof = static_cast<std::uint64_t>(r.proof);
        s.whole(proof);
        r.proof = Token{proof};
        if constexpr (Stream::kReading) {
            if (r.proof == Token::none) s.fail();
        }
    }
    serialize(s, r.others);
}

}  // namespace fray
