// What one hostile peer can make this peer hold, and how long.

#include "core/message.hpp"
#include "link/reliable_sender.hpp"
#include "overlay/introduction.hpp"
#include "support/hello_forger.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace fray {
namespace {

using test::Forger;
using test::Pair;

constexpr std::size_t kKib = 1024;

/// A pair in which peer 1 is hostile: a forger sends in its name.
class Bounds : public testing::Test {
protected:
    Bounds() {
        pair_.remember_sent(true);
        pair_.run_for(2s);
        forger_.emplace(*test::last_data(pair_, 1, 0));
        before_ = held();
    }
    [[nodiscard]] std::size_t held() { return pair_.peer(0).memory_bytes(); }
    [[nodiscard]] std::size_t growth() { return held() - std::min(held(), before_); }
    void inject(const std::function<void(BitWriter&)>& body) {
        const auto bytes = forger_->make(body);
        sent_ += bytes.size();
        pair_.inject(0, pair_.address(1), bytes);
    }
    static void reliable(BitWriter& out, ReliableHeader header, std::size_t bytes) {
        header.length = static_cast<std::uint32_t>(bytes);
        write_kind(out, MessageKind::reliable);
        write(out, header);
        for (std::size_t i = 0; i < bytes; ++i) out.bits(0, 8);
    }
    static void fragment(BitWriter& out, std::uint32_t group, FragmentPlace place, std::size_t bytes) {
        write_kind(out, MessageKind::fragment);
        out.bits(group & 0xFFU, 8);
        out.bits(place.index, 6);
        out.bits(place.last, 6);
        write_varint(out, bytes);
        for (std::size_t i = 0; i < bytes; ++i) out.bits(0, 8);
    }

    Pair pair_;
    std::optional<Forger> forger_;
    std::size_t before_ = 0;
    std::size_t sent_ = 0;  // bytes, by the forger
};

TEST_F(Bounds, OneByteFragmentsMakeUsHoldAtMostFourTimesTheirBytes) {
    for (std::uint16_t n = 0; n < 512; ++n) {
        inject([&](BitWriter& out) {
            for (std::uint16_t k = 0; k < 16; ++k) {
                const auto id = static_cast<std::uint16_t>(64 + 16 * n + k);
                reliable(out, {.id = id, .in_pieces = true, .place = {63, 63}}, 1);
            }
            fragment(out, n, {63, 63}, 1);
        });
        ASSERT_LE(growth(), 4 * sent_ + 64 * kKib) << n;
    }
}

TEST_F(Bounds, OnePeerMakesUsHoldAtMostOneMebibyte) {
    for (std::uint16_t n = 0; n < 6000; ++n) {
        const auto index = static_cast<std::uint8_t>(n % 63);
        inject([&](BitWriter& out) {  // 64 pieces, of which the last never comes; every third is ordered
            reliable(out,
                     {.id = n,
                      .ordered = n / 63 % 3 == 0,
                      .order = static_cast<std::uint16_t>(1 + n / 63),
                      .in_pieces = true,
                      .place = {index, 63}},
                     kKib);
        });
        inject([&](BitWriter& out) { fragment(out, n / 63U, {index, 63}, kKib); });
        ASSERT_LE(growth(), kKib * kKib) << n;
    }
}

TEST_F(Bounds, OrderedMessagesThatWaitForTheFirstHoldAtMostOneMebibyte) {
    std::uint16_t id = 0;
    for (std::uint16_t n = 0; n < 128; ++n) {
        for (std::uint8_t index = 0; index < 64; ++index) {
            const auto order = static_cast<std::uint16_t>(1 + n);
            inject([&](BitWriter& out) {
                reliable(out,
                         {.id = id, .ordered = true, .order = order, .in_pieces = true, .place = {index, 63}},
                         kKib);
            });
            ++id;
        }
        ASSERT_LE(growth(), kKib * kKib) << n;
    }
}

TEST(Invented, ContactsThatNeverAnswerDoNotLockNewcomersOut) {
    test::Cluster cluster;
    PeerOptions options;
    options.overlay = FullMesh{.most_peers = 8};
    cluster.add(options);
    cluster.add(options);
    cluster.remember_sent(true);
    cluster.join_all();
    cluster.run_for(2s);
    Forger forger{*test::last_data(cluster, 1, 0)};
    MeshMessage message{.kind = MeshMessage::Kind::introductions};
    for (std::uint32_t i = 0; i < 60; ++i)
        message.introductions.push_back({1000 + i, Address::from_number(1000 + i)});
    std::array<std::uint8_t, 1024> bytes{};
    BitWriter body{bytes};
    write(body, message);
    const auto written = body.finish();
    cluster.inject(0, cluster.address(1), forger.make([&](BitWriter& out) {
        write_kind(out, MessageKind::overlay);
        write_varint(out, written.size());
        out.copy(written, written.size() * 8);
    }));
    cluster.crash(1);
    cluster.run_for(100ms);  // hellos are on their way to all of them
    const std::size_t newcomer = cluster.add(options);
    cluster.join(newcomer, 0);
    cluster.run_for(1s);
    EXPECT_EQ(cluster.events_of<Joined>(newcomer).size(), 1U);
}

/// Members introduce 40 invented contacts each to the first one. Returns how many of them it calls at once.
std::size_t contacts_called(std::size_t introducers, bool at_one_host) {
    test::Cluster cluster;
    for (std::size_t i = 0; i <= introducers; ++i) cluster.add();
    cluster.remember_sent(true);
    cluster.join_all();
    cluster.run_for(2s);
    const std::size_t before = cluster.sent_by(0).size();
    for (std::size_t from = 1; from <= introducers; ++from) {
        MeshMessage message{.kind = MeshMessage::Kind::introductions};
        for (std::uint32_t i = 0; i < 40; ++i) {
            const auto number = static_cast<std::uint32_t>(1000 * from + i);
            Address address = Address::from_number(at_one_host ? 1000 : number);
            if (at_one_host) address.port = static_cast<std::uint16_t>(number);
            message.introductions.push_back({number, address});
        }
        std::array<std::uint8_t, 1024> bytes{};
        BitWriter body{bytes};
        write(body, message);
        const auto written = body.finish();
        Forger forger{*test::last_data(cluster, from, 0)};
        cluster.inject(0, cluster.address(from), forger.make([&](BitWriter& out) {
            write_kind(out, MessageKind::overlay);
            write_varint(out, written.size());
            out.copy(written, written.size() * 8);
        }));
    }
    cluster.run_for(1s);
    std::set<std::uint64_t> tokens;
    for (std::size_t i = before; i < cluster.sent_by(0).size(); ++i) {
        if (const auto hello = test::hello_in(cluster.sent_by(0)[i].bytes)) tokens.insert(hello->token);
    }
    return tokens.size();
}

TEST(Invented, ContactsAreCalledInLimitedNumbersPerIntroducerPerHostAndInAll) {
    EXPECT_EQ(contacts_called(1, false), kMaxUnheardCallsOfOne);
    EXPECT_EQ(contacts_called(1, true), kMaxUnheardCallsAtHost);
    EXPECT_EQ(contacts_called(6, false), kMaxUnheardCalls);
    EXPECT_EQ(contacts_called(6, true), kMaxUnheardCallsAtHost);
}

/// Three peers, of which the last one is hostile: it stays linked and acknowledges nothing.
class Silent : public testing::Test {
protected:
    Silent() {
        for (int i = 0; i < 3; ++i) cluster_.add();
        cluster_.remember_sent(true);
        cluster_.join_all();
        cluster_.run_for(2s);
        cluster_.remember_sent(false);
        forger_.emplace(*test::last_data(cluster_, 2, 0));
        cluster_.crash(2);
    }
    void run_for(Duration span) {
        cluster_.run_for(span);
        if (cluster_.now() < next_alive_) return;
        next_alive_ = cluster_.now() + 1s;
        const auto alive = forger_->make([](BitWriter& out) { write_kind(out, MessageKind::keep_alive); });
        cluster_.inject(0, cluster_.address(2), alive);
    }
    [[nodiscard]] std::size_t dropped() {
        std::size_t count = 0;
        for (const PeerLeft& left : cluster_.events_of<PeerLeft>(0))
            count += left.peer == test::Cluster::id(2) && to_string(left.reason) == "overloaded" ? 1 : 0;
        return count;
    }

