#include "link/parked_channels.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

/// A link with this many bytes of unacknowledged messages.
Link link_with(std::uint64_t peer, std::size_t bytes) {
    LinkEnds ends;
    ends.peer = PeerId::from_number(peer);
    Link link{ends, Instant{}};
    link.channel.id = static_cast<std::uint32_t>(peer);
    const std::vector<std::uint8_t> message(kFragmentBytes);
    for (std::size_t queued = 0; queued < bytes; queued += message.size())
        EXPECT_TRUE(link.channel.out.queue(message, false, Purpose::reliable));
    return link;
}

TEST(ParkedChannels, AllTogetherHoldAtMostFourMebibytesAndTheOldestIsEvicted) {
    ParkedChannels parked;
    for (std::uint64_t peer = 1; peer <= 20; ++peer) {
        Link link = link_with(peer, std::size_t{512} * 1024);
        parked.park(Instant{}, link);
        EXPECT_LE(parked.memory_bytes(), std::size_t{4} * 1024 * 1024) << peer;
    }
    EXPECT_EQ(parked.id_to_continue(PeerId::from_number(1), Incarnation{}, nullptr), 0U);
    EXPECT_EQ(parked.id_to_continue(PeerId::from_number(20), Incarnation{}, nullptr), 20U);
}

TEST(ParkedChannels, AChannelThatIsContinuedMakesRoomAgain) {
    ParkedChannels parked;
    Link first = link_with(1, std::size_t{512} * 1024);
    parked.park(Instant{}, first);
    for (std::uint64_t peer = 100; peer < 130; ++peer) {  // would evict the first one if it kept counting
        Link link = link_with(peer, std::size_t{512} * 1024);
        parked.park(Instant{}, link);
        parked.forget(link.ends.peer);
    }
    EXPECT_EQ(parked.id_to_continue(PeerId::from_number(1), Incarnation{}, nullptr), 1U);
}

/// The other side remembers its numbers: messages that begin anew would look like repeated ones.
TEST(ParkedChannels, AChannelWhoseMessagesAreAllAcknowledgedGoesOnWhereItWas) {
    ParkedChannels parked;
    Link link = link_with(1, kFragmentBytes);
    link.channel.out.delivered(SentRecord{.reliable_count = 1});
    ASSERT_TRUE(link.channel.out.empty());
    parked.park(Instant{}, link);
    EXPECT_EQ(parked.id_to_continue(PeerId::from_number(1), Incarnation{}, nullptr), 1U);
}

/// What was under way on the former link may be lost, and no later acknowledgement tells.
TEST(ParkedChannels, APromptMessageOfAFormerLinkLeavesAgain) {
    ParkedChannels parked;
    Link link = link_with(1, 0);
    const std::vector<std::uint8_t> message(30);
    ASSERT_TRUE(link.channel.out.queue(message, true, Purpose::agreement, Haste::prompt));
    link.channel.out.sent(SentRecord{.prompt_span = 1});
    ASSERT_FALSE(link.channel.out.has_unsent_prompt());
    parked.park(Instant{}, link);
    Link again = link_with(1, 0);
    parked.resume(Instant{}, again, nullptr);
    EXPECT_TRUE(again.channel.out.has_unsent_prompt());
}

TEST(ParkedChannels, AChannelThatWasNeverUsedIsNotKept) {
    ParkedChannels parked;
    Link link = link_with(1, 0);
    parked.park(Instant{}, link);
    EXPECT_EQ(parked.id_to_continue(PeerId::from_number(1), Incarnation{}, nullptr), 0U);
}

}  // namespace
}  // namespace fray
