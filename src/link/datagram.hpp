#pragma once
// The layout of a datagram: kind, body, padding to a byte, seal. WIRE_FORMAT.md draws it.
//
// The seal is reserved for encryption. Until then its first eight bytes hold the token that the receiver sent
// in the handshake: an attacker that has not seen our traffic cannot send on our links. Four more hold a
// counter, of which encryption makes its nonce: the sequence number, which therefore is not in the body.

#include <fray/bits.hpp>
#include <fray/ids.hpp>
#include <fray/ledger.hpp>

#include "wire/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace fray {

[[nodiscard]] inline std::size_t header_bytes(const Address& to) {
    return to.is_ipv6() ? kUdpIpv6Bytes : kUdpIpv4Bytes;
}

enum class DatagramKind : std::uint8_t { hello = 0, data = 1, refusal = 2 };
inline constexpr unsigned kKindBits = 2;

/// Drawn by the receiver; an attacker that does not see the traffic cannot guess it. Never zero on a working
/// link.
enum class Token : std::uint64_t { none = 0 };
inline constexpr std::size_t kTokenBytes = 8;
inline constexpr std::size_t kCounterBytes = 4;

/// Writes one datagram and counts the bits of each purpose; finish() books them in the ledger.
class DatagramBuilder {
public:
    DatagramBuilder(std::span<std::uint8_t> buffer, DatagramKind kind)
        : buffer_{buffer.first(std::min(buffer.size(), kMaxDatagram))},
          out_{buffer_.first(buffer_.size() - kSealBytes)} {
        out_.bits(static_cast<std::uint64_t>(kind), kKindBits);
        book(Purpose::link_header);
    }

    [[nodiscard]] BitWriter& out() { return out_; }
    /// Goes into the seal, where encryption needs it: the sequence number of a datagram of a link, 0 of
    /// others.
    void set_counter(std::uint32_t counter) { counter_ = counter; }
    /// Counts everything written since the last call for this purpose. What is not booked is link header.
    void book(Purpose purpose) {
        books_.book(purpose, out_.bit_count() - booked_);
        booked_ = out_.bit_count();
    }
    /// Adds zeros until the datagram, seal included, has at least this many bytes. Readers ignore them.
    void pad_to(std::size_t bytes);
    /// Removes everything written since the last book().
    void undo() { out_.rewind(booked_); }
    [[nodiscard]] std::size_t bits_left() const { return out_.bits_left(); }
    /// The size with seal if it were finished now.
    [[nodiscard]] std::size_t bytes() const { return (out_.bit_count() + 7) / 8 + kSealBytes; }
    /// The same with headers.
    [[nodiscard]] std::size_t network_bytes(const Address& to) const { return bytes() + header_bytes(to); }
    /// Pads, seals and books in the ledger. Returns the whole datagram.
    std::span<const std::uint8_t> finish(Token token, const Address& to, ByteLedger& ledger);

private:
    std::span<std::uint8_t> buffer_;
    BitWriter out_;
    ByteLedger books_;
    std::size_t booked_ = 0;
    std::uint32_t counter_ = 0;
};

/// A received datagram without its seal.
struct OpenedDatagram {
    DatagramKind kind{};
    Token token{};
    std::uint32_t counter = 0;
    BitReader body;
};

/// Nothing if the bytes are too short, too long, or of an unknown kind.
[[nodiscard]] inline std::optional<OpenedDatagram> open_datagram(std::span<const std::uint8_t> bytes) {
    if (bytes.size() <= kSealBytes || bytes.size() > kMaxDatagram) return std::nullopt;
    const std::size_t body = bytes.size() - kSealBytes;
    OpenedDatagram opened{.body = BitReader{bytes, body * 8}};
    std::memcpy(&opened.token, &bytes[body], kTokenBytes);  // little-endian, as all integers on the wire
    std::memcpy(&opened.counter, &bytes[body + kTokenBytes], kCounterBytes);
    const auto kind = opened.body.bits(kKindBits);
    if (kind > static_cast<std::uint64_t>(DatagramKind::refusal)) return std::nullopt;
    opened.kind = static_cast<DatagramKind>(kind);
    return opened;
}

}  // namespace fray
