#include "core/mailbox.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

constexpr PeerId kOther = PeerId::from_number(7);

/// A game that does not fetch events: every message that fits is in the mailbox.
class FullMailbox : public testing::Test {
protected:
    FullMailbox() {
        while (mailbox_.put(Message{.from = kOther, .bytes = {1}})) ++messages_;
    }
    /// What is left after the messages.
    std::vector<Event> take_all() {
        std::vector<Event> events;
        while (auto event = mailbox_.take()) events.push_back(std::move(*event));
        EXPECT_GE(events.size(), messages_);
        events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(messages_));
        return events;
    }

    Mailbox mailbox_;
    std::size_t messages_ = 0;
};

TEST_F(FullMailbox, NoLifeCycleEventIsLostAndTheirOrderStays) {
    mailbox_.report(PeerJoined{kOther, Incarnation{1}});
    mailbox_.report(EntityAppeared{{kOther, 1}});
    mailbox_.report(EntityGone{{kOther, 9}});  // the game was told of it before
    mailbox_.report(PeerLeft{PeerId::from_number(8), Incarnation{2}, Reason::left});
    mailbox_.report(Joined{kOther});
    EXPECT_FALSE(mailbox_.put(Message{.from = kOther, .bytes = {}}));  // would come too late
    const auto events = take_all();
    ASSERT_EQ(events.size(), 5U);
    EXPECT_TRUE(std::holds_alternative<PeerJoined>(events[0]));
    EXPECT_TRUE(std::holds_alternative<EntityAppeared>(events[1]));
    EXPECT_TRUE(std::holds_alternative<EntityGone>(events[2]));
    EXPECT_TRUE(std::holds_alternative<PeerLeft>(events[3]));
    EXPECT_TRUE(std::holds_alternative<Joined>(events[4]));
    EXPECT_TRUE(mailbox_.put(Message{.from = kOther, .bytes = {}}));
}

TEST_F(FullMailbox, WhatCameAndWentIsNotReportedAndDoesNotGrow) {
    const std::size_t before = mailbox_.memory_bytes();
    mailbox_.report(EntityGone{{kOther, 0}});
    for (std::uint32_t i = 1; i < 200'000; ++i) {
        mailbox_.report(PeerJoined{PeerId::from_number(i), Incarnation{i}});
        mailbox_.report(EntityAppeared{{kOther, i}});
        mailbox_.report(EntityGone{{kOther, i}});
        mailbox_.report(PeerLeft{PeerId::from_number(i), Incarnation{i}, Reason::timed_out});
        mailbox_.report(Refused{Address::from_number(i), Reason::left});
    }
    EXPECT_LE(mailbox_.memory_bytes(), before + 4096);
    const auto events = take_all();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<EntityGone>(events[0]));
    EXPECT_EQ(std::get<Refused>(events[1]).address, Address::from_number(199'999));
}

TEST_F(FullMailbox, AnEntityThatCameBackIsReportedAsGoneAndAppeared) {
    for (int i = 0; i < 3; ++i) {
        mailbox_.report(EntityGone{{kOther, 5}});
        mailbox_.report(EntityAppeared{{kOther, 5}});
    }
    const auto events = take_all();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<EntityGone>(events[0]));
    EXPECT_TRUE(std::holds_alternative<EntityAppeared>(events[1]));
}

TEST(Mailbox, MoreOverdueEventsThanFitAtOnceComeInOrder) {
    Mailbox mailbox;
    constexpr std::uint32_t kMany = 200'000;
    for (std::uint32_t i = 0; i < kMany; ++i) mailbox.report(EntityAppeared{{kOther, i}});
    for (std::uint32_t i = 0; i < kMany; ++i) {
        const auto event = mailbox.take();
        ASSERT_TRUE(event);
        ASSERT_EQ(std::get<EntityAppeared>(*event).entity.number, i);
    }
    EXPECT_TRUE(mailbox.empty());
}

}  // namespace
}  // namespace fray
