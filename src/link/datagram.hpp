#pragma once
// The layout of a datagram: kind, body, padding to a byte, seal. WIRE_FORMAT.md draws it.
//
// The seal is reserved for encryption. Until then its first eight bytes hold the token that the receiver sent
// in the handshake: an attacker that has not seen our traffic cannot send on our links.

#include <fray/bits.hpp>
#include <fray/ids.hpp>
#include <fray/ledger.hpp>

#include "wire/limits.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace fray {

enum class DatagramKind : std::uint8_t { hello = 0, data = 1, refusal = 2 };
inline constexpr unsigned kKindBits = 2;

/// Drawn by the receiver; an attacker that does not see the traffic cannot guess it. Never zero on a working
/// link.
enum class Token : std::uint64_t { none = 0 };

/// Writes one datagram and counts the bits of each purpose; finish() books them in the ledger.
class DatagramBuilder {
public:
    DatagramBuilder(std::span<std::uint8_t> buffer, DatagramKind kind);

    [[nodiscard]] BitWriter& out() { return out_; }
    /// Counts everything written since the last call for this purpose.
    void book(Purpose purpose) {
        auto& bits = bits_[static_cast<std::size_t>(purpose)];
        bits = static_cast<std::uint16_t>(bits + (out_.bit_count() - booked_));
        booked_ = out_.bit_count();
    }
    /// Removes everything written since the last book().
    void undo() { out_.rewind(booked_); }
    [[nodiscard]] std::size_t bits_left() const { return out_.bits_left(); }
    /// The size with seal and headers if it were finished now.
    [[nodiscard]] std::size_t network_bytes(const Address& to) const;
    /// Pads, seals and books in the ledger. Returns the whole datagram.
    std::span<const std::uint8_t> finish(Token token, const Address& to, ByteLedger& ledger);

private:
    std::span<std::uint8_t> buffer_;
    BitWriter out_;
    std::array<std::uint16_t, kPurposeCount> bits_{};
    std::size_t booked_ = 0;
};

/// A received datagram without its seal.
struct OpenedDatagram {
    DatagramKind kind{};
    Token token{};
    BitReader body;
};

/// Nothing if the bytes are too short, too long, or of an unknown kind.
[[nodiscard]] std::optional<OpenedDatagram> open_datagram(std::span<const std::uint8_t> bytes);

[[nodiscard]] std::size_t header_bytes(const Address& to);

}  // namespace fray
