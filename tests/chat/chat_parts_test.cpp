// A group that splits and meets again. A member that showed other lines than those it continues with gets a
// reset.

#include "chat/chat_packet.hpp"
#include "support/chat_group.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fray::test {
namespace {

/// Members of different colours cannot reach each other.
void colour(ChatGroup& group, const std::vector<std::uint32_t>& colours) {
    for (std::size_t a = 0; a < colours.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) group.part(a, b, colours[a] != colours[b]);
    }
}

/// All members that show a place show the same line there, unless they got a reset since.
void expect_one_log(const ChatGroup& group) {
    std::map<std::uint64_t, std::string> log;
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (const auto& [place, text] : group.since_reset(i)) {
            EXPECT_EQ(log.try_emplace(place, text).first->second, text)
                << "member " << i << ", place " << place;
        }
    }
}

void say_many(ChatGroup& group, std::size_t member, const std::string& what, int count) {
    for (int i = 0; i < count; ++i) {
        group.say(member, what + std::to_string(i));
        group.run_for(100ms);
    }
    group.run_for(500ms);
}

/// A packet in the name of this member, to all others.
void forge(ChatGroup& group, std::size_t from, ChatPacket packet) {
    packet.term.serializer = ChatGroup::id(from);
    for (std::size_t to = 0; to < group.size(); ++to) {
        if (to != from) group.room(to).handle_message(Instant{3s}, ChatGroup::id(from), to_bytes(packet));
    }
}

TEST(ChatParts, AMemberThatNamesTheLastRoundDoesNotEndTheChat) {
    for (const std::uint32_t round : {kLastRound, kLastRound / 2, kLastRound - 1}) {
        ChatGroup group{7, 4, 0};
        group.run_for(2s);
        forge(group, 3, {.kind = ChatKind::ask, .term = {round, {}}});
        group.crash(3);
        group.run_for(3s);
        for (std::size_t i = 0; i < 3; ++i) group.say(i, "after it " + std::to_string(i));
        group.run_for(3s);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(group.shown(i).order.size(), 3U) << round;
    }
}

TEST(ChatParts, AMemberThatNamesTheLastPlaceIsRejected) {
    ChatGroup group{7, 4, 0};
    group.run_for(2s);
    const ChatTerm term{1000, ChatGroup::id(3)};
    forge(group, 3,
          {.kind = ChatKind::open,
           .term = term,
           .next = kLastPlace,
           .oldest = kLastPlace,
           .eras = {{term, 0}}});
    group.crash(3);
    group.run_for(3s);
    for (std::size_t i = 0; i < 3; ++i) group.say(i, "after it " + std::to_string(i));
    group.run_for(3s);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(group.shown(i).order.size(), 3U);
}

TEST(ChatParts, WhoMissedTwoTermsIsToldThoughTheOthersAreFurther) {
    ChatGroup group{7, 4, 0};
    group.run_for(2s);
    say_many(group, 3, "together ", 20);
    colour(group, {0, 0, 1, 1});
    group.run_for(2s);
    say_many(group, 1, "here ", 5);
    say_many(group, 3, "there ", 40);
    ASSERT_EQ(group.room(3).serializer(), ChatGroup::id(2));
    colour(group, {0, 0, 1, 2});
    group.run_for(2s);
    ASSERT_EQ(group.room(3).serializer(), ChatGroup::id(3)) << "the second term the first part missed";
    say_many(group, 3, "alone ", 5);
    colour(group, {0, 0, 1, 0});
    group.run_for(3s);
    say_many(group, 0, "again ", 3);
    ASSERT_EQ(group.room(0).serializer(), ChatGroup::id(3));
    EXPECT_EQ(group.resets(0), 1U);
    EXPECT_EQ(group.resets(1), 1U);
    EXPECT_EQ(group.shown(0).order.back(), "again 2");
    colour(group, {0, 0, 0, 0});
    group.run_for(3s);
    EXPECT_EQ(group.resets(2), 0U) << "it has shown the beginning of the same log";
    say_many(group, 2, "all ", 1);
    EXPECT_EQ(group.shown(2).at, group.shown(3).at);
    expect_one_log(group);
}

