#include <fray/chat.hpp>
#include <fray/random.hpp>

#include "support/chat_group.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace fray::test {
namespace {

/// Members that got no reset have shown the same lines, each once, including all lines of living members.
void expect_one_order(ChatGroup& group) {
    std::set<std::string> expected;
    const ChatGroup::Shown* first = nullptr;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (!group.alive(i)) continue;
        EXPECT_EQ(group.room(i).waiting(), 0U) << "member " << i;
        expected.insert(group.said(i).begin(), group.said(i).end());
        if (group.resets(i) != 0) continue;
        if (first == nullptr) first = &group.shown(i);
        EXPECT_EQ(group.shown(i).order, first->order) << "member " << i;
        EXPECT_EQ(group.shown(i).at.size(), group.shown(i).order.size()) << "a place was filled twice";
    }
    ASSERT_NE(first, nullptr) << "nobody was there all the time";
    const std::set<std::string> shown(first->order.begin(), first->order.end());
    EXPECT_EQ(shown.size(), first->order.size()) << "a line was shown twice";
    for (const std::string& line : expected) EXPECT_TRUE(shown.contains(line)) << line;
}

void chatter(ChatGroup& group, std::uint64_t seed, int rounds) {
    RandomStream random{Seed{seed}, "chatter"};
    for (int round = 0; round < rounds; ++round) {
        const std::size_t who = random.below(static_cast<std::uint32_t>(group.size()));
        if (group.alive(who))
            group.say(who, std::to_string(who) + ":" + std::to_string(seed) + ":" + std::to_string(round));
        group.run_for(Duration{random.below(60'000)});
    }
}

TEST(Chat, EverybodySeesTheSameLinesInTheSameOrderOverABadNetwork) {
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        ChatGroup group{seed, 5, 0.15};
        group.run_for(2s);
        chatter(group, seed, 60);
        group.run_for(5s);
        expect_one_order(group);
        EXPECT_GT(group.shown(0).order.size(), 50U);
        lost += group.lost();
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(lost, 1000U);
}

TEST(Chat, TheOrderSurvivesTheSerializersLeaving) {
    std::size_t resets = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        ChatGroup group{seed, 5, 0.1};
        group.run_for(2s);
        chatter(group, seed, 20);
        ASSERT_EQ(group.room(4).serializer(), ChatGroup::id(0));
        group.crash(0);
        chatter(group, seed + 1000, 20);
        group.crash(1);
        chatter(group, seed + 2000, 20);
        group.run_for(10s);
        ASSERT_EQ(group.room(4).serializer(), ChatGroup::id(2));
        expect_one_order(group);
        for (std::size_t i = 2; i < 5; ++i) resets += group.resets(i);
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_LT(resets, 100U) << "being left out is rare";
}

TEST(Chat, ANewcomerGoesOnWhereTheOthersAre) {
    ChatGroup group{3, 3, 0.1};
    group.run_for(2s);
    chatter(group, 3, 30);
    const std::size_t newcomer = group.add();
    group.run_for(2s);
    const std::size_t before = group.shown(0).order.size();
    group.say(newcomer, "hello");
    chatter(group, 4, 30);
    group.run_for(3s);
    EXPECT_EQ(group.resets(newcomer), 0U);
    ASSERT_FALSE(group.shown(newcomer).at.empty());
    EXPECT_GE(group.shown(newcomer).at.begin()->first, before);
    for (const auto& [place, text] : group.shown(newcomer).at) EXPECT_EQ(group.shown(0).at.at(place), text);
}

TEST(Chat, PartsThatMeetAgainFollowOneAndTheOthersAreTold) {
    ChatGroup group{5, 4, 0};
    group.run_for(2s);
    group.say(3, "together");
    group.run_for(1s);
    for (const std::size_t a : {0U, 1U}) {
        for (const std::size_t b : {2U, 3U}) group.part(a, b);
    }
    group.run_for(2s);
    group.say(1, "here");
    group.say(3, "there");
    group.run_for(1s);
    EXPECT_EQ(group.shown(0).order.back(), "here");
    EXPECT_EQ(group.shown(2).order.back(), "there");
    for (const std::size_t a : {0U, 1U}) {
        for (const std::size_t b : {2U, 3U}) group.part(a, b, false);
    }
    group.run_for(2s);
    group.say(0, "again");
    group.run_for(1s);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(group.shown(i).order.back(), "again") << "member " << i;
        EXPECT_EQ(group.resets(i), i < 2 ? 1U : 0U) << "the later term stays";
    }
}

TEST(Chat, StrangersAndNonsenseAreNotHeard) {
    ChatRoom room = ChatRoom::open(Instant{}, PeerId::from_number(1), kQuickChat).value();
    ASSERT_TRUE(room.add_member(PeerId::from_number(2)));
    ChatRoom other = ChatRoom::open(Instant{}, PeerId::from_number(2), kQuickChat).value();
    ASSERT_TRUE(other.add_member(PeerId::from_number(1)));
    other.handle_time(Instant{700ms});  // it begins a term, because no other member did
    const auto message = other.poll_message();
    ASSERT_TRUE(message);
    room.handle_message(Instant{1s}, PeerId::from_number(3), message->bytes);
    EXPECT_EQ(room.rejected(), 1U);
    for (std::size_t cut = 0; cut < message->bytes.size(); ++cut) {
        room.handle_message(Instant{1s}, PeerId::from_number(2), std::span{message->bytes}.first(cut));
    }
    EXPECT_EQ(room.rejected(), 1 + message->bytes.size());
    EXPECT_FALSE(room.poll_message());
}

/// A single member that says this many lines and polls none of them.
ChatRoom talkative(std::uint64_t lines) {
    ChatRoom room = ChatRoom::open(Instant{}, PeerId::from_number(1), kQuickChat).value();
    room.handle_time(Instant{700ms});
    for (std::uint64_t i = 0; i < lines; ++i) EXPECT_TRUE(room.say("line " + std::to_string(i)));
    return room;
}

TEST(Chat, WhoDoesNotPollLosesTheOldestLinesAndIsTold) {
    constexpr std::uint64_t kSaid = 20'000;
    ChatRoom room = talkative(kSaid);
    const auto first = room.poll_event();
    ASSERT_TRUE(first);
    ASSERT_TRUE(std::holds_alternative<ChatReset>(*first)) << "it begins with what is missing";
    std::uint64_t next = std::get<ChatReset>(*first).place;
    EXPECT_EQ(next, kSaid - (kMostUnreadChat - 1));
    std::size_t read = 1;
    for (; const auto event = room.poll_event(); ++read) {
        const auto* line = std::get_if<ChatLine>(&*event);
        ASSERT_NE(line, nullptr);
        EXPECT_EQ(line->place, next);
        EXPECT_EQ(line->text, "line " + std::to_string(next));
        ++next;
    }
    EXPECT_EQ(read, kMostUnreadChat);
    EXPECT_EQ(next, kSaid);
    ASSERT_TRUE(room.say("later"));
    const auto later = room.poll_event();
    ASSERT_TRUE(later && std::holds_alternative<ChatLine>(*later)) << "who has caught up misses nothing more";
    EXPECT_EQ(std::get<ChatLine>(*later).place, kSaid);
}

TEST(Chat, AsManyLinesAsMayWaitAreAllThere) {
    ChatRoom room = talkative(kMostUnreadChat);
    for (std::uint64_t place = 0; place < kMostUnreadChat; ++place) {
        const auto event = room.poll_event();
        ASSERT_TRUE(event && std::holds_alternative<ChatLine>(*event));
        EXPECT_EQ(std::get<ChatLine>(*event).place, place);
    }
    EXPECT_FALSE(room.poll_event());
}

TEST(Chat, LinesTooLongOrTooManyAreRefused) {
    ChatRoom room = ChatRoom::open(Instant{}, PeerId::from_number(1), kQuickChat).value();
    EXPECT_FALSE(room.say(std::string(kMostChatBytes + 1, 'x')));
    int accepted = 0;
    while (accepted < 1000 && room.say("line")) ++accepted;
    EXPECT_EQ(accepted, 32) << "as long as nobody places them";
    EXPECT_FALSE(ChatRoom::open(Instant{}, PeerId{}, {.resend = 0s}));
}

}  // namespace
}  // namespace fray::test
