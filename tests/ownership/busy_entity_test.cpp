// Shared entities with hundreds of decisions, and askers and owners that end in the middle of them.

#include "support/shared_entity_fixture.hpp"

#include <map>

namespace fray::test {
namespace {

class BusyEntity : public SharedEntityTest {
protected:
    /// Peer `asker` asks, one request after the other, and `owner` answers. Returns how many were answered.
    std::size_t ask_many(std::size_t asker, std::size_t owner, const EntityId& id, int count,
                         std::size_t size = 64) {
        const std::vector<std::uint8_t> content(size, 1);
        std::size_t answered = 0;
        for (int i = 0; i < count; ++i) {
            cluster_.forget_events();
            if (!peer(asker).interact(local(asker), avatars_[asker], id, content)) break;
            cluster_.run_for(60ms);
            answer_all(owner, content);
            cluster_.run_while([&] { return cluster_.events_of<Answered>(asker).empty(); }, 1s);
            for (const Answered& answer : cluster_.events_of<Answered>(asker))
                answered += answer.answered ? 1U : 0U;
        }
        cluster_.run_for(500ms);
        return answered;
    }
    void answer_all(std::size_t owner, const std::vector<std::uint8_t>& reply) {
        for (const Asked& asked : cluster_.events_of<Asked>(owner))
            ASSERT_TRUE(peer(owner).answer(local(owner), asked.request, reply));
        cluster_.flush(owner);
    }
    void ask_sixteen(std::size_t asker, const EntityId& id) {
        for (std::size_t k = 0; k < kMaxOpenOfEntity; ++k)
            ASSERT_TRUE(
                peer(asker).interact(local(asker), avatars_[asker], id, std::vector<std::uint8_t>(1000, 1)));
        cluster_.flush(asker);
    }
};

TEST_F(BusyEntity, AcceptsRequestsAfterATakeOver) {
    const EntityId chest = publish(0, Tenure::shared);
    ASSERT_EQ(ask_many(3, 0, chest, 400), 400U);
    crash(0);
    cluster_.run_for(3s);
    ASSERT_TRUE(peer(1).owns(chest));
    EXPECT_EQ(ask_many(2, 1, chest, 3), 3U);
    peer(3).leave(local(3));
    cluster_.flush(3);
    cluster_.run_for(60s);
    EXPECT_EQ(ask_many(2, 1, chest, 1), 1U) << "with the asker gone, too";
}

TEST_F(BusyEntity, KeepsABoundedRecordAtItsDeputy) {
    const EntityId chest = publish(0, Tenure::shared);
    ASSERT_EQ(peer(1).stats().ownership.deputy_of, 1U);
    ASSERT_EQ(ask_many(3, 0, chest, 300), 300U);
    const std::size_t before = peer(1).memory_bytes();
    ASSERT_EQ(ask_many(3, 0, chest, 600), 600U);
    EXPECT_LT(peer(1).memory_bytes(), before + 8'000U);
}

TEST_F(BusyEntity, AcceptsRequestsAfterAskersThatCrashed) {
    const EntityId chest = publish(0, Tenure::shared);
    for (unsigned round = 0; round < 4; ++round) {
        cluster_.forget_events();
        ask_sixteen(3, chest);
        ASSERT_TRUE(
            cluster_.run_while([&] { return cluster_.events_of<Asked>(0).size() < kMaxOpenOfEntity; }, 1s));
        crash(3);  // before the replies arrive
        answer_all(0, bytes(1));
        cluster_.run_for(3s);
        cluster_.restart(3, options(), Seed{900 + round});
        alive_[3] = true;
        cluster_.join(3, 0);
        cluster_.run_for(2s);
        avatars_[3] = *peer(3).publish(local(3), at(1));
        cluster_.run_for(500ms);
    }
    cluster_.run_for(2 * ownerless_most(options().link) + 1s);
    EXPECT_EQ(ask_many(2, 0, chest, 1), 1U);
}

/// The owner holds the first request back, and answers the others.
TEST_F(BusyEntity, ARequestThatWaitsDoesNotCauseLaterOnesToBeDropped) {
    const EntityId chest = publish(0, Tenure::shared);
    const RequestId first = ask(3, chest, 1);
    std::size_t accepted = 1;
    for (std::size_t k = 0; k < 2 * kMaxOpenOfEntity; ++k) {
        cluster_.run_for(100ms);
        for (const Asked& asked : cluster_.events_of<Asked>(0)) {
            if (asked.request != first) (void)peer(0).answer(local(0), asked.request, bytes(1));
        }
        cluster_.run_for(200ms);
        if (peer(3).interact(local(3), avatars_[3], chest, bytes(1))) ++accepted;
    }
    cluster_.run_for(500ms);
    EXPECT_EQ(accepted, kMaxOpenOfEntity) << "until the first one is answered";
    EXPECT_EQ(cluster_.events_of<Asked>(0).size(), accepted)
        << "each one that was accepted reaches the owner";
    ASSERT_TRUE(peer(0).answer(local(0), first, bytes(1)));
    cluster_.run_for(300ms);
    EXPECT_EQ(ask_many(3, 0, chest, 2), 2U);
}

TEST_F(BusyEntity, ARequestOfAReturnedOwnerToItselfIsDecidedOnce) {
    peer(0).leave(local(0));
    cluster_.flush(0);
    cluster_.run_for(500ms);
    cluster_.join(0, 1);
    cluster_.run_for(2s);
    avatars_[0] = *peer(0).publish(local(0), at(1));
    const EntityId chest = publish(0, Tenure::shared);
    const RequestId request = ask(0, chest, 7);
    cluster_.run_for(1ms);
    ASSERT_EQ(cluster_.events_of<Asked>(0).size(), 1U);
    ASSERT_TRUE(peer(0).answer(local(0), request, bytes(1)));
    ASSERT_TRUE(peer(0).hand_over(local(0), chest, Cluster::id(2)));  // before the deputy has it
    cluster_.flush(0);
    cluster_.run_for(1s);
    ASSERT_TRUE(peer(2).owns(chest));
    EXPECT_TRUE(cluster_.events_of<Asked>(2).empty()) << "it was decided";
    ASSERT_EQ(cluster_.events_of<Answered>(0).size(), 1U);
    EXPECT_TRUE(cluster_.events_of<Answered>(0)[0].answered);
}

TEST_F(BusyEntity, ALeavingOwnerLeavesItsLastState) {
    const EntityId chest = publish(0, Tenure::shared);
    ASSERT_TRUE(peer(0).update(local(0), chest, at(8)));
    cluster_.run_for(60ms);
    ASSERT_TRUE(peer(0).update(local(0), chest, at(9)));
    cluster_.run_for(120ms);
    ASSERT_EQ(x_of(3, chest), 9) << "it was seen";
    peer(0).leave(local(0));
    cluster_.flush(0);
    cluster_.run_for(500ms);
    ASSERT_TRUE(peer(1).owns(chest));
    EXPECT_EQ(cluster_.events_of<Acquired>(1).at(0).state.pose.position.x, 9);
    EXPECT_EQ(x_of(3, chest), 9);
}

TEST_F(BusyEntity, ALeavingOwnerLeavesItsLastDecision) {
    const EntityId chest = publish(0, Tenure::shared);
    const RequestId request = ask(3, chest, 7);
    cluster_.run_for(60ms);
    ASSERT_EQ(cluster_.events_of<Asked>(0).size(), 1U);
    ASSERT_TRUE(peer(0).answer(local(0), request, bytes(1)));
    ASSERT_TRUE(peer(0).update(local(0), chest, at(9)));
    peer(0).leave(local(0));  // no record was sent yet
    cluster_.flush(0);
    cluster_.run_for(1s);
    ASSERT_TRUE(peer(1).owns(chest));
    EXPECT_TRUE(cluster_.events_of<Asked>(1).empty()) << "it was decided";
    ASSERT_EQ(cluster_.events_of<Answered>(3).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Answered>(3)[0].bytes, bytes(1));
    EXPECT_EQ(x_of(3, chest), 9);
}

/// The queues between the two owners are nearly full when they are linked again. Which of them wins depends
/// on how often each had to name another deputy.
TEST_F(BusyEntity, AHistoryThatFindsNoRoomIsSentLater) {
    constexpr std::size_t kThird = 3;
    std::vector<EntityId> chests;
    for (int i = 0; i < 8; ++i) chests.push_back(publish(0, Tenure::shared));
    for (std::size_t i = 1; i < 4; ++i) cluster_.cut(0, i);
    for (const std::size_t from : {std::size_t{0}, std::size_t{1}}) {
        const Outgoing filler{.bytes = std::vector<std::uint8_t>(900),
                              .audience = Audience::only(Cluster::id(1 - from))};
        for (int i = 0; i < 3800; ++i) ASSERT_TRUE(peer(from).send(local(from), filler));
    }
    cluster_.run_for(2 * kTimeout);
    for (const EntityId& chest : chests) {
        ASSERT_EQ(owners(chest), (std::vector<std::size_t>{0, 1}));
        for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
            ASSERT_EQ(ask_many(side, side, chest, 12, 500), 12U);
    }
    cluster_.cut(0, kThird, false);  // it tells each of them of the other's claim
    cluster_.run_for(2 * kTimeout);
    ASSERT_EQ(owners(chests[0]).size(), 1U);
    const std::size_t winner = owners(chests[0])[0];
    for (const EntityId& chest : chests) ASSERT_EQ(owners(chest), std::vector<std::size_t>{winner});
    cluster_.forget_events();
    cluster_.cut(0, 1, false);
    const auto received = [&] { return cluster_.events_of<Diverged>(winner).size(); };
    cluster_.run_while([&] { return received() < chests.size(); }, 100s);
    EXPECT_EQ(received(), chests.size());
    EXPECT_EQ(cluster_.events_of<Message>(winner).size(), 3800U) << "they were in the same queue";
}

}  // namespace
}  // namespace fray::test