    test::Cluster cluster_;
    std::optional<Forger> forger_;
    Duration next_alive_{};
};

TEST_F(Silent, AMemberThatNeverAcknowledgesIsDroppedAndTheOthersGetEveryMessage) {
    constexpr std::size_t kMessages = 6000;
    for (std::size_t i = 0; i < kMessages; ++i) {
        ASSERT_TRUE(cluster_.peer(0).send(cluster_.local(0), test::text("to all"))) << i;
        if (i % 4 == 0) run_for(5ms);
    }
    run_for(2s);
    EXPECT_EQ(cluster_.events_of<Message>(1).size(), kMessages);
    EXPECT_EQ(dropped(), 1U);
    EXPECT_EQ(cluster_.peer(0).peers().size(), 1U);
}

TEST_F(Silent, AFullQueueThatIsNotAcknowledgedDropsItsLinkAfterTheTimeout) {
    auto only_it = test::text("to one");
    only_it.audience.peers = {test::Cluster::id(2)};
    while (cluster_.peer(0).send(cluster_.local(0), only_it)) {
    }
    for (int i = 0; i < 20; ++i) run_for(500ms);
    EXPECT_EQ(dropped(), 1U);
}

TEST_F(Silent, WithdrawalsThatAreNotAcknowledgedAreBounded) {
    const std::size_t before = cluster_.peer(0).memory_bytes();
    for (int i = 0; i < 20'000; ++i) {
        const auto id = cluster_.peer(0).publish(cluster_.local(0), state_of(Pose{}));
        ASSERT_TRUE(id);
        ASSERT_TRUE(cluster_.peer(0).withdraw(cluster_.local(0), *id));
        if (i % 50 == 0) run_for(50ms);
    }
    EXPECT_EQ(dropped(), 1U);
    EXPECT_LE(cluster_.peer(0).memory_bytes(), before + 2048 * kKib);
}

}  // namespace
}  // namespace fray
