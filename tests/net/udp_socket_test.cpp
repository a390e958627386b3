// What the environment may do to a driver: ports in use, no IPv6, datagrams from unknown hosts.

#include "net/udp_socket.hpp"

#include "net/loopback.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fray {
namespace {

using namespace loopback;
using testing::HasSubstr;
using testing::Not;

std::string open_error(const UdpOptions& options) {
    const auto socket = UdpSocket::open(options);
    return socket ? "opened" : socket.error().message;
}

bool has_ipv6() { return UdpSocket::open({.bind_address = "::1"}).has_value(); }

/// Loopback delivers at once or nearly so, but this is not guaranteed.
UdpSocket::Received receive_soon(const UdpSocket& socket, std::span<std::uint8_t> buffer) {
    for (int i = 0; i < 100; ++i) {
        const auto received = socket.receive(buffer);
        if (received.what == UdpSocket::Received::What::datagram) return received;
        socket.wait(200ms, false);
    }
    return socket.receive(buffer);
}

TEST(UdpSocket, FindsAFreePortItself) {
    const auto socket = UdpSocket::open({.bind_address = kIpv4});
    ASSERT_TRUE(socket);
    EXPECT_NE(socket->local_address().port, 0);
    EXPECT_EQ(to_string(socket->local_address()),
              "127.0.0.1:" + std::to_string(socket->local_address().port));
}

TEST(UdpSocket, ATakenPortIsSaid) {
    const auto first = UdpSocket::open({});
    ASSERT_TRUE(first);
    const std::uint16_t port = first->local_address().port;
    const std::string error = open_error({.port = port});
    EXPECT_THAT(error, HasSubstr("UDP port " + std::to_string(port)));
    EXPECT_THAT(error, HasSubstr("taken"));
    EXPECT_THAT(error, Not(HasSubstr("\n")));
    EXPECT_THAT(open_error({.port = port, .bind_address = "0.0.0.0"}), HasSubstr("taken"));
}

TEST(UdpSocket, ABadBindAddressIsSaid) {
    for (const char* bad : {"localhost", "1.2.3", "127.0.0.1:7000", "[::1]", "::g", " "}) {
        EXPECT_THAT(open_error({.bind_address = bad}),
                    HasSubstr("bad bind address '" + std::string{bad} + "'"));
    }
    EXPECT_THAT(open_error({.bind_address = "192.0.2.1"}), HasSubstr("no address of this machine"));
}

TEST(UdpSocket, HearsIpv4OnEveryAddress) {
    const auto all = UdpSocket::open({});
    const auto other = UdpSocket::open({.bind_address = kIpv4});
    ASSERT_TRUE(all && other);
    const auto to = parse_address("127.0.0.1:" + std::to_string(all->local_address().port));
    const std::vector<std::uint8_t> bytes{1, 2, 3};
    ASSERT_EQ(other->send(*to, bytes), UdpSocket::Sent::yes);
    std::vector<std::uint8_t> buffer(16);
    const auto received = receive_soon(*all, buffer);
    EXPECT_EQ(received.size, 3U);
    EXPECT_EQ(received.from, other->local_address());  // IPv4 stays IPv4, also on a socket for both
}

TEST(UdpSocket, AnIpv4SocketCannotReachIpv6) {
    const auto socket = UdpSocket::open({.bind_address = kIpv4});
    ASSERT_TRUE(socket);
    EXPECT_EQ(socket->send(*parse_address("[::1]:7000"), {}), UdpSocket::Sent::failed);
}

TEST(UdpSocket, AskingWithoutDatagramsGivesNothing) {
    const auto socket = UdpSocket::open({.bind_address = kIpv4});
    ASSERT_TRUE(socket);
    std::vector<std::uint8_t> buffer(16);
    EXPECT_EQ(socket->receive(buffer).what, UdpSocket::Received::What::nothing);
    socket->wait(-1ms, false);  // a negative time returns at once
}

TEST(UdpDriverIpv6, TwoPeersSeeEachOther) {
    if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
    const UdpOptions ipv6{.bind_address = "::1"};
    Player first = make_player(1, {}, ipv6);
    Player second = make_player(2, {}, ipv6);
    ASSERT_TRUE(second.driver->join(first.address())) << first.address();
    EXPECT_TRUE(run_until({&first, &second}, [&] { return first.sees(second) && second.sees(first); }));
    constexpr std::uint64_t kUdpIpv6Bytes = 48;
    const UdpCounters& counters = second.driver->counters();
    EXPECT_EQ(second.peer->stats().ledger.total_bytes(),
              counters.bytes_out + counters.datagrams_out * kUdpIpv6Bytes);
}

TEST(UdpDriverJunk, IsCountedAndDoesNoHarm) {
    Player first = make_player(1);
    Player second = make_player(2);
    ASSERT_TRUE(second.driver->join(first.address()));
    ASSERT_TRUE(run_until({&first, &second}, [&] { return first.sees(second) && second.sees(first); }));

    const auto stranger = UdpSocket::open({.bind_address = kIpv4});
    ASSERT_TRUE(stranger);
    RandomStream random{Seed{7}, "junk"};
    constexpr std::uint64_t kJunk = 200;
    const std::uint64_t before = first.peer->stats().rejections.total();
    // From an empty datagram to one longer than Fray ever sends.
    for (std::uint64_t i = 0; i < kJunk; ++i) {
        std::vector<std::uint8_t> bytes(i * 8);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
        ASSERT_EQ(stranger->send(first.driver->local_address(), bytes), UdpSocket::Sent::yes);
        if (i % 16 == 0) first.driver->pump();
    }
    ASSERT_TRUE(run_until({&first, &second}, [&] {
        return first.peer->stats().rejections.total() >= before + kJunk;
    })) << first.peer->stats().rejections.total();
    EXPECT_GT(first.peer->stats().rejections.of(Rejection::too_short), 0U);
    EXPECT_GT(first.peer->stats().rejections.of(Rejection::too_long), 0U);
    EXPECT_EQ(first.peer->peers().size(), 1U);
    EXPECT_EQ(first.event<PeerLeft>(), nullptr);

    ASSERT_TRUE(second.peer->send(second.driver->pump(), {.bytes = {42}}));
    EXPECT_TRUE(run_until({&first, &second}, [&] { return first.event<Message>() != nullptr; }));
}

}  // namespace
}  // namespace fray
