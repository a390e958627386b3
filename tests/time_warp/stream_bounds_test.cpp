// What the streams of a member hold, and for how long, whatever another member sends.

#include <fray/encode.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/stream_messages.hpp"
#include "time_warp/stream_net.hpp"

#include <gtest/gtest.h>

namespace fray {
namespace {

using test::Net;

PeerId id(std::uint64_t number) { return PeerId::from_number(number); }

TEST(StreamBounds, RequestsOfAMemberAreBoundedAndTakeNoRoomFromOtherEvents) {
    Net net{1};
    for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
    net.run(3s);
    TickStreams& streams = *net.node(id(1)).streams;
    for (int i = 0; i < 5000; ++i) {
        StreamDatum datum{.is_note = true};
        datum.note = {.match = 1, .kind = StreamNote::Kind::wanted, .tick = i};
        if (i % 2 == 0) datum.note.kind = StreamNote::Kind::desync;
        streams.handle_message(Instant{3s}, id(2), to_bytes(datum));
    }
    EXPECT_EQ(streams.counts().dropped_events, 5000U - 1024U);
    const std::size_t before = net.node(id(1)).events.size();
    net.crash(id(3));
    net.run(6s);
    EXPECT_EQ(net.count<MemberLeft>(id(1)), 1U);
    EXPECT_GE(net.node(id(1)).events.size(), before + 1024U);
}

TEST(StreamBounds, AStateIsAskedForAgainOnlyIfNoPieceHasComeForAWhile) {
    Net net{2};
    for (std::uint64_t i = 1; i <= 2; ++i) net.add(i);
    net.run(3s);
    net.state_bytes_ = 600'000;  // 11 s, at one piece per frame
    const std::size_t asked = net.count<StateAsked>(id(1)) + net.count<StateAsked>(id(2));
    const PeerId late = net.add(3);
    net.run(14s);
    EXPECT_EQ(net.count<StateArrived>(late), 1U);
    EXPECT_EQ(net.count<StateAsked>(id(1)) + net.count<StateAsked>(id(2)), asked + 1);

    // The member that sends the state crashes: another one is asked.
    const PeerId later = net.add(4);
    net.run(3s);
    net.crash(id(1));
    net.run(20s);
    EXPECT_EQ(net.count<StateArrived>(later), 1U);
}

}  // namespace
}  // namespace fray
