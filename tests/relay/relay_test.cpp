// Two relays, each with replicas of its own, and messages that go from one to the other by hand.

#include "relay/relay_side.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {
namespace {

TEST(Relay, AForwardCarriesAllEntitiesOfTheirOwner) {
    Side from;
    for (const std::uint32_t number : {3U, 5U, 9U}) from.relayed(number);
    from.forward();
    ASSERT_EQ(from.sent.all.size(), 1U);
    Side to;
    const Receipt receipt = to.receive(from.sent.all[0]);
    EXPECT_EQ(receipt.verdict, Receipt::Verdict::taken);
    EXPECT_FALSE(receipt.acknowledge) << "forwards are repeated anyway";
    for (const std::uint32_t number : {3U, 5U, 9U}) EXPECT_TRUE(to.holds(number)) << number;
    EXPECT_EQ(to.observer.passed, (std::vector<std::uint32_t>{3, 5, 9}));
    EXPECT_EQ(to.route.where.position.x, 3) << "the first entity stands for its owner";
}

TEST(Relay, ForwardedStatesAreForwardedAgainAsTheyCame) {
    Side from;
    for (const std::uint32_t number : {3U, 5U}) from.relayed(number);
    from.forward();
    Side between;
    (void)between.receive(from.sent.all.at(0));
    between.relay.forward(kNow, {.to = kOther,
                                 .origin = kOwner,
                                 .state = between.route.last,
                                 .state_bits = between.route.last_bits,
                                 .header = {}});
    EXPECT_EQ(between.sent.all.at(0).bytes, from.sent.all[0].bytes);
    EXPECT_EQ(between.sent.all[0].bits, from.sent.all[0].bits);
}

TEST(Relay, EntitiesThatDoNotFitOneForwardTakeTurnsAfterTheFirst) {
    Side from;
    for (std::uint32_t number = 1; number <= kMaxRelayedStates; ++number) from.relayed(number, {}, 30);
    Side to;
    from.forward();
    (void)to.receive(from.sent.all[0]);
    const std::size_t at_once = to.observer.passed.size();
    EXPECT_GT(at_once, 2U);
    EXPECT_LT(at_once, kMaxRelayedStates) << "or it proves nothing";
    EXPECT_LE(from.sent.all[0].bytes.size(), 300U);
    for (int again = 0; again < 3; ++again) {
        from.forward();
        (void)to.receive(from.sent.all.back());
        EXPECT_EQ(to.route.where.position.x, 1) << "the first is always there";
    }
    for (std::uint32_t number = 1; number <= kMaxRelayedStates; ++number)
        EXPECT_TRUE(to.holds(number)) << number;
}

TEST(Relay, AnOldStateIsLeftOutAndTheOthersGo) {
    Side from;
    from.relayed(1);
    from.relayed(2, 30s);
    from.relayed(3);
    from.forward();
    Side to;
    (void)to.receive(from.sent.all.at(0));
    EXPECT_TRUE(to.holds(1));
    EXPECT_FALSE(to.holds(2));
    EXPECT_TRUE(to.holds(3));
    Side late;
    late.relayed(1, 30s);
    late.relayed(2);
    late.forward();
    EXPECT_TRUE(late.sent.all.empty()) << "its owner is where it was 30 s ago: no peer would take it";
}

TEST(Relay, MoreStatesThanTheLimitAreMalformed) {
    Side side;
    std::vector<std::uint8_t> bytes(kMaxDatagram);
    const auto message = [&](std::size_t states) {
        BitWriter out{bytes};
        for (std::size_t i = 0; i < states; ++i) {
            out.bits(stamp_of(kPresent), kStampBits);
            WholeState state;
            state.number = static_cast<std::uint32_t>(i);
            write_numbered(out, side.options.world, side.codec, state);
            out.boolean(i + 1 != states);
        }
        out.boolean(false);
        const std::size_t bits = out.bit_count();
        out.finish();
        return Sent::One{bytes, bits};
    };
    EXPECT_EQ(side.receive(message(kMaxRelayedStates)).verdict, Receipt::Verdict::taken);
    EXPECT_EQ(side.receive(message(kMaxRelayedStates + 1)).verdict, Receipt::Verdict::malformed);
}

TEST(Relay, AnOrderedStateGoesToEveryLinkAndIsHandedToTheObserver) {
    Side from;
    const QuantisedPose pose = from.codec.quantise(Pose{.position = {5, 5, 5}});
    EXPECT_TRUE(
        from.relay.send_ordered(from.links.up_links(), kOwner, 4, kPresent, {{}, pose, {}, {}}, false));
    ASSERT_EQ(from.sent.all.size(), from.links.up_links().size());
    Side to;
    const Receipt receipt = to.receive(from.sent.all[0]);
    EXPECT_TRUE(receipt.acknowledge) << "the sender measures its link by these";
    EXPECT_EQ(to.observer.ordered, std::vector<std::uint32_t>{4});
    EXPECT_FALSE(to.holds(4)) << "the observer decides";
    EXPECT_TRUE(
        from.relay.send_ordered(from.links.up_links(), kOwner, 4, kPresent - 30s, {{}, pose, {}, {}}, true));
    (void)to.receive(from.sent.all.back());
    EXPECT_EQ(to.observer.ordered.size(), 1U) << "too old, unless it came reliably";
    (void)to.receive(from.sent.all.back(), Delivery::reliable);
    EXPECT_EQ(to.observer.ordered.size(), 2U);
}

TEST(Relay, AStateThatIsNotTakenIsNotReported) {
    Side from;
    from.relayed(1);
    from.forward();
    Side to;
    (void)to.receive(from.sent.all.at(0));
    (void)to.receive(from.sent.all.at(0));
    EXPECT_EQ(to.observer.passed.size(), 1U);
}

TEST(Relay, AFirstStateTooLongForADatagramIsNotForwardedInPart) {
    Side from;
    from.options.world.types = {EntityType::of<Blob>("blob")};
    for (const std::uint32_t number : {1U, 2U, 3U}) {
        RelayedState state;
        state.origin = kOwner;
        state.state.number = number;
        state.state.payload =
            state_of(Pose{}, Blob{std::vector<std::uint8_t>(number == 1 ? 1500 : 300, 7)}).payload;
        state.when = kPresent;
        state.stamp = stamp_of(state.when);
        ASSERT_TRUE(from.replicas.take_relayed(kOwnerLink, state));
    }
    from.forward();
    EXPECT_TRUE(from.sent.all.empty());
}

// --- bundles ---

BundleMember member(std::uint16_t name, bool has_news = true, std::uint8_t fan_out = 0) {
    return {.link = kOwnerLink, .peer = {.name = name, .salt = 9, .fan_out = fan_out}, .has_news = has_news};
}

TEST(Relay, ABundleCarriesTheStatesOfEachPeerThatHasNews) {
    Side from;
    from.relayed(3);
    from.bundle({member(5, false), member(kOwnersName, true, 7)});
    ASSERT_EQ(from.sent.all.size(), 1U);
    Side to;
    const Receipt receipt = to.receive_bundle(from.sent.all[0]);
    EXPECT_EQ(receipt.verdict, Receipt::Verdict::taken);
    EXPECT_FALSE(receipt.acknowledge) << "bundles are repeated anyway";
    EXPECT_TRUE(to.holds(3));
    ASSERT_EQ(to.route.bundled.size(), 2U);
    EXPECT_EQ(to.route.bundled[0].salt, 9);
    EXPECT_EQ(to.route.bundled[1].fan_out, 7);
}

TEST(Relay, StatesOfAPeerThatTheOverlayDoesNotKnowAreDropped) {
    Side from;
    from.relayed(3);
    from.bundle({member(1)});
    Side to;
    EXPECT_EQ(to.receive_bundle(from.sent.all.at(0)).verdict, Receipt::Verdict::taken);
    EXPECT_FALSE(to.holds(3));
}

TEST(Relay, ALongBundleTakesSeveralDatagramsAndLosesNobody) {
    Side from;
    from.relayed(3);
    std::vector<BundleMember> members;
    for (std::uint16_t name = 0; name < 300; ++name) members.push_back(member(name));
    from.bundle(members);
    EXPECT_GT(from.sent.all.size(), 2U);
    Side to;
    for (const Sent::One& one : from.sent.all) {
        EXPECT_LE(one.bytes.size(), kMaxDatagram - kDatagramOverhead);
        EXPECT_EQ(to.receive_bundle(one).verdict, Receipt::Verdict::taken);
    }
    EXPECT_EQ(to.route.bundled.size(), members.size());
}

TEST(Relay, OldStatesInABundleAreRejectedAndTheOthersTaken) {
    Side from;
    from.relayed(3, 1900ms);
    from.bundle({member(kOwnersName)});
    Side to;
    BitReader in{from.sent.all.at(0).bytes, from.sent.all[0].bits};
    const Arrival late{kNow + 5s, kOther, Delivery::unreliable, 0};
    EXPECT_EQ(to.relay.handle_message(late, MessageKind::bundle, in).verdict, Receipt::Verdict::taken);
    EXPECT_EQ(to.rejections.of(Rejection::impossible), 1U);
}

TEST(Relay, ABundleOfTooManyPeersIsMalformed) {
    std::vector<std::uint8_t> bytes(kMaxDatagram);
    BitWriter out{bytes};
    out.bits(0, 8);
    for (std::size_t i = 0; i <= kMaxBundledPeers; ++i) {
        out.boolean(true);
        out.bits(i, 16);
        out.boolean(false);
        out.boolean(false);
    }
    out.boolean(false);
    const std::size_t bits = out.bit_count();
    out.finish();
    Side to;
    EXPECT_EQ(to.receive_bundle({bytes, bits}).verdict, Receipt::Verdict::malformed);
}

TEST(Relay, AnEntityThatItsOwnerDoesNotConfirmWithinASecondIsGone) {
    Side side;
    for (const std::uint32_t number : {1U, 2U, 3U}) side.relayed(number);
    side.heard(1);
    EXPECT_TRUE(side.holds(2)) << "its state may be in the owner's next datagram";
    side.relayed(4);
    EXPECT_FALSE(side.holds(4)) << "the owner is heard: it tells of its entities itself";
    side.heard(2, kNow + 500ms);
    side.heard(1, kNow + 1001ms);
    EXPECT_EQ(side.observer.gone, std::vector<std::uint32_t>{3});
    EXPECT_TRUE(side.holds(1));
    EXPECT_TRUE(side.holds(2));
}

}  // namespace
}  // namespace fray
