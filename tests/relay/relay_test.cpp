// Two relays, each with replicas of its own, and messages that go from one to the other by hand.

#include "relay/relay.hpp"

#include "core/lasting.hpp"
#include "replica/replicas.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {
namespace {

constexpr PeerId kOwner = PeerId::from_number(7);
constexpr LinkNumber kOwnerLink = 1;
constexpr LinkNumber kOther = 2;
constexpr std::uint16_t kOwnersName = 0xABCD;  // in bundles
constexpr Instant kNow{Duration{100s}};
constexpr SessionInstant kPresent{Duration{100s}};

struct Blob {
    std::vector<std::uint8_t> bytes;
};
template <class Stream>
void serialize(Stream& stream, Blob& blob) {
    stream.bytes(blob.bytes, 2000);
}

class Clock final : public TimeSource {
public:
    [[nodiscard]] SessionInstant session_time(Instant now) const override {
        return SessionInstant{now.time_since_epoch()};
    }
    [[nodiscard]] std::uint8_t hops() const override { return 0; }
    [[nodiscard]] std::uint64_t joined_us() const override { return 0; }
};

class Links final : public LinkDirectory {
public:
    Links() {
        add(kOwnerLink, kOwner);
        add(kOther, PeerId::from_number(8));
    }
    [[nodiscard]] bool is_proven(LinkNumber) const override { return true; }
    [[nodiscard]] LinkStats stats(LinkNumber) const override { return {}; }
    [[nodiscard]] Duration patience(LinkNumber) const override { return 1s; }
};

class Sent final : public Outbox {
public:
    struct One {
        std::vector<std::uint8_t> bytes;
        std::size_t bits = 0;
    };
    MessageKind expected = MessageKind::relayed;
    bool send_bits(LinkNumber, MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits,
                   const Sending&) override {
        EXPECT_EQ(kind, expected);
        all.push_back({{bytes.begin(), bytes.end()}, bits});
        return true;
    }
    [[nodiscard]] bool has_room(LinkNumber, std::size_t) const override { return true; }
    void give_up(LinkNumber) override {}
    void wake(LinkNumber) override {}
    [[nodiscard]] std::size_t largest_datagram() const override { return kMaxDatagram; }
    std::vector<One> all;
};

/// A route without a header: every state is wanted, and is the owner's.
class Route final : public RelayRoute {
public:
    [[nodiscard]] std::optional<PeerId> handle_forward(Instant, LinkNumber, BitReader&,
                                                       const PassedOn& update) override {
        last.assign(update.state.begin(), update.state.end());
        last_bits = update.state_bits;
        where = update.where;
        if (!update.timely) return std::nullopt;
        return kOwner;
    }
    [[nodiscard]] std::optional<PeerId> handle_bundled(Instant, LinkNumber,
                                                       const BundledPeer& peer) override {
        bundled.push_back(peer);
        if (peer.name != kOwnersName) return std::nullopt;
        return kOwner;
    }
    std::vector<BundledPeer> bundled;
    std::vector<std::uint8_t> last;
    std::size_t last_bits = 0;
    Sighting where{};
};

class Observer final : public RelayObserver, public StateObserver, public AppearanceObserver {
public:
    void handle_passed_on(Instant, LinkNumber, std::uint32_t number) override { passed.push_back(number); }
    void handle_ordered(Instant, LinkNumber, const RelayedState& state) override {
        ordered.push_back(state.state.number);
    }
    [[nodiscard]] bool wants_states(LinkNumber) const override { return false; }
    void handle_state(Instant, LinkNumber, const HeardState&, bool) override {}
    void handle_entity_gone(LinkNumber, std::uint32_t number) override { gone.push_back(number); }
    void handle_appeared(LinkNumber, std::uint32_t) override {}
    void handle_gone(LinkNumber, std::uint32_t) override {}
    std::vector<std::uint32_t> passed;
    std::vector<std::uint32_t> ordered;
    std::vector<std::uint32_t> gone;
};

class Side {
public:
    Side() {
        options.world.types = {EntityType::bare("bare")};
        replicas.connect(observer, observer, nullptr);
        relay.connect(route, observer);
    }
    /// A state of the owner's entity that another peer relayed.
    void relayed(std::uint32_t number, Duration ago = {}, std::size_t input_bytes = 0) {
        RelayedState state;
        state.origin = kOwner;
        state.state.number = number;
        state.state.pose = codec.quantise(Pose{.position = {static_cast<float>(number), 2, 3}});
        state.state.input.assign(input_bytes, 1);
        state.when = kPresent - ago;
        state.stamp = stamp_of(state.when);
        replicas.take_relayed(kOwnerLink, state);
    }
    /// The owner itself sends the state of an entity.
    void heard(std::uint32_t number, Instant now = kNow) {
        std::vector<std::uint8_t> bytes(100);
        BitWriter out{bytes};
        out.bits(stamp_of(SessionInstant{now.time_since_epoch()}), kStampBits);
        out.boolean(true);
        write_varint(out, number);
        out.bits(0, kBackBits);
        codec.write_full(out, codec.quantise(Pose{}));
        out.boolean(false);
        out.boolean(false);
        BitReader in{out.finish()};
        const Receipt receipt = replicas.handle_message({now, kOwnerLink, Delivery::unreliable, ++sequence},
                                                        MessageKind::state, in);
        EXPECT_EQ(receipt.verdict, Receipt::Verdict::taken);
    }
    void forward() { relay.forward(kNow, {.to = kOther, .origin = kOwner, .state = {}, .header = {}}); }
    Receipt receive(const Sent::One& one, Delivery delivery = Delivery::unreliable) {
        BitReader in{one.bytes, one.bits};
        return relay.handle_message({kNow, kOther, delivery, 0}, MessageKind::relayed, in);
    }
    void bundle(const std::vector<BundleMember>& members) {
        sent.expected = MessageKind::bundle;
        relay.bundle(kNow, kOther, members);
    }
    Receipt receive_bundle(const Sent::One& one) {
        BitReader in{one.bytes, one.bits};
        return relay.handle_message({kNow, kOther, Delivery::unreliable, 0}, MessageKind::bundle, in);
    }
    [[nodiscard]] bool holds(std::uint32_t number) const {
        return replicas.newest(kOwnerLink, number).has_value();
    }

