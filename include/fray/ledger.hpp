#pragma once
// Accounts for every byte of the upload. Bits are booked while a datagram is written, padding as link header.
// The sum over all purposes equals the bytes that the network carried, headers included.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fray {

enum class Purpose : std::uint8_t {
    state,        ///< updates of entities
    guidance,     ///< reserved: predictions for replicas out of focus
    agreement,    ///< requests to owners of entities, and replies
    overlay,      ///< handshakes, refusals, and the overlay's own messages
    relay,        ///< updates of other peers: forwarded (pSense), or relayed by a serializer or validator
    event,        ///< the game's unreliable messages
    reliable,     ///< reliable and ordered messages, including retransmits
    clock,        ///< clock synchronisation
    link_header,  ///< kind, link number, sequence number, goodbye, padding
    ack,          ///< acknowledgements
    crypto,       ///< the seal: 20 bytes per datagram
    udp_ip,       ///< 28 bytes per datagram, 48 on IPv6
};
inline constexpr std::size_t kPurposeCount = 12;

[[nodiscard]] std::string_view to_string(Purpose purpose);

class ByteLedger {
public:
    void book(Purpose purpose, std::uint64_t bits) { bits_[static_cast<std::size_t>(purpose)] += bits; }
    void count_datagram() { ++datagrams_; }
    ByteLedger& operator+=(const ByteLedger& other) {
        for (std::size_t i = 0; i < kPurposeCount; ++i) bits_[i] += other.bits_[i];
        datagrams_ += other.datagrams_;
        return *this;
    }

    [[nodiscard]] std::uint64_t bits(Purpose purpose) const {
        return bits_[static_cast<std::size_t>(purpose)];
    }
    [[nodiscard]] double bytes(Purpose purpose) const { return static_cast<double>(bits(purpose)) / 8.0; }
    /// Exact: datagrams are whole bytes, so the bits add up.
    [[nodiscard]] std::uint64_t total_bytes() const;
    [[nodiscard]] std::uint64_t datagrams() const { return datagrams_; }

private:
    std::array<std::uint64_t, kPurposeCount> bits_{};
    std::uint64_t datagrams_ = 0;
};

}  // namespace fray
