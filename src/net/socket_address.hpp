#pragma once
// Conversion between Fray's Address and the system's sockaddr.

#include <fray/ids.hpp>
#include <fray/result.hpp>

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string_view>

namespace fray {

enum class Family : unsigned char { ipv4, ipv6 };

/// A sockaddr and its length.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_storage);

    [[nodiscard]] sockaddr* data() { return reinterpret_cast<sockaddr*>(&storage); }
    [[nodiscard]] const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

/// For a socket of this family; nothing if it cannot reach that address. An IPv6 socket also reaches IPv4
/// addresses, as ::ffff:a.b.c.d.
[[nodiscard]] std::optional<SocketAddress> to_socket_address(const Address& address, Family family);
/// Nothing if it is neither IPv4 nor IPv6, or is bound to an interface.
[[nodiscard]] std::optional<Address> from_socket_address(const SocketAddress& address);

/// "127.0.0.1:7000", "[::1]:7000", "host.example:7000": the first address that a socket of this family
/// reaches. Calls the system's resolver, which may block.
[[nodiscard]] Result<Address> resolve(std::string_view text, Family family);

}  // namespace fray
