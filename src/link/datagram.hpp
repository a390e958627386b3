#pragma once
// A datagram from the outside in: kind, body, padding to a byte, seal. WIRE_FORMAT.md draws it.
//
// The seal is where sealing will be. Until then its first eight bytes hold the token that the receiver
// gave us in the handshake: whoever has not seen our traffic cannot speak on our links.

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

/// Drawn by the receiver, unguessable to those who do not see the traffic; never zero on a working link.
enum class Token : std::uint64_t { none = 0 };

/// Writes one datagram and books every bit of it; the books count only once finish() was called.
class DatagramBuilder {
public:
    DatagramBuilder(std::span<std::uint8_t> buffer, DatagramKind kind);

    [[nodiscard]] BitWriter& out() { return out_; }
    /// Everything written since the last call was for this purpose.
    void book(Purpose purpose) {
        auto& bits = bits_[static_cast<std::size_t>(purpose)];
        bits = static_cast<std::uint16_t>(bits + (out_.bit_count() - booked_));
        booked_ = out_.bit_count();
    }
    /// Takes back what was written since the last book().
    void undo() { out_.rewind(booked_); }
    [[nodiscard]] std::size_t bits_left() const { return out_.bits_left(); }
    /// Size with seal and headers, were it finished now.
    [[nodiscard]] std::size_t network_bytes(const Address& to) const;
    /// Pads, seals and books into the ledger; the whole datagram.
    std::span<const std::uint8_t> finish(Token token, const Address& to, ByteLedger& ledger);

private:
    std::span<std::uint8_t> buffer_;
    BitWriter out_;
    std::array<std::uint16_t, kPurposeCount> bits_{};
    std::size_t booked_ = 0;
};

/// A received datagram with the seal taken off.
struct OpenedDatagram {
    DatagramKind kind{};
    Token token{};
    BitReader body;
};

/// Nothing where the bytes are too short, too long, or of no kind we know.
[[nodiscard]] std::optional<OpenedDatagram> open_datagram(std::span<const std::uint8_t> bytes);

[[nodiscard]] std::size_t header_bytes(const Address& to);

}  // namespace fray
