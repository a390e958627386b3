#include <fray/ids.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace fray {
namespace {

TEST(Address, Ipv4IsKeptAsMappedIpv6) {
    const auto address = parse_address("127.0.0.1:7000");
    ASSERT_TRUE(address);
    EXPECT_EQ(address->port, 7000);
    EXPECT_EQ(address->ip,
              (std::array<std::uint8_t, 16>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1}));
    EXPECT_FALSE(address->is_ipv6());
    EXPECT_EQ(to_string(*address), "127.0.0.1:7000");
}

TEST(Address, Ipv6IsWrittenInItsShortestForm) {
    const std::array<std::pair<const char*, const char*>, 7> cases{{
        {"[::1]:7000", "[::1]:7000"},
        {"[::]:80", "[::]:80"},
        {"[2001:DB8:0:0:1:0:0:1]:9", "[2001:db8::1:0:0:1]:9"},
        {"[1:2:3:4:5:6:7:8]:65535", "[1:2:3:4:5:6:7:8]:65535"},
        {"[fe80::]:1000", "[fe80::]:1000"},
        {"[1:0:3:4:5:6:7:8]:1000", "[1:0:3:4:5:6:7:8]:1000"},
        {"[::ffff:10.0.0.1]:53", "10.0.0.1:53"},
    }};
    for (const auto& [text, shortest] : cases) {
        const auto address = parse_address(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(to_string(*address), shortest);
    }
}

TEST(Address, WhatIsNoAddressWithAPortIsRefused) {
    for (const char* text : {"",
                             "127.0.0.1",
                             "127.0.0.1:",
                             "127.0.0.1:0",
                             "127.0.0.1:65536",
                             "127.0.0.1:123456",
                             "127.0.0.256:1",
                             "1.2.3:4",
                             "1.2.3.4.5:6",
                             "1.2.3.4:7 ",
                             " 1.2.3.4:7",
                             "1.2.3.4:-7",
                             "::1:7000",
                             "[::1]",
                             "[::1]7000",
                             "[::1:7000",
                             "[1::2::3]:1",
                             "[1:2:3:4:5:6:7]:1",
                             "[1:2:3:4:5:6:7:8:9]:1",
                             "[1:2:3:4:5:6:7::8]:1",
                             "[12345::]:1",
                             "[g::]:1",
                             "[:1]:1",
                             "[1:]:1",
                             "[::1.2.3]:4",
                             "[1:2:3:4:5:6:7:1.2.3.4]:5",
                             "localhost:7000"}) {
        EXPECT_FALSE(parse_address(text)) << text;
    }
    EXPECT_TRUE(parse_address("[1:2:3:4:5:6:7::]:1"));
    EXPECT_TRUE(parse_address("[1:2:3:4:5:6:1.2.3.4]:5"));
}

RC_GTEST_PROP(Address, TextAndAddressAreEachOthersInverse, ()) {
    Address address;
    for (std::uint8_t& byte : address.ip) byte = *rc::gen::element<std::uint8_t>(0, 0, 0, 1, 0x20, 0xFF);
    address.port = *rc::gen::inRange<std::uint16_t>(1, 0xFFFF);
    RC_ASSERT(parse_address(to_string(address)) == address);
}

RC_GTEST_PROP(Address, AnyTextIsReadWithoutHarm, ()) {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string{"0123456789abcdefF:[]. "}));
    if (const auto address = parse_address(text)) RC_ASSERT(parse_address(to_string(*address)) == address);
}

RC_GTEST_PROP(Address, AddressesAreOrderedByIpThenPort, ()) {
    const auto any_address = [] {
        Address address;
        for (std::uint8_t& byte : address.ip) byte = *rc::gen::element<std::uint8_t>(0, 0, 0, 0xFF);
        address.port = *rc::gen::element<std::uint16_t>(1, 2, 0x100);
        return address;
    };
    const Address a = any_address();
    Address b = any_address();
    if (*rc::gen::arbitrary<bool>()) b.ip = a.ip;
    RC_ASSERT((a < b) == (std::pair{a.ip, a.port} < std::pair{b.ip, b.port}));
    RC_ASSERT(((a <=> b) == 0) == (a == b));
}

TEST(Address, SimulatedAddressesCountAsIpv4) {
    EXPECT_FALSE(Address::from_number(7).is_ipv6());
    EXPECT_FALSE(Address::from_number(~std::uint64_t{0}).is_ipv6());
    EXPECT_EQ(Address::from_number(1234567).number(), 1234567U);
    EXPECT_TRUE(parse_address("[::1]:7000")->is_ipv6());
    EXPECT_TRUE(parse_address("[2001:db8::1]:1")->is_ipv6());
}

TEST(PeerId, IsWrittenAs32HexadecimalDigits) {
    EXPECT_EQ(to_string(PeerId::from_number(0xABCDEF)), "00000000000000000000000000abcdef");
    EXPECT_EQ(PeerId::from_number(0xABCDEF).number(), 0xABCDEFU);
    EXPECT_LT(PeerId::from_number(255), PeerId::from_number(256));
}

}  // namespace
}  // namespace fray
