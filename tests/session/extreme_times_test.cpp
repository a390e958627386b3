// Times at the ends of their range, and clocks below zero: nothing overflows, and nothing waits for time
// zero.

#include "support/pair.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace fray {
namespace {

TEST(ExtremeTimes, AWorldOrAContactCannotHaveATimeThatOverflows) {
    for (const Duration tick : {Duration::max(), Duration::max() / 4, Duration{151s}}) {
        PeerOptions options;
        options.world.tick = tick;
        const auto checked = options.check();
        ASSERT_FALSE(checked);
        EXPECT_NE(checked.error().message.find("tick"), std::string::npos) << checked.error().message;
    }
    PeerOptions options;
    options.overlay = FullMesh{.retry_most = Duration::max(), .forget = Duration::max()};
    EXPECT_FALSE(options.check());
}

TEST(ExtremeTimes, TimesBeyondTheRangeOfTheWireAreClamped) {
    EXPECT_EQ(wire_time(SessionInstant::min()), 0U);
    EXPECT_EQ(wire_time(SessionInstant::max()), kMaxWireTime);
    EXPECT_EQ(session_instant(wire_time(SessionInstant{5s})), SessionInstant{5s});
}

TEST(ExtremeTimes, AMessageForTheBeginningOfTimeArrivesAndOneForItsEndIsRefused) {
    test::Pair pair;
    auto message = test::text("long ago");
    message.at = SessionInstant::min();
    EXPECT_TRUE(pair.peer(0).send(pair.local(0), message));
    message.at = SessionInstant::max();
    EXPECT_FALSE(pair.peer(0).send(pair.local(0), message));
    pair.run_for(1s);
    EXPECT_EQ(pair.events_of<Message>(1).size(), 1U);
}

TEST(ExtremeTimes, APeerWhoseClockIsBelowZeroFindsAllOthers) {
    test::Cluster cluster;
    for (int i = 0; i < 16; ++i) cluster.add({}, -100h);
    cluster.join_all(10s);
    for (std::size_t i = 0; i < cluster.size(); ++i) EXPECT_EQ(cluster.peer(i).peers().size(), 15U) << i;
}

TEST(ExtremeTimes, APeerLivesAtTheEndsOfItsClock) {
    for (const Instant now : {Instant::min(), Instant::max() - 1us}) {
        Peer peer = Peer::create({}, Seed{1}).value();
        EXPECT_TRUE(peer.join(now, Address::from_number(9)));
        peer.handle_time(now);
        std::array<std::uint8_t, kMaxDatagramBytes> buffer;  // NOLINT(*-member-init): written by the peer
        EXPECT_TRUE(peer.poll_datagram(now, buffer));
        EXPECT_NE(peer.poll_wakeup(), kNever);
    }
}

}  // namespace
}  // namespace fray
