// Records and histories that a peer invents: what they make another peer hold and do is bounded.

#include "ownership/kept_records.hpp"
#include "ownership/owned_entities.hpp"
#include "support/hostile_ownership.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace fray {
namespace {

using test::Cluster;
using test::HostileOwnership;
using Bytes = HostileOwnership::Bytes;
using Progress = KeptRecords::Progress;

class HostileHistories : public HostileOwnership {
protected:
    static constexpr std::uint64_t kStranger = 777;

    static Decision invented(const Asker& asker, std::uint32_t number, std::size_t bytes) {
        return {.asker = asker.peer,
                .incarnation = asker.incarnation,
                .number = kFirstLasting | number,
                .previous = (kFirstLasting | number) - 1,
                .by = {},
                .bytes = Bytes(bytes, 1)};
    }
    Record history() {
        return {.claim = claim(ours_, 1, 1),
                .stream = 1,
                .serial = 1,
                .use = RecordUse::history,
                .whole = true,
                .state = encoded_state()};
    }
    /// A history of so many decisions, each in a message of its own.
    void tell_history(const Asker& asker, std::uint32_t first, std::uint32_t count, std::size_t bytes) {
        Record record = history();
        for (std::uint32_t i = 0; i < count; ++i) {
            record.decisions = {invented(asker, first + i, bytes)};
            record.last = i + 1 == count;
            say(OwnerMessage::record, record);
            record.whole = false;
            record.state.clear();
        }
    }
    /// The honest owner of another entity asks the victim.
    void expect_that_requests_are_accepted() {
        Peer& asker = cluster_.peer(kOwner);
        const EntityId by = *asker.publish(cluster_.local(kOwner), at(1));
        cluster_.run_for(500ms);
        cluster_.forget_events();
        for (std::size_t i = 0; i < kMaxOpenOfEntity; ++i)
            ASSERT_TRUE(asker.interact(cluster_.local(kOwner), by, ours_, Bytes{1}));
        cluster_.run_for(500ms);
        const auto asked = cluster_.events_of<Asked>(kVictim);
        ASSERT_EQ(asked.size(), kMaxOpenOfEntity);
        for (const Asked& one : asked)
            ASSERT_TRUE(victim().answer(cluster_.local(kVictim), one.request, Bytes{9}));
        cluster_.run_for(500ms);
        const auto answers = cluster_.events_of<Answered>(kOwner);
        ASSERT_EQ(answers.size(), kMaxOpenOfEntity);
        for (const Answered& answer : answers) EXPECT_EQ(answer.bytes, Bytes{9});
    }
};

TEST_F(HostileHistories, OfAskersThatDoNotExistCauseNoRefusal) {
    tell_history({PeerId::from_number(kStranger), 1}, 10, 90, 900);
    cluster_.run_for(1s);
    ASSERT_EQ(cluster_.events_of<Diverged>(kVictim).size(), 1U);
    expect_that_requests_are_accepted();
}

TEST_F(HostileHistories, OfAnHonestAskerCauseNoRefusal) {
    const Asker honest{Cluster::id(kOwner), stay(kOwner)};
    tell_history(honest, 0x3000'0000, 2 * kMaxOpenOfEntity, 10);
    cluster_.run_for(500ms);
    Record record = history();
    record.last = true;
    record.askers = {{honest.peer, honest.incarnation, 0xFFFF'FFFF, {{0, 0xFFFF'FFFF}}}};
    say(OwnerMessage::record, record);
    cluster_.run_for(500ms);
    ASSERT_EQ(cluster_.events_of<Diverged>(kVictim).size(), 2U);
    expect_that_requests_are_accepted();
}

