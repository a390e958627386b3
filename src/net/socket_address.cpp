#include "net/socket_address.hpp"

#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

namespace fray {

namespace {

constexpr std::size_t kIpv4Offset = 12;  // of the four bytes in ::ffff:a.b.c.d

bool is_ipv4(const Address& address) {
    const auto& ip = address.ip;
    return std::all_of(ip.begin(), ip.begin() + 10, [](std::uint8_t byte) { return byte == 0; }) &&
           ip[10] == 0xFF && ip[11] == 0xFF;
}

template <class Native>
SocketAddress wrap(const Native& native) {
    SocketAddress address;
    std::memcpy(&address.storage, &native, sizeof native);
    address.size = sizeof native;
    return address;
}

template <class Native>
Native unwrap(const SocketAddress& address) {
    Native native{};
    std::memcpy(&native, &address.storage, sizeof native);
    return native;
}

struct HostAndPort {
    std::string host;
    std::string port;
};

bool is_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
    return problem == std::errc{} && end == text.data() + text.size() && port != 0;
}

/// Cuts at the last colon. A bare IPv6 address would have its last group taken for a port, so its host part
/// may hold a colon only in brackets.
std::optional<HostAndPort> split(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string_view host = text.substr(0, colon);
    const std::string_view port = text.substr(colon + 1);
    if (!is_port(port)) return std::nullopt;
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    } else if (host.find_first_of(":[]") != std::string_view::npos) {
        return std::nullopt;
    }
    if (host.empty() || host.find('\0') != std::string_view::npos) return std::nullopt;
    return HostAndPort{std::string{host}, std::string{port}};
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Result<AddressList> look_up(const HostAndPort& where) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_DGRAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    // "localhost" is this machine by definition (RFC 6761), even if no file says so. No host means the same.
    const char* host = where.host == "localhost" ? nullptr : where.host.c_str();
    if (const int code = getaddrinfo(host, where.port.c_str(), &hints, &found); code != 0) {
        return Error{"unknown host '" + where.host + "': " + gai_strerror(code)};
    }
    return AddressList{found, &freeaddrinfo};
}

std::optional<Address> address_in(const addrinfo& entry) {
    SocketAddress address;
    if (entry.ai_addrlen > sizeof address.storage) return std::nullopt;
    std::memcpy(&address.storage, entry.ai_addr, entry.ai_addrlen);
    address.size = entry.ai_addrlen;
    return from_socket_address(address);
}

}  // namespace

std::optional<SocketAddress> to_socket_address(const Address& address, Family family) {
    if (family == Family::ipv6) {
        sockaddr_in6 native{};
        native.sin6_family = AF_INET6;
        native.sin6_port = htons(address.port);
        std::memcpy(&native.sin6_addr, address.ip.data(), address.ip.size());
        return wrap(native);
    }
    if (!is_ipv4(address)) return std::nullopt;
    sockaddr_in native{};
    native.sin_family = AF_INET;
    native.sin_port = htons(address.port);
    std::memcpy(&native.sin_addr, &address.ip[kIpv4Offset], sizeof native.sin_addr);
    return wrap(native);
}

std::optional<Address> from_socket_address(const SocketAddress& address) {
    Address result;
    if (address.storage.ss_family == AF_INET6) {
        const auto native = unwrap<sockaddr_in6>(address);
        if (native.sin6_scope_id != 0) return std::nullopt;
        std::memcpy(result.ip.data(), &native.sin6_addr, result.ip.size());
        result.port = ntohs(native.sin6_port);
        return result;
    }
    if (address.storage.ss_family != AF_INET) return std::nullopt;
    const auto native = unwrap<sockaddr_in>(address);
    result.ip[10] = result.ip[11] = 0xFF;
    std::memcpy(&result.ip[kIpv4Offset], &native.sin_addr, sizeof native.sin_addr);
    result.port = ntohs(native.sin_port);
    return result;
}

Result<Address> resolve(std::string_view text, Family family) {
    const auto where = split(text);
    if (!where) {
        return Error{"bad address '" + std::string{text} +
                     "': expected HOST:PORT with a port of 1 to 65535, as 127.0.0.1:7000 or [::1]:7000"};
    }
    const auto found = look_up(*where);
    if (!found) return found.error();
    // The system sorts them by reachability.
    for (const addrinfo* entry = found->get(); entry != nullptr; entry = entry->ai_next) {
        const auto address = address_in(*entry);
        if (address && to_socket_address(*address, family)) return *address;
    }
    return Error{"host '" + where->host + "' has no address that this socket can reach"};
}

}  // namespace fray
