#pragma once
// A relay with replicas of its own, for tests that pass messages from one to the other by hand.

#include "core/lasting.hpp"
#include "relay/relay.hpp"
#include "replica/replicas.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {
namespace {  // the names are common: other programs' parts have them, too

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

}  // namespace
}  // namespace fray
