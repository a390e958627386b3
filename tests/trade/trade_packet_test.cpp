#include "trade/trade_packet.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace fray {
namespace {

constexpr PeerId kAda = PeerId::from_number(1);
constexpr PeerId kBen = PeerId::from_number(2);
constexpr PeerId kCem = PeerId::from_number(3);

TradePacket any_packet() {
    TradePacket packet;
    packet.kind = static_cast<TradeKind>(*rc::gen::inRange(0, 7));
    packet.name = {.id = {kAda, *rc::gen::arbitrary<std::uint64_t>()},
                   .key = *rc::gen::arbitrary<std::uint64_t>(),
                   .partner = kBen,
                   .witness = kCem};
    const bool with_items = packet.kind == TradeKind::offer || packet.kind == TradeKind::vote;
    const auto count = with_items ? *rc::gen::inRange<std::uint64_t>(0, kMostStacks + 1) : 0;
    for (std::uint64_t i = 0; i < count; ++i)
        packet.give.push_back({ItemId{i * 3}, *rc::gen::positive<std::uint32_t>()});
    packet.ballot = *rc::gen::inRange<Ballot>(1, kLastBallot);
    if (packet.kind == TradeKind::promise) packet.accepted = Accepted{packet.ballot - 1, true};
    packet.commit = *rc::gen::arbitrary<bool>();
    return packet;
}

RC_GTEST_PROP(TradePackets, AreReadAsTheyWereWrittenAndNoCutOneIs, ()) {
    const TradePacket packet = any_packet();
    const std::vector<std::uint8_t> bytes = encode(packet);
    const auto read = decode(bytes);
    RC_ASSERT(read.has_value());
    RC_ASSERT(encode(*read) == bytes);
    RC_ASSERT(read->name == packet.name);
    RC_ASSERT(!decode(std::span{bytes}.first(bytes.size() - 1)));
}

TEST(TradePackets, OfFewerThanThreePeersOrWithItemsThatCannotBeAreRefused) {
    TradePacket packet{.kind = TradeKind::offer, .name = {.id = {kAda, 1}, .partner = kBen, .witness = kCem}};
    EXPECT_TRUE(decode(encode(packet)));
    packet.give = {{ItemId{2}, 1}, {ItemId{1}, 1}};
    EXPECT_FALSE(decode(encode(packet))) << "not in order";
    packet.give = {{ItemId{2}, 1}, {ItemId{2}, 1}};
    EXPECT_FALSE(decode(encode(packet))) << "twice the same";
    packet.give = {{ItemId{2}, 0}};
    EXPECT_FALSE(decode(encode(packet))) << "none of it";
    packet.give.clear();
    packet.name.witness = kBen;
    EXPECT_FALSE(decode(encode(packet)));
}

}  // namespace
}  // namespace fray
