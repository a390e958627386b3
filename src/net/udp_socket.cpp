#include "net/udp_socket.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace fray {

namespace {

constexpr int kNone = -1;

/// UdpOptions::bind_address, parsed.
struct BindAddress {
    Family family = Family::ipv6;
    Address address{};
    bool any_family = false;  ///< IPv4 is used if there is no IPv6
};

std::optional<BindAddress> understand(const UdpOptions& options) {
    BindAddress bind{.address = {.ip = {}, .port = options.port}};
    if (options.bind_address.empty()) {
        bind.any_family = true;
        return bind;
    }
    if (inet_pton(AF_INET6, options.bind_address.c_str(), bind.address.ip.data()) == 1) return bind;
    in_addr ipv4{};
    if (inet_pton(AF_INET, options.bind_address.c_str(), &ipv4) != 1) return std::nullopt;
    bind.family = Family::ipv4;
    bind.address.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    std::memcpy(&bind.address.ip[12], &ipv4, sizeof ipv4);
    return bind;
}

Error open_error(const UdpOptions& options, int code) {
    const std::string where = options.bind_address.empty() ? "" : " of " + options.bind_address;
    const std::string what = "cannot open UDP port " + std::to_string(options.port) + where + ": ";
    if (code == EADDRINUSE) return Error{what + "the port is taken; choose another, or 0 for any free one"};
    if (code == EADDRNOTAVAIL) return Error{what + "the bind address is no address of this machine"};
    if (code == EACCES) return Error{what + "not allowed (ports below 1024 are often reserved)"};
    return Error{what + std::strerror(code)};
}

void set_option(int descriptor, int level, int name, int value) {
    // All of them are optional: the socket works without.
    (void)setsockopt(descriptor, level, name, &value, sizeof value);
}

/// A bound descriptor, or kNone with the reason in errno.
int open_bound(const BindAddress& bind, std::uint32_t buffer_bytes) {
    const int domain = bind.family == Family::ipv6 ? AF_INET6 : AF_INET;
    const int descriptor = socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
    if (descriptor == kNone) return kNone;
    if (bind.family == Family::ipv6) set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    const int bytes = static_cast<int>(std::min<std::uint32_t>(buffer_bytes, 1U << 30U));
    set_option(descriptor, SOL_SOCKET, SO_RCVBUF, bytes);
    set_option(descriptor, SOL_SOCKET, SO_SNDBUF, bytes);
    const auto native = to_socket_address(bind.address, bind.family);
    if (native && ::bind(descriptor, native->data(), native->size) == 0) return descriptor;
    const int why = errno;
    close(descriptor);
    errno = why;
    return kNone;
}

BindAddress every_ipv4_address(std::uint16_t port) {
    return {.family = Family::ipv4,
            .address = {.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, .port = port}};
}

}  // namespace

Result<UdpSocket> UdpSocket::open(const UdpOptions& options) {
    auto bind = understand(options);
    if (!bind) {
        return Error{"bad bind address '" + options.bind_address +
                     "': expected an IP address without port, as 0.0.0.0 or ::1"};
    }
    int descriptor = open_bound(*bind, options.buffer_bytes);
    if (descriptor == kNone && bind->any_family && errno != EADDRINUSE && errno != EACCES) {
        bind = every_ipv4_address(options.port);
        descriptor = open_bound(*bind, options.buffer_bytes);
    }
    if (descriptor == kNone) return open_error(options, errno);
    return UdpSocket{descriptor, bind->family};
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, kNone)}, family_{other.family_} {}

UdpSocket& UdpSocket::operator=(UdpSocket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(family_, other.family_);
    return *this;
}

UdpSocket::~UdpSocket() {
    if (descriptor_ != kNone) close(descriptor_);
}

Address UdpSocket::local_address() const {
    SocketAddress native;
    if (getsockname(descriptor_, native.data(), &native.size) != 0) return {};
    return from_socket_address(native).value_or(Address{});
}

UdpSocket::Sent UdpSocket::send(const Address& to, std::span<const std::uint8_t> bytes) const {
    const auto native = to_socket_address(to, family_);
    if (!native) return Sent::failed;
    // The system may report here that an earlier datagram could not be delivered. This one was then not sent.
    constexpr int kTries = 3;
    for (int i = 0; i < kTries; ++i) {
        if (sendto(descriptor_, bytes.data(), bytes.size(), 0, native->data(), native->size) >= 0)
            return Sent::yes;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return Sent::would_block;
        if (errno != EINTR && errno != ECONNREFUSED) return Sent::failed;
    }
    return Sent::failed;
}

UdpSocket::Received UdpSocket::receive(std::span<std::uint8_t> buffer) const {
    using What = Received::What;
    SocketAddress native;
    ssize_t size = -1;
    do {
        size = recvfrom(descriptor_, buffer.data(), buffer.size(), 0, native.data(), &native.size);
    } while (size < 0 && errno == EINTR);
    if (size < 0) {
        const bool none = errno == EAGAIN || errno == EWOULDBLOCK;
        return {.what = none ? What::nothing : What::error};
    }
    const auto from = from_socket_address(native);
    if (!from) return {.what = What::error};  // an answer could not be sent there
    return {.what = What::datagram, .from = *from, .size = static_cast<std::size_t>(size)};
}

void UdpSocket::wait(Duration most, bool for_sending) const {
    const auto wanted = for_sending ? POLLIN | POLLOUT : POLLIN;
    pollfd watched{.fd = descriptor_, .events = static_cast<short>(wanted), .revents = 0};
    const std::int64_t micros_left = std::max<std::int64_t>(micros(most), 0);
    const timespec limit{.tv_sec = micros_left / 1'000'000, .tv_nsec = micros_left % 1'000'000 * 1000};
    (void)ppoll(&watched, 1, &limit, nullptr);
}

}  // namespace fray
