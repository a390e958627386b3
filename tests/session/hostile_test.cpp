// Bytes from unknown hosts and from hostile linked peers: dropped and counted, without any other effect.

#include "core/message.hpp"
#include "link/datagram.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;
using test::Forger;
using test::Pair;
using test::text;

/// A pair that exchanges updates, and an attacker that has seen its traffic.
class Hostile : public testing::Test {
protected:
    Hostile() {
        pair_.remember_sent(true);
        id_ = *pair_.peer(1).publish(pair_.local(1), state_of(Pose{}));
        talk(20);
    }
    void talk(int frames) {
        for (int i = 0; i < frames; ++i) {
            pose_.position.x = static_cast<float>(++said_ % 500);
            ASSERT_TRUE(pair_.peer(1).update(pair_.local(1), id_, state_of(pose_)));
            pair_.run_for(50ms);
        }
    }
    Forger forger() { return Forger{*test::last_data(pair_, 1, 0)}; }
    void inject(std::span<const std::uint8_t> bytes) { pair_.inject(0, pair_.address(1), bytes); }
    [[nodiscard]] std::uint64_t rejected(Rejection why) { return pair_.peer(0).stats().rejections.of(why); }
    /// The link still works in both directions, and no event was reported.
    void expect_unharmed() {
        talk(5);
        pair_.run_for(1s);
        ASSERT_TRUE(pair_.linked());
        const auto replica = pair_.peer(0).replica(pair_.local(0), id_);
        ASSERT_TRUE(replica);
        EXPECT_EQ(replica->received.position.x, pose_.position.x);
        for (const Replica& r : pair_.peer(0).replicas(pair_.local(0))) {
            EXPECT_LE(std::abs(r.pose.position.x), 1024);
            EXPECT_LE(std::abs(r.pose.position.y), 1024);
        }
        EXPECT_LT(pair_.peer(0).memory_bytes(), 4'000'000U);
    }
    static void type(BitWriter& out, MessageKind type) { write_kind(out, type); }

    Pair pair_;
    EntityId id_;
    Pose pose_;
    int said_ = 0;
    RandomStream random_{Seed{7}, "hostile"};
};

TEST_F(Hostile, RandomBytesAreDroppedAndCounted) {
    const auto before = pair_.peer(0).stats().rejections.total();
    for (int i = 0; i < 5000; ++i) {
        std::vector<std::uint8_t> bytes(random_.below(1400));
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_.next());
        inject(bytes);
    }
    const auto after = pair_.peer(0).stats().rejections;
    EXPECT_GE(after.total() - before, 4900U);
    for (const Rejection why :
         {Rejection::too_short, Rejection::too_long, Rejection::unknown_kind, Rejection::unknown_link}) {
        EXPECT_GT(after.of(why), 0U) << to_string(why);
    }
    expect_unharmed();
    EXPECT_TRUE(pair_.events_of<PeerLeft>(0).empty());
}

TEST_F(Hostile, FlippedBitsHarmNothing) {
    for (int i = 0; i < 3000; ++i) {
        auto bytes = *test::last_data(pair_, 1, 0);
        for (std::uint32_t flips = 1 + random_.below(4); flips > 0; --flips) {
            bytes[random_.below(static_cast<std::uint32_t>(bytes.size() - kSealBytes))] ^=
                static_cast<std::uint8_t>(1U << random_.below(8));
        }
        inject(bytes);
        if (i % 100 == 0) talk(1);
    }
    EXPECT_GT(pair_.peer(0).stats().rejections.total(), 1000U);
    // Until datagrams are encrypted, a changed sequence number may block the link: it must then be set up
    // again.
    pair_.run_for(15s);
    expect_unharmed();
}

TEST_F(Hostile, TruncatedDatagramsAreDropped) {
    const auto real = *test::last_data(pair_, 1, 0);
    for (std::size_t size = 0; size < real.size(); ++size) inject(std::span{real}.first(size));
    EXPECT_GE(pair_.peer(0).stats().rejections.total(), real.size() / 2);
    expect_unharmed();
}

TEST_F(Hostile, AForgedTokenIsNamed) {
    auto bytes = *test::last_data(pair_, 1, 0);
    bytes[bytes.size() - kSealBytes] ^= 1;
    inject(bytes);
    EXPECT_EQ(rejected(Rejection::bad_token), 1U);
    expect_unharmed();
}

TEST_F(Hostile, AReplayedDatagramIsNamed) {
    const auto bytes = *test::last_data(pair_, 1, 0);
    pair_.run_for(30ms);
    inject(bytes);
    EXPECT_EQ(rejected(Rejection::duplicate), 1U);
    talk(80);
    inject(bytes);
    EXPECT_EQ(rejected(Rejection::stale), 1U);
    expect_unharmed();
}