TEST_F(HostileHistories, AreHeldInBoundedMemory) {
    std::uint32_t number = 10;
    std::size_t after_first = 0;
    for (int round = 0; round < 40; ++round) {
        tell_history({PeerId::from_number(kStranger), 1}, number, 100, 800);
        number += 100;
        cluster_.run_for(100ms);
        if (round == 3) after_first = victim().memory_bytes();
    }
    EXPECT_EQ(cluster_.events_of<Diverged>(kVictim).size(), 40U);
    cluster_.forget_events();
    EXPECT_LT(victim().memory_bytes(), after_first + 100'000U);
    expect_that_requests_are_accepted();
}

TEST_F(HostileOwnership, EntitiesHandedOverByOnePeerAreBounded) {
    for (std::uint32_t n = 1; n <= 5000; ++n) {
        Record record{.claim = claim({Cluster::id(kLiar), kFirstLasting | n}, 1, n),
                      .stream = 2,
                      .serial = 1,
                      .use = RecordUse::take,
                      .whole = true,
                      .last = true,
                      .state = encoded_state()};
        say(OwnerMessage::record, record);
        if (n % 200 == 0) cluster_.run_for(100ms);
    }
    cluster_.run_for(1s);
    EXPECT_EQ(victim().stats().ownership.owned, 1 + OwnedEntities::kMaxOfGiver);
    EXPECT_TRUE(victim().publish(cluster_.local(kVictim), at(3)));
    EXPECT_TRUE(victim().publish(cluster_.local(kVictim), at(3), Tenure::shared));
}

TEST(KeptRecords, AreNotContinuedPastAGap) {
    constexpr PeerId kSender = PeerId::from_number(5);
    KeptRecords records;
    Record record{.claim = {}, .stream = 2, .serial = 1, .whole = true, .last = true, .state = {1}};
    record.claim.id = {kSender, kFirstLasting};
    ASSERT_EQ(records.accept(kSender, Record{record}), Progress::complete);
    record.whole = false;
    record.serial = 3;
    EXPECT_EQ(records.accept(kSender, Record{record}), Progress::ignored) << "the second one is missing";
    record.serial = 2;
    EXPECT_EQ(records.accept(kSender, Record{record}), Progress::complete);
    record.serial = 3;
    EXPECT_EQ(records.accept(kSender, Record{record}), Progress::complete);
}

TEST(KeptRecords, AreNotContinuedAfterAMessageThatFoundNoRoom) {
    constexpr PeerId kSender = PeerId::from_number(5);
    KeptRecords records;
    Record record{.claim = {}, .stream = 2, .serial = 1, .whole = true, .last = true, .state = {1}};
    record.claim.id = {kSender, kFirstLasting};
    ASSERT_EQ(records.accept(kSender, Record{record}), Progress::complete);
    record.whole = false;
    record.last = false;
    record.serial = 2;
    record.decisions.assign(kMaxListed, Decision{.asker = {}, .by = {}, .bytes = Bytes(1000, 1)});
    Progress progress = Progress::partial;
    std::size_t messages = 0;
    for (; progress == Progress::partial && messages < 100; ++messages)
        progress = records.accept(kSender, Record{record});
    ASSERT_EQ(progress, Progress::no_room);
    EXPECT_GT(messages, 10U);
    record.decisions.clear();
    record.last = true;
    EXPECT_EQ(records.accept(kSender, Record{record}), Progress::ignored) << "it would lack a message";
    EXPECT_EQ(records.find(record.claim.id, RecordUse::keep, kSender)->serial, 1U);
    record.whole = true;
    record.serial = 3;
    EXPECT_EQ(records.accept(kSender, Record{record}), Progress::complete) << "nothing is missing";
}

TEST(KeptRecords, GiveBackTheirShareWhenTheyAreDropped) {
    constexpr PeerId kSender = PeerId::from_number(5);
    KeptRecords records;
    for (std::uint32_t n = 0; n < 3 * KeptRecords::kMaxOfOne; ++n) {
        Record record{.claim = {}, .stream = 2, .serial = 1, .whole = true, .last = true, .state = {1}};
        record.claim.id = {kSender, kFirstLasting | n};
        record.decisions.assign(4, Decision{.asker = {}, .number = 1, .by = {}, .bytes = Bytes(1000, 1)});
        ASSERT_EQ(records.accept(kSender, Record{record}), Progress::complete);
        records.erase(record.claim.id, RecordUse::keep);
    }
    EXPECT_EQ(records.kept(), 0U);
    EXPECT_EQ(records.heap_bytes(), 0U);
}

}  // namespace
}  // namespace fray