    PeerOptions options;
    PoseCodec codec{options.world};
    Clock clock;
    Links links;
    Sent sent;
    Mailbox mailbox;
    RejectionCounts rejections;
    PartContext context{PeerId::from_number(1), options, codec, clock, links, sent, mailbox, rejections};
    Replicas replicas{context, true};
    Relay relay{context, replicas};
    Route route;
    Observer observer;
    std::uint16_t sequence = 0;
};

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

// --- relays that lie ---

/// At most 10 units per second.
bool is_slow(const Pose& before, std::span<const std::uint8_t>, const Pose& after,
             std::span<const std::uint8_t>, Duration elapsed) {
    return length(after.position - before.position) <= 10 * static_cast<float>(seconds(elapsed)) + 1;
}

class LyingRelay : public ::testing::Test {
protected:
    LyingRelay() { to_.options.world.types[0].valid = &is_slow; }
    /// The relay says that the owner was there at that time. Returns where the receiver shows it.
    float says(float x, Duration at) {
        RelayedState state;
        state.origin = kOwner;
        state.state.number = 1;
        state.state.pose = to_.codec.quantise(Pose{.position = {x, 0, 0}});
        state.when = kPresent + at;
        state.stamp = stamp_of(state.when);
        taken_ = to_.replicas.take_relayed(kOwnerLink, state);
        return to_.replicas.newest(kOwnerLink, 1)->pose.position.x;
    }
    [[nodiscard]] std::uint64_t refused() const { return to_.rejections.of(Rejection::impossible); }

    Side to_;
    bool taken_ = false;
};

TEST_F(LyingRelay, AnAlteredStateThatTheRulesOfMotionForbidIsRefusedAndCounted) {
    EXPECT_NEAR(says(100, 0s), 100, 0.2);
    EXPECT_NEAR(says(500, 1s), 100, 0.2);
    EXPECT_FALSE(taken_);
    EXPECT_EQ(refused(), 1U);
    EXPECT_NEAR(says(108, 1s), 108, 0.2) << "the truth is taken";
    EXPECT_TRUE(taken_);
}

TEST_F(LyingRelay, ALieStaysWithinTheRulesOfMotionFromTheLastTrueState) {
    (void)says(0, 0s);
    float shown = 0;
    int refusals = 0;
    for (int step = 1; step <= 10; ++step) {  // ever bolder
        const float x = shown + 4 * static_cast<float>(step);
        shown = says(x, step * 1s);
        refusals += taken_ ? 0 : 1;
        EXPECT_LE(shown, 11.5F * static_cast<float>(step));
    }
    EXPECT_GT(shown, 15) << "some lies were believed";
    EXPECT_GT(refusals, 3) << "and some were not";
}

TEST_F(LyingRelay, ALieThatWasBelievedKeepsOutTheTruthForTwoAndAHalfSecondsAtMost) {
    (void)says(500, 0s);  // the first state: nothing to compare with
    EXPECT_NEAR(says(100, 2s), 500, 0.2) << "the lie holds";
    EXPECT_EQ(refused(), 1U);
    EXPECT_NEAR(says(100, 2600ms), 100, 0.2);
}

}  // namespace
}  // namespace fray