/// The new serializer has been away; its log differs from the one that the others continue with.
TEST(ChatParts, WhoTakesOfficeGoesOnWithTheLaterLog) {
    ChatGroup group{9, 4, 0};
    group.run_for(2s);
    say_many(group, 3, "together ", 5);
    colour(group, {0, 1, 2, 2});
    group.run_for(3s);
    say_many(group, 1, "alone ", 3);
    say_many(group, 3, "pair ", 10);
    group.crash(0);
    colour(group, {0, 3, 3, 3});
    group.run_for(3s);
    group.crash(2);
    group.run_for(3s);
    say_many(group, 3, "end ", 2);
    EXPECT_EQ(group.shown(1).order.back(), "end 1");
    EXPECT_EQ(group.resets(3), 0U);
    expect_one_log(group);
}

TEST(ChatParts, AfterAnyPartingsAllWhoMeetHaveOneLog) {
    std::size_t resets = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        RandomStream random{Seed{seed}, "partings"};
        ChatGroup group{seed, 5, 0.1};
        group.run_for(2s);
        for (int turn = 0; turn < 6; ++turn) {
            std::vector<std::uint32_t> colours(group.size());
            for (std::uint32_t& one : colours) one = random.below(3);
            colour(group, colours);
            for (int line = 0; line < 10; ++line) {
                group.say(random.below(5), std::to_string(turn) + ":" + std::to_string(line));
                group.run_for(Duration{random.below(200'000)});
            }
        }
        colour(group, std::vector<std::uint32_t>(group.size()));
        group.run_for(8s);
        for (std::size_t i = 0; i < group.size(); ++i) group.say(i, "end " + std::to_string(i));
        group.run_for(3s);
        expect_one_log(group);
        for (std::size_t i = 0; i < group.size(); ++i) {
            EXPECT_EQ(group.room(i).waiting(), 0U) << "member " << i;
            EXPECT_EQ(group.room(i).rejected(), 0U) << "member " << i;
            EXPECT_EQ(group.shown(i).order.back(), group.shown(0).order.back());
            resets += group.resets(i);
        }
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(resets, 100U);
}

/// A room that follows a member, which sends everything else.
class TallClaims : public ::testing::Test {
protected:
    TallClaims() { EXPECT_TRUE(room_.add_member(kLiar)); }
    void tell(const ChatPacket& packet) { room_.handle_message(Instant{1s}, kLiar, to_bytes(packet)); }
    static ChatPacket opening(std::uint32_t round, std::uint64_t next) {
        const ChatTerm term{round, kLiar};
        return {.kind = ChatKind::open, .term = term, .next = next, .eras = {{term, next}}};
    }
    /// The same with a number that no honest room can write: all bits of the field are set.
    std::vector<std::uint8_t> with_ones(std::size_t first_bit, std::size_t bits) {
        std::vector<std::uint8_t> bytes = to_bytes(opening(1, 0));
        for (std::size_t i = first_bit; i < first_bit + bits; ++i) {
            bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | (1U << (i % 8)));
        }
        return bytes;
    }

    static constexpr PeerId kLiar = PeerId::from_number(1);
    ChatRoom room_ = ChatRoom::open(Instant{}, PeerId::from_number(2), kQuickChat).value();
};

TEST_F(TallClaims, OfRoundsAndPlacesBeyondTheLastAreRefusedAndCounted) {
    room_.handle_message(Instant{1s}, kLiar, with_ones(3, 30));
    room_.handle_message(Instant{1s}, kLiar, with_ones(3 + 30 + 128, 50));
    EXPECT_EQ(room_.rejected(), 2U);
    EXPECT_FALSE(room_.serializer());
    tell({.kind = ChatKind::open, .term = {1, kLiar}});
    EXPECT_EQ(room_.rejected(), 3U) << "a term that is not its own last one";
}

TEST_F(TallClaims, OfTheLastRoundAreFollowedByTheFirstAndOfFarPlacesAreRefused) {
    tell(opening(1, kMostPlacesAhead + 1));
    EXPECT_EQ(room_.rejected(), 1U);
    tell(opening(kLastRound, kMostPlacesAhead));
    ASSERT_EQ(room_.serializer(), kLiar);
    const PlacedLine line{kLiar, 1, {'x'}};
    tell({.kind = ChatKind::lines,
          .term = {kLastRound, kLiar},
          .next = kMostPlacesAhead,
          .lines = {line, line}});
    std::uint64_t shown = 0;
    while (const auto event = room_.poll_event()) {
        EXPECT_EQ(std::get<ChatLine>(*event).place, kMostPlacesAhead + shown++);
    }
    EXPECT_EQ(shown, 2U);
    room_.remove_member(Instant{2s}, kLiar);
    room_.handle_time(Instant{10s});
    EXPECT_EQ(room_.serializer(), PeerId::from_number(2)) << "in round 1, which follows the last one";
}

}  // namespace
}  // namespace fray::test
