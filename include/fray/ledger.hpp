#pragma once
// Where every byte of the upload went. Bits are booked while a datagram is written, padding to the link
// header; the sum over all purposes is exactly the number of bytes the network carried, headers included.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fray {

enum class Purpose : std::uint8_t {
    state,        ///< updates of entities
    guidance,     ///< predictions and action counters for replicas out of focus
    agreement,    ///< requests and replies between writer and target
    overlay,      ///< who is around: hellos, introductions, sensor messages
    relay,        ///< news carried for others
    event,        ///< the game's unreliable events
    reliable,     ///< reliable and ordered messages, repeats included
    clock,        ///< clock synchronisation
    link_header,  ///< kind, link number, sequence, padding
    ack,          ///< acknowledgements
    crypto,       ///< sealing: 20 bytes per datagram
    udp_ip,       ///< 28 bytes per datagram, 48 on IPv6
};
inline constexpr std::size_t kPurposeCount = 12;

[[nodiscard]] std::string_view to_string(Purpose purpose);

class ByteLedger {
public:
    void book(Purpose purpose, std::uint64_t bits) { bits_[static_cast<std::size_t>(purpose)] += bits; }
    void count_datagram() { ++datagrams_; }

    [[nodiscard]] std::uint64_t bits(Purpose purpose) const {
        return bits_[static_cast<std::size_t>(purpose)];
    }
    [[nodiscard]] double bytes(Purpose purpose) const { return static_cast<double>(bits(purpose)) / 8.0; }
    /// Whole datagrams have whole bytes: this is exact.
    [[nodiscard]] std::uint64_t total_bytes() const;
    [[nodiscard]] std::uint64_t datagrams() const { return datagrams_; }

private:
    std::array<std::uint64_t, kPurposeCount> bits_{};
    std::uint64_t datagrams_ = 0;
};

}  // namespace fray
