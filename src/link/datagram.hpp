#pragma once
// A datagram from the outside in: kind, body, padding to a byte, seal. WIRE_FORMAT.md draws it.
//
// The seal is where sealing will be. Until then its first eight bytes hold the token that the receiver
// gave us in the handshake: whoever has not seen our traffic cannot speak on our links.

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

/// Drawn by the receiver, unguessable to those who do not see the traffic; never zero on a working link.
enum class Token : std::uint64_t { none = 0 };
inline constexpr std::size_t kTokenBytes = 8;

/// Writes one datagram and books every bit of it; the books count only once finish() was called.
class DatagramBuilder {
public:
    DatagramBuilder(std::span<std::uint8_t> buffer, DatagramKind kind)
        : buffer_{buffer.first(std::min(buffer.size(), kMaxDatagram))},
          out_{buffer_.first(buffer_.size() - kSealBytes)} {
        out_.bits(static_cast<std::uint64_t>(kind), kKindBits);
        book(Purpose::link_header);
    }

    [[nodiscard]] BitWriter& out() { return out_; }
    /// Everything written since the last call was for this purpose. What is not booked is link header.
    void book(Purpose purpose) {
        books_.book(purpose, out_.bit_count() - booked_);
        booked_ = out_.bit_count();
    }
    /// Takes back what was written since the last book().
    void undo() { out_.rewind(booked_); }
    [[nodiscard]] std::size_t bits_left() const { return out_.bits_left(); }
    /// Size with seal and headers, were it finished now.
    [[nodiscard]] std::size_t network_bytes(const Address& to) const {
        return (out_.bit_count() + 7) / 8 + kSealBytes + header_bytes(to);
    }
    /// Pads, seals and books into the ledger; the whole datagram.
    std::span<const std::uint8_t> finish(Token token, const Address& to, ByteLedger& ledger);

private:
    std::span<std::uint8_t> buffer_;
    BitWriter out_;
    ByteLedger books_;
    std::size_t booked_ = 0;
};

/// A received datagram with the seal taken off.
struct OpenedDatagram {
    DatagramKind kind{};
    Token token{};
    BitReader body;
};

/// Nothing where the bytes are too short, too long, or of no kind we know.
[[nodiscard]] inline std::optional<OpenedDatagram> open_datagram(std::span<const std::uint8_t> bytes) {
    if (bytes.size() <= kSealBytes || bytes.size() > kMaxDatagram) return std::nullopt;
    const std::size_t body = bytes.size() - kSealBytes;
    OpenedDatagram opened{.body = BitReader{bytes, body * 8}};
    std::memcpy(&opened.token, &bytes[body], kTokenBytes);  // lowest byte first, as all our words
    const auto kind = opened.body.bits(kKindBits);
    if (kind > static_cast<std::uint64_t>(DatagramKind::refusal)) return std::nullopt;
    opened.kind = static_cast<DatagramKind>(kind);
    return opened;
}

}  // namespace fray
