#include "net/socket_address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fray {
namespace {

using testing::HasSubstr;

std::string resolved(const std::string& text, Family family = Family::ipv6) {
    const auto address = resolve(text, family);
    return address ? to_string(*address) : address.error().message;
}

TEST(SocketAddress, RoundTripsThroughTheSystemsForm) {
    for (const char* text : {"127.0.0.1:7000", "255.254.253.252:65535", "[::1]:1", "[2001:db8::1:2]:80"}) {
        const auto address = parse_address(text);
        ASSERT_TRUE(address) << text;
        const auto native = to_socket_address(*address, Family::ipv6);
        ASSERT_TRUE(native) << text;
        EXPECT_EQ(from_socket_address(*native), *address) << text;
    }
    const auto native = to_socket_address(*parse_address("192.0.2.7:7000"), Family::ipv4);
    ASSERT_TRUE(native);
    EXPECT_EQ(native->storage.ss_family, AF_INET);
    EXPECT_EQ(to_string(*from_socket_address(*native)), "192.0.2.7:7000");
}

TEST(SocketAddress, RefusesOtherFamilies) {
    SocketAddress local;
    local.storage.ss_family = AF_UNIX;
    EXPECT_FALSE(from_socket_address(local));
    EXPECT_FALSE(to_socket_address(*parse_address("[::1]:7000"), Family::ipv4));
}

TEST(Resolve, ReadsNumbersAndNames) {
    EXPECT_EQ(resolved("127.0.0.1:7000"), "127.0.0.1:7000");
    EXPECT_EQ(resolved("[::1]:7000"), "[::1]:7000");
    EXPECT_EQ(resolved("[2001:db8::5]:65535"), "[2001:db8::5]:65535");
    EXPECT_EQ(resolved("localhost:7000", Family::ipv4), "127.0.0.1:7000");
}

TEST(Resolve, SaysWhatIsNoAddress) {
    for (const char* bad :
         {"", ":", "7000", "localhost", "127.0.0.1:", ":7000", "127.0.0.1:0", "host:65536", "host:-1",
          "host:+1", "host:7000x", "::1:7000", "[::1]", "[]:7000", "[::1:7000"}) {
        EXPECT_THAT(resolved(bad), HasSubstr("bad address '" + std::string{bad} + "'"));
    }
}

TEST(Resolve, SaysWhichHostIsUnknown) {
    const std::string never(64, 'x');  // one more than a label may have: no name server is asked
    EXPECT_THAT(resolved(never + ".invalid:7000"), HasSubstr("unknown host '" + never));
}

TEST(Resolve, SaysWhereTheSocketDoesNotReach) {
    EXPECT_THAT(resolved("[::1]:7000", Family::ipv4), HasSubstr("no address that this socket can reach"));
}

}  // namespace
}  // namespace fray
