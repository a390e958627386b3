#include "link/datagram.hpp"

#include <fray/random.hpp>

#include "link/hello.hpp"
#include "link/link.hpp"
#include "replica/baseline_tracker.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace fray {
namespace {

RC_GTEST_PROP(DatagramBuilder, EveryByteIsBookedOnce, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "builder"};
    ByteLedger ledger;
    std::uint64_t network_bytes = 0;
    for (int n = 0; n < 50; ++n) {
        std::array<std::uint8_t, kMaxDatagram> buffer{};
        DatagramBuilder datagram{buffer, DatagramKind::data};
        for (int i = 0; i < 60; ++i) {
            const unsigned bits = random.below(65);
            if (bits > datagram.bits_left()) break;
            datagram.out().bits(random.next(), bits);
            if (random.chance(0.3)) {
                datagram.undo();
            } else {
                datagram.book(static_cast<Purpose>(random.below(kPurposeCount)));
            }
        }
        const Address to = Address::from_number(2);
        const std::size_t announced = datagram.network_bytes(to);
        const auto bytes = datagram.finish(Token{random.next() | 1U}, to, ledger);
        RC_ASSERT(announced == bytes.size() + header_bytes(to));
        network_bytes += announced;
        RC_ASSERT(ledger.total_bytes() == network_bytes);
    }
    RC_ASSERT(ledger.datagrams() == 50U);
}

TEST(DatagramBuilder, AFullDatagramIsNeverLongerThanAllowed) {
    std::array<std::uint8_t, 4096> buffer{};
    DatagramBuilder datagram{buffer, DatagramKind::data};
    while (datagram.bits_left() >= 8) datagram.out().bits(0xFF, 8);
    datagram.out().bits(0, static_cast<unsigned>(datagram.bits_left()));
    ByteLedger ledger;
    EXPECT_EQ(datagram.finish(Token{1}, Address::from_number(1), ledger).size(), kMaxDatagram);
    EXPECT_EQ(ledger.total_bytes(), kMaxDatagram + kUdpIpv4Bytes);
}

TEST(Datagram, SixVersionCostsItsHeader) {
    const auto six = parse_address("[2001:db8::1]:7000");
    const auto four = parse_address("127.0.0.1:7000");
    ASSERT_TRUE(six && four);
    EXPECT_EQ(header_bytes(*six), kUdpIpv6Bytes);
    EXPECT_EQ(header_bytes(*four), kUdpIpv4Bytes);
}

TEST(Datagram, OpeningGivesBackKindTokenAndBody) {
    std::array<std::uint8_t, kMaxDatagram> buffer{};
    DatagramBuilder datagram{buffer, DatagramKind::refusal};
    datagram.out().bits(0x1234, 16);
    ByteLedger ledger;
    const auto bytes = datagram.finish(Token{0xABCDEF0123456789}, Address{}, ledger);
    auto opened = open_datagram(bytes);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->kind, DatagramKind::refusal);
    EXPECT_EQ(opened->token, Token{0xABCDEF0123456789});
    EXPECT_EQ(opened->body.bits(16), 0x1234U);
}

TEST(Datagram, TooShortTooLongAndUnknownAreNotOpened) {
    std::array<std::uint8_t, kMaxDatagram + 1> bytes{};
    EXPECT_FALSE(open_datagram(std::span{bytes}.first(0)));
    EXPECT_FALSE(open_datagram(std::span{bytes}.first(kSealBytes)));
    EXPECT_TRUE(open_datagram(std::span{bytes}.first(kSealBytes + 1)));
    EXPECT_TRUE(open_datagram(std::span{bytes}.first(kMaxDatagram)));
    EXPECT_FALSE(open_datagram(bytes));
    bytes[0] = 3;  // a kind that does not exist
    EXPECT_FALSE(open_datagram(std::span{bytes}.first(100)));
}

RC_GTEST_PROP(Hello, WhatWasSaidIsHeard, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "hello"};
    Hello said{.version = static_cast<std::uint16_t>(random.next()),
               .link = static_cast<std::uint16_t>(random.next()),
               .token = random.next(),
               .world = random.next(),
               .id = PeerId::from_number(random.next()),
               .incarnation = static_cast<std::uint32_t>(random.next()),
               .channel = static_cast<std::uint32_t>(random.next()),
               .attempt = static_cast<std::uint8_t>(random.next()),
               .answers = true,
               .answered_link = static_cast<std::uint16_t>(random.next()),
               .answered_attempt = static_cast<std::uint8_t>(random.next()),
               .hold_us = random.below(kMostHold),
               .session_us = random.next() & kMaxWireTime,
               .joined_us = random.next() & kMaxWireTime,
               .hops = static_cast<std::uint8_t>(random.below(kMostHops + 1)),
               .newcomer = random.chance(0.5),
               .early_data = random.chance(0.5)};
    std::array<std::uint8_t, 256> memory{};
    BitWriter out{memory};
    write(out, said);
    BitReader in{out.finish()};
    Hello heard;
    RC_ASSERT(read(in, heard));
    RC_ASSERT(heard.token == said.token);
    RC_ASSERT(heard.id == said.id);
    RC_ASSERT(heard.hold_us == said.hold_us);
    RC_ASSERT(heard.session_us == said.session_us);
    RC_ASSERT(heard.joined_us == said.joined_us);
    RC_ASSERT(heard.answered_link == said.answered_link);
    RC_ASSERT(heard.channel == said.channel);
    RC_ASSERT(heard.hops == said.hops);
}

TEST(Link, AtRestItTakesLessThanAKibibyte) {
    Link link{LinkEnds{}, Instant{}};
    BaselineTracker baselines;
    for (int i = 0; i < 3; ++i) {  // as a quiet link does: keep-alives, acknowledged
        link.sent(Instant{Duration{i * 1000}}, SentRecord{});
        ASSERT_TRUE(
            link.acknowledge(Instant{Duration{i * 1000 + 50}},
                             AckHeader{.newest = static_cast<std::uint16_t>(i), .delay_known = true}));
        link.accept(Instant{Duration{i * 1000}}, static_cast<std::uint16_t>(i));
        link.owe_ack(Instant{Duration{i * 1000}}, AckWait::usual);
        baselines.mark_carried(Instant{}, 0, 1);
    }
    EXPECT_EQ(link.window.delivered(), 3U);
    EXPECT_GT(link.memory_bytes(), sizeof(Link));
    EXPECT_LT(link.memory_bytes() + sizeof(baselines) + baselines.heap_bytes(), 1024U);
}

TEST(Link, AHeaderComesBackAsItWasWritten) {
    Link link{LinkEnds{}, Instant{}};
    for (int i = 0; i < 5; ++i) link.sent(Instant{}, SentRecord{});
    link.accept(Instant{}, 500);
    link.accept(Instant{}, 498);
    link.owe_ack(Instant{}, AckWait::usual);
    std::array<std::uint8_t, kMaxDatagram> buffer{};
    DatagramBuilder datagram{buffer, DatagramKind::data};
    link.write_header(Instant{10ms}, datagram);
    ByteLedger ledger;
    auto opened = open_datagram(datagram.finish(Token{1}, Address{}, ledger));
    ASSERT_TRUE(opened);
    const auto header = Link::read_header(opened->counter, opened->body);
    ASSERT_TRUE(header && header->ack);
    EXPECT_EQ(header->sequence, 5);
    EXPECT_EQ(header->ack->newest, 500);
    EXPECT_EQ(header->ack->earlier, 0b10U);
    EXPECT_NEAR(millis(header->ack->delay), 10, 0.6);
}

}  // namespace
}  // namespace fray
