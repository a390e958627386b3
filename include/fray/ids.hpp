#pragma once
// Identifiers of peers, incarnations and entities, and the network address of a peer.

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fray {

namespace detail {

struct TwoWords {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend constexpr bool operator==(const TwoWords&, const TwoWords&) = default;
};

[[nodiscard]] constexpr TwoWords words(const std::array<std::uint8_t, 16>& bytes) {
    return std::bit_cast<TwoWords>(bytes);
}

}  // namespace detail

/// Identifies a peer permanently: 16 bytes, later the hash of its public key. A peer that rejoins keeps its
/// id and takes a new incarnation.
struct PeerId {
    std::array<std::uint8_t, 16> bytes{};

    // Compared as two words: ids are compared more often than any other type.
    friend constexpr bool operator==(const PeerId& a, const PeerId& b) {
        return detail::words(a.bytes) == detail::words(b.bytes);
    }
    friend constexpr std::strong_ordering operator<=>(const PeerId& a, const PeerId& b) {
        return a.upper() != b.upper() ? a.upper() <=> b.upper() : a.number() <=> b.number();
    }

    /// A readable id for tests and simulations: the number in the last eight bytes, big-endian.
    [[nodiscard]] static constexpr PeerId from_number(std::uint64_t number) {
        PeerId id;
        for (std::size_t i = 0; i < 8; ++i) id.bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
        return id;
    }

    /// The inverse of from_number(); for other ids, the last eight bytes.
    [[nodiscard]] constexpr std::uint64_t number() const {
        std::uint64_t n = 0;
        for (std::size_t i = 8; i < 16; ++i) n = (n << 8U) | bytes[i];
        return n;
    }

private:
    [[nodiscard]] constexpr std::uint64_t upper() const {
        std::uint64_t n = 0;
        for (std::size_t i = 0; i < 8; ++i) n = (n << 8U) | bytes[i];
        return n;
    }
};

/// One stay of a peer in a session. Two stays of the same peer have different values.
enum class Incarnation : std::uint32_t {};

/// Identifies an entity: its owner, and a number that the owner uses once per incarnation.
struct EntityId {
    PeerId owner;
    std::uint32_t number = 0;

    friend constexpr auto operator<=>(const EntityId&, const EntityId&) = default;
    friend constexpr bool operator==(const EntityId&, const EntityId&) = default;
};

/// Index of an entity type in World::types.
enum class EntityTypeId : std::uint8_t {};

/// Destination of datagrams: an IPv6 address (IPv4 is mapped, ::ffff:a.b.c.d) and a port. Simulated networks
/// store a number in it (from_number()).
struct Address {
    std::array<std::uint8_t, 16> ip{};
    std::uint16_t port = 0;

    // Not defaulted: libc++ 16 cannot compare arrays in three ways.
    friend constexpr std::strong_ordering operator<=>(const Address& a, const Address& b) {
        const std::strong_ordering by_ip = PeerId{a.ip} <=> PeerId{b.ip};
        return std::is_neq(by_ip) ? by_ip : a.port <=> b.port;
    }
    friend constexpr bool operator==(const Address& a, const Address& b) {
        return a.port == b.port && detail::words(a.ip) == detail::words(b.ip);
    }

    [[nodiscard]] static constexpr Address from_number(std::uint64_t number) {
        return Address{PeerId::from_number(number).bytes, 1};
    }
    [[nodiscard]] constexpr std::uint64_t number() const { return PeerId{ip}.number(); }
    /// IPv4 costs 28 header bytes per datagram, IPv6 48. Simulated addresses count as IPv4.
    [[nodiscard]] bool is_ipv6() const {
        std::uint64_t high = 0;  // called for every datagram: two words instead of sixteen bytes
        std::uint64_t low = 0;
        std::memcpy(&high, ip.data(), 8);
        std::memcpy(&low, ip.data() + 8, 8);
        constexpr std::uint64_t kMapped = 0xFFFF0000;  // ::ffff:a.b.c.d
        return high != 0 || (port != 1 && (low & 0xFFFFFFFF) != kMapped);
    }
};

/// Parses "127.0.0.1:7000" or "[::1]:7000"; nothing if the text is not an address with a port.
[[nodiscard]] std::optional<Address> parse_address(std::string_view text);
[[nodiscard]] std::string to_string(const Address& address);
/// 32 hexadecimal digits.
[[nodiscard]] std::string to_string(const PeerId& id);
/// "entity 3 of peer 0000...0001"
[[nodiscard]] std::string to_string(const EntityId& id);

namespace detail {

/// For hash tables in memory; the values may change with every version.
[[nodiscard]] constexpr std::size_t hash_words(const TwoWords& words, std::uint64_t extra = 0) {
    std::uint64_t sum = (words.first ^ (extra << 1U)) * 0x9E3779B97F4A7C15ULL;
    sum = (sum ^ (sum >> 32U) ^ words.second) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(sum ^ (sum >> 32U));
}

}  // namespace detail

}  // namespace fray

template <>
struct std::hash<fray::PeerId> {
    std::size_t operator()(const fray::PeerId& id) const noexcept {
        return fray::detail::hash_words(fray::detail::words(id.bytes));
    }
};
template <>
struct std::hash<fray::EntityId> {
    std::size_t operator()(const fray::EntityId& id) const noexcept {
        return fray::detail::hash_words(fray::detail::words(id.owner.bytes), id.number);
    }
};
template <>
struct std::hash<fray::Address> {
    std::size_t operator()(const fray::Address& address) const noexcept {
        return fray::detail::hash_words(fray::detail::words(address.ip), address.port);
    }
};