TEST_F(Hostile, AReplayFromElsewhereDoesNotMoveTheLink) {
    const auto bytes = *test::last_data(pair_, 1, 0);
    pair_.run_for(30ms);
    const std::size_t sent = pair_.sent_by(0).size();
    pair_.inject(0, Address::from_number(666), bytes);
    ASSERT_TRUE(pair_.peer(0).send(pair_.local(0), text("where?")));
    pair_.run_for(20ms);
    std::size_t astray = 0;
    for (std::size_t i = sent; i < pair_.sent_by(0).size(); ++i)
        astray += pair_.sent_by(0)[i].to == Cluster::kNobody;
    EXPECT_GT(pair_.sent_by(0).size(), sent);
    EXPECT_EQ(astray, 0U);
}

TEST_F(Hostile, AReplayDoesNotKeepTheDeadAlive) {
    const auto bytes = *test::last_data(pair_, 1, 0);
    pair_.crash(1);
    for (int i = 0; i < 20; ++i) {
        pair_.run_for(500ms);
        inject(bytes);
    }
    EXPECT_TRUE(pair_.peer(0).peers().empty());
}

TEST_F(Hostile, LengthsThatOverflowAreRefused) {
    Forger forger = this->forger();
    for (unsigned shift = 11; shift < 64; ++shift) {
        inject(forger.make([&](BitWriter& out) {
            type(out, MessageKind::overlay);
            write_varint(out, std::uint64_t{1} << shift);
            for (int i = 0; i < 900; ++i) out.bits(0xAA, 8);
        }));
        inject(forger.make([&](BitWriter& out) {
            type(out, MessageKind::fragment);
            out.bits(0, 20);
            write_varint(out, std::uint64_t{1} << shift);
        }));
        inject(forger.make([&](BitWriter& out) {
            type(out, MessageKind::game);
            out.bits(0, 52);
            write_varint(out, std::uint64_t{1} << shift);
        }));
    }
    EXPECT_GE(rejected(Rejection::malformed), 100U);
}

// An overlay message in fragments may be longer than any datagram.
TEST_F(Hostile, ALongOverlayMessageInPiecesIsRefused) {
    std::vector<std::uint8_t> whole(40'000, 0x55);
    BitWriter inner{whole};
    type(inner, MessageKind::overlay);
    write_varint(inner, 30'000);
    Forger forger = this->forger();
    const std::size_t pieces = whole.size() / 1024;
    for (std::size_t i = 0; i < pieces; ++i) {
        inject(forger.make([&](BitWriter& out) {
            type(out, MessageKind::fragment);
            out.bits(9, 8);
            out.bits(i, 6);
            out.bits(pieces - 1, 6);
            write_varint(out, 1024);
            out.copy(std::span{whole}.subspan(i * 1024, 1024), std::size_t{1024} * 8);
        }));
    }
    EXPECT_GE(rejected(Rejection::malformed), 1U);
}

TEST_F(Hostile, UnknownMessagesAndEntitiesAreNamed) {
    Forger forger = this->forger();
    inject(forger.make([&](BitWriter& out) { out.bits(0xFF, 2 * kMessageKindBits); }));
    EXPECT_EQ(rejected(Rejection::unknown_message), 1U);
    inject(forger.make([&](BitWriter& out) {
        type(out, MessageKind::state);
        out.bits(0, 16);
        out.boolean(true);
        write_varint(out, 99);
        out.bits(3, 5);
        out.bits(0, 64);
    }));
    EXPECT_EQ(rejected(Rejection::unknown_entity), 1U);
}

TEST_F(Hostile, FloodsOfEntitiesAndPiecesAreBounded) {
    Forger forger = this->forger();
    for (std::uint32_t n = 0; n < 20'000; ++n) {
        inject(forger.make([&](BitWriter& out) {
            type(out, MessageKind::state);
            out.bits(0, 16);
            for (int k = 0; k < 20; ++k) {
                out.boolean(true);
                write_varint(out, 1000 + random_.below(1'000'000));
                out.bits(0, 5);
                for (int b = 0; b < 12; ++b) out.bits(0, 8);  // about a whole pose, wherever it is
            }
        }));
        inject(forger.make([&](BitWriter& out) {
            type(out, MessageKind::fragment);
            out.bits(n & 0xFFU, 8);
            out.bits(63, 6);
            out.bits(63, 6);
            write_varint(out, 1024);
            for (int b = 0; b < 1024; ++b) out.bits(n, 8);
        }));
        (void)pair_.peer(0).poll_event();
    }
    EXPECT_LE(pair_.peer(0).replicas(pair_.local(0)).size(), 4096U);
    EXPECT_LT(pair_.peer(0).memory_bytes(), 8'000'000U);
}

}  // namespace
}  // namespace fray
