// Movable and shared entities among a few peers on a network that the test controls.

#include <fray/peer.hpp>

#include "ownership/owned_entities.hpp"
#include "support/shared_entity_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace fray::test {
namespace {

#define EXPECT_SAYS(result, words)                                                              \
    do {                                                                                        \
        const auto said = (result);                                                             \
        ASSERT_FALSE(said);                                                                     \
        EXPECT_NE(said.error().message.find(words), std::string::npos) << said.error().message; \
    } while (false)

TEST_F(SharedEntityTest, IsSeenUnderOneIdByAllPeersLikeAnyOther) {
    const EntityId chest = *peer(0).publish(local(0), at(5), Tenure::shared);
    cluster_.run_for(500ms);
    EXPECT_TRUE(peer(0).owns(chest));
    EXPECT_TRUE(peer(0).local_view(local(0), chest));
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_FALSE(peer(i).owns(chest));
        EXPECT_EQ(changes(i, chest), 1U);
        EXPECT_EQ(x_of(i, chest), 5);
        EXPECT_EQ(peer(i).replicas(local(i)).size(), 4U);
        EXPECT_EQ(peer(i).replica(local(i), chest)->owner, Cluster::id(0));
        EXPECT_SAYS(peer(i).update(local(i), chest, at(6)), "owned by peer");
    }
    ASSERT_TRUE(peer(0).update(local(0), chest, at(7)));
    cluster_.run_for(500ms);
    EXPECT_EQ(x_of(3, chest), 7);
    ASSERT_TRUE(peer(0).withdraw(local(0), chest));
    cluster_.run_for(500ms);
    EXPECT_EQ(changes(3, chest), 2U) << "appeared, and gone";
    EXPECT_FALSE(peer(3).replica(local(3), chest));
}

TEST_F(SharedEntityTest, OutlivesAnOwnerThatCrashesWithoutVanishing) {
    const EntityId chest = publish(0, Tenure::shared);
    ASSERT_TRUE(peer(0).update(local(0), chest, at(9)));
    cluster_.run_for(500ms);
    crash(0);
    const std::size_t bystander = 3;
    ASSERT_TRUE(cluster_.run_while(
        [&] {
            EXPECT_EQ(x_of(bystander, chest), 9) << "it stays on the screen";
            return owners(chest).empty();
        },
        3 * kTimeout));
    cluster_.run_for(1s);
    ASSERT_EQ(owners(chest).size(), 1U);
    const std::size_t owner = owners(chest)[0];
    const auto acquired = cluster_.events_of<Acquired>(owner);
    ASSERT_EQ(acquired.size(), 1U);
    EXPECT_EQ(acquired[0].entity, chest);
    EXPECT_EQ(acquired[0].state.pose.position.x, 9);
    EXPECT_EQ(acquired[0].from, Cluster::id(0));
    EXPECT_EQ(acquired[0].why, Change::owner_lost);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(changes(i, chest), 0U) << "neither gone nor new";
    ASSERT_TRUE(peer(owner).update(local(owner), chest, at(11)));
    cluster_.run_for(500ms);
    EXPECT_EQ(x_of(bystander, chest), 11);
    EXPECT_EQ(peer(bystander).replica(local(bystander), chest)->owner, Cluster::id(owner));
}

TEST_F(SharedEntityTest, IsTakenOverAtOnceWhenItsOwnerLeaves) {
    const EntityId chest = publish(0, Tenure::shared);
    peer(0).leave(local(0));
    cluster_.flush(0);
    cluster_.run_for(200ms);
    ASSERT_EQ(owners(chest).size(), 1U) << "at the goodbye, not at the timeout";
    EXPECT_NE(owners(chest)[0], 0U);
    EXPECT_EQ(cluster_.events_of<Relinquished>(0).size(), 1U);
}

TEST_F(SharedEntityTest, SurvivesOneOwnerAfterTheOther) {
    const EntityId chest = publish(0, Tenure::shared);
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(owners(chest).size(), 1U);
        crash(owners(chest)[0]);
        cluster_.run_for(3 * kTimeout);
    }
    ASSERT_EQ(owners(chest).size(), 1U) << "the last peer has it";
    EXPECT_EQ(peer(owners(chest)[0]).local_view(local(owners(chest)[0]), chest)->pose.position.x, 5);
}

TEST_F(SharedEntityTest, IsHandedOverAndCanBeHandedBack) {
    for (const Tenure tenure : {Tenure::movable, Tenure::shared}) {
        const EntityId flag = publish(0, tenure);
        ASSERT_TRUE(peer(0).update(local(0), flag, at(6)));
        ASSERT_TRUE(peer(0).hand_over(local(0), flag, Cluster::id(2)));
        EXPECT_FALSE(peer(0).owns(flag)) << "from the call on";
        EXPECT_SAYS(peer(0).update(local(0), flag, at(7)), "being handed over");
        EXPECT_SAYS(peer(0).hand_over(local(0), flag, Cluster::id(1)), "being handed over");
        cluster_.run_for(500ms);
        ASSERT_EQ(owners(flag), std::vector<std::size_t>{2});
        ASSERT_EQ(cluster_.events_of<Acquired>(2).size(), 1U);
        EXPECT_EQ(cluster_.events_of<Acquired>(2)[0].why, Change::handed_over);
        EXPECT_EQ(cluster_.events_of<Acquired>(2)[0].state.pose.position.x, 6);
        ASSERT_EQ(cluster_.events_of<Relinquished>(0).size(), 1U);
        EXPECT_EQ(cluster_.events_of<Relinquished>(0)[0].to, Cluster::id(2));
        EXPECT_EQ(x_of(0, flag), 6) << "now a replica of the former owner";
        ASSERT_TRUE(peer(2).update(local(2), flag, at(8)));
        cluster_.run_for(500ms);
        for (const std::size_t i : {0U, 1U, 3U}) {
            EXPECT_EQ(x_of(i, flag), 8);
            EXPECT_EQ(changes(i, flag), 0U);
        }
        ASSERT_TRUE(peer(2).hand_over(local(2), flag, Cluster::id(0)));
        cluster_.run_for(500ms);
        EXPECT_EQ(owners(flag), std::vector<std::size_t>{0});
    }
}

TEST_F(SharedEntityTest, ReturnsIfThePeerItIsHandedToCrashesFirst) {
    const EntityId flag = publish(0, Tenure::movable);
    cluster_.cut(0, 2);
    ASSERT_TRUE(peer(0).hand_over(local(0), flag, Cluster::id(2)));
    crash(2);
    cluster_.run_for(2 * kTimeout);
    ASSERT_EQ(owners(flag), std::vector<std::size_t>{0});
    ASSERT_EQ(cluster_.events_of<Acquired>(0).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Acquired>(0)[0].why, Change::returned);
    EXPECT_TRUE(peer(0).update(local(0), flag, at(7)));
}

TEST_F(SharedEntityTest, ReturnsAtOnceFromAPeerThatHasTooManyAlready) {
    std::vector<EntityId> flags;
    for (std::size_t i = 0; i <= OwnedEntities::kMaxOfGiver; ++i)
        flags.push_back(publish(0, Tenure::movable));
    cluster_.forget_events();
    for (const EntityId& flag : flags) ASSERT_TRUE(peer(0).hand_over(local(0), flag, Cluster::id(1)));
    cluster_.run_for(500ms);
    EXPECT_EQ(peer(1).stats().ownership.owned, OwnedEntities::kMaxOfGiver);
    ASSERT_EQ(cluster_.events_of<Acquired>(0).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Acquired>(0)[0].why, Change::returned);
    EXPECT_TRUE(peer(0).update(local(0), cluster_.events_of<Acquired>(0)[0].entity, at(7)));
}

TEST_F(SharedEntityTest, MovableOnesEndWithTheirOwnerAfterTheStatedTime) {
    const EntityId flag = publish(0, Tenure::movable);
    crash(0);
    cluster_.run_for(kTimeout + 300ms);
    EXPECT_EQ(x_of(1, flag), 5);
    const LinkOptions link{.timeout = kTimeout};
    cluster_.run_for(ownerless_most(link) + 500ms);
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_FALSE(peer(i).replica(local(i), flag));
        EXPECT_EQ(changes(i, flag), 1U) << "gone";
    }
}

TEST_F(SharedEntityTest, AReplyLeavesOnlyWhenTheDeputyHasIt) {
    const EntityId chest = publish(0, Tenure::shared);
    const std::uint64_t held_before = peer(0).stats().ownership.replies_held;
    std::size_t deputy = 0;
    for (std::size_t i = 1; i < 4; ++i) {
        if (peer(i).stats().ownership.deputy_of == 1) deputy = i;
    }
    ASSERT_NE(deputy, 0U);
    const std::size_t asker = deputy == 3 ? 2 : 3;
    const RequestId request = ask(asker, chest, 7);
    cluster_.run_for(200ms);
    ASSERT_EQ(cluster_.events_of<Asked>(0).size(), 1U);
    cluster_.cut_way(0, deputy);  // the record is lost, for a while
    ASSERT_TRUE(peer(0).answer(local(0), request, bytes(8)));
    cluster_.run_for(400ms);
    EXPECT_TRUE(cluster_.events_of<Answered>(asker).empty());
    cluster_.cut_way(0, deputy, false);
    cluster_.run_for(400ms);
    ASSERT_EQ(cluster_.events_of<Answered>(asker).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Answered>(asker)[0].bytes, bytes(8));
    EXPECT_EQ(peer(0).stats().ownership.replies_held, held_before + 1);
}

TEST_F(SharedEntityTest, ARequestIsDecidedOnceAcrossACrashOfItsOwner) {
    const EntityId chest = publish(0, Tenure::shared);
    const RequestId request = ask(3, chest, 7);
    cluster_.run_for(200ms);
    ASSERT_EQ(cluster_.events_of<Asked>(0).size(), 1U);
    crash(0);  // before it answers
    cluster_.run_for(3 * kTimeout);
    const std::size_t owner = owners(chest).at(0);
    const auto asked = cluster_.events_of<Asked>(owner);
    ASSERT_EQ(asked.size(), 1U) << "the next owner is asked";
    EXPECT_EQ(asked[0].request, request);
    EXPECT_EQ(asked[0].by, avatars_[3]);
    ASSERT_TRUE(peer(owner).answer(local(owner), request, bytes(9)));
    cluster_.run_for(500ms);
    ASSERT_EQ(cluster_.events_of<Answered>(3).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Answered>(3)[0].bytes, bytes(9));
}

TEST_F(SharedEntityTest, AnOwnerIsAskedByItself) {
    const EntityId chest = publish(0, Tenure::shared);
    const RequestId request = ask(0, chest, 7);
    cluster_.run_for(100ms);
    ASSERT_EQ(cluster_.events_of<Asked>(0).size(), 1U);
    ASSERT_TRUE(peer(0).answer(local(0), request, bytes(1)));
    cluster_.run_for(200ms);
    ASSERT_EQ(cluster_.events_of<Answered>(0).size(), 1U);
    EXPECT_TRUE(cluster_.events_of<Answered>(0)[0].answered);
}

TEST_F(SharedEntityTest, AnswersToUnknownRequestsAreRefusedWithTheReason) {
    const EntityId chest = publish(0, Tenure::shared);
    const RequestId request = ask(3, chest, 7);
    cluster_.run_for(200ms);
    EXPECT_SAYS(peer(0).answer(local(0), {Cluster::id(3), request.number + 1}, bytes(1)), "never asked");
    ASSERT_TRUE(peer(0).answer(local(0), request, bytes(1)));
    EXPECT_SAYS(peer(0).answer(local(0), request, bytes(2)), "answered already");
    const RequestId late = ask(3, chest, 8);
    cluster_.run_for(200ms);
    ASSERT_TRUE(peer(0).hand_over(local(0), chest, Cluster::id(1)));
    EXPECT_SAYS(peer(0).answer(local(0), late, bytes(2)), "being handed over");
    cluster_.run_for(500ms);
    EXPECT_SAYS(peer(0).answer(local(0), late, bytes(2)), "does not own any more");
    EXPECT_EQ(cluster_.events_of<Asked>(1).size(), 1U) << "the next owner is asked";
}

TEST_F(SharedEntityTest, OrdinaryRequestsAreAnsweredOnce) {
    cluster_.run_for(300ms);
    const RequestId request = ask(1, avatars_[0], 7);
    cluster_.run_for(200ms);
    EXPECT_SAYS(peer(0).answer(local(0), {Cluster::id(1), request.number + 1}, bytes(1)), "never asked");
    EXPECT_SAYS(peer(0).answer(local(0), {Cluster::id(2), request.number}, bytes(1)), "never asked");
    ASSERT_TRUE(peer(0).answer(local(0), request, bytes(1)));
    EXPECT_SAYS(peer(0).answer(local(0), request, bytes(2)), "answered already");
    const RequestId about_gone = ask(1, avatars_[0], 8);
    cluster_.run_for(200ms);
    ASSERT_TRUE(peer(0).withdraw(local(0), avatars_[0]));
    EXPECT_SAYS(peer(0).answer(local(0), about_gone, bytes(2)), "withdrawn");
    cluster_.run_for(200ms);
    const auto answers = cluster_.events_of<Answered>(1);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_TRUE(answers[0].answered);
    EXPECT_FALSE(answers[1].answered) << "the asker does not wait for ever";
}

TEST_F(SharedEntityTest, APartitionEndsWithOneOwnerThatIsToldOfTheOtherHistory) {
    const EntityId chest = publish(0, Tenure::shared);
    std::size_t deputy = 1;
    while (peer(deputy).stats().ownership.deputy_of == 0) ++deputy;
    for (std::size_t i = 0; i < 4; ++i) {  // the owner alone
        if (i != 0) cluster_.cut(0, i);
    }
    cluster_.run_for(2 * kTimeout);
    ASSERT_EQ(owners(chest), (std::vector<std::size_t>{0, deputy}));
    std::map<std::size_t, RequestId> requests;
    for (const std::size_t i : {std::size_t{0}, deputy}) {
        requests[i] = ask(i, chest, static_cast<std::uint8_t>(i));
        cluster_.run_for(100ms);
        ASSERT_TRUE(peer(i).answer(local(i), requests[i], bytes(static_cast<std::uint8_t>(50 + i))));
        ASSERT_TRUE(peer(i).update(local(i), chest, at(static_cast<float>(40 + i))));
        cluster_.run_for(200ms);
        ASSERT_EQ(cluster_.events_of<Answered>(i).size(), 1U);
    }
    for (std::size_t i = 1; i < 4; ++i) cluster_.cut(0, i, false);
    cluster_.run_for(3 * kTimeout);
    ASSERT_EQ(owners(chest).size(), 1U);
    const std::size_t winner = owners(chest)[0];
    const std::size_t loser = deputy - winner;  // one of them is 0
    ASSERT_EQ(cluster_.events_of<Relinquished>(loser).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Relinquished>(loser)[0].why, Change::outranked);
    EXPECT_EQ(cluster_.events_of<Relinquished>(loser)[0].to, Cluster::id(winner));
    const auto diverged = cluster_.events_of<Diverged>(winner);
    ASSERT_EQ(diverged.size(), 1U);
    EXPECT_EQ(diverged[0].other, Cluster::id(loser));
    EXPECT_EQ(diverged[0].state.pose.position.x, static_cast<float>(40 + loser));
    ASSERT_EQ(diverged[0].only_there.size(), 1U);
    EXPECT_EQ(diverged[0].only_there[0].request, requests[loser]);
    EXPECT_EQ(diverged[0].only_there[0].by, avatars_[loser]);
    EXPECT_EQ(diverged[0].only_there[0].bytes, bytes(static_cast<std::uint8_t>(loser)));
    EXPECT_EQ(diverged[0].only_there[0].reply, bytes(static_cast<std::uint8_t>(50 + loser)));
    EXPECT_TRUE(diverged[0].complete);
}

TEST_F(SharedEntityTest, TwoOwnersThatShareANeighbourHearOfEachOther) {
    const EntityId chest = publish(0, Tenure::shared);
    std::size_t deputy = 1;
    while (peer(deputy).stats().ownership.deputy_of == 0) ++deputy;
    cluster_.cut(0, deputy);  // both are linked with the others
    cluster_.run_for(3 * kTimeout);
    EXPECT_EQ(owners(chest).size(), 1U);
    std::uint64_t taken_over = 0;
    for (std::size_t i = 0; i < 4; ++i) taken_over += peer(i).stats().ownership.taken_over;
    EXPECT_GT(taken_over, 0U) << "there were two";
}

TEST_F(SharedEntityTest, AFormerDeputyGivesWayToThePresentOne) {
    const EntityId chest = publish(0, Tenure::shared);
    ASSERT_EQ(peer(1).stats().ownership.deputy_of, 1U);
    for (std::size_t i = 1; i < 4; ++i) cluster_.cut(0, i);
    // The owner loses its links one by one; a record to peer 3 waits until that link is back.
    ASSERT_TRUE(cluster_.run_while([&] { return !peer(0).peers().empty(); }, 2 * kTimeout));
    cluster_.run_for(kTimeout);
    for (const std::size_t i : {2U, 3U, 1U}) {  // peer 2 is the deputy now
        cluster_.cut(0, i, false);
        cluster_.run_for(500ms);
    }
    ASSERT_EQ(owners(chest), std::vector<std::size_t>{0});
    ASSERT_TRUE(peer(0).update(local(0), chest, at(77)));
    cluster_.run_for(500ms);
    cluster_.cut_way(0, 3);  // the former deputy notices first
    cluster_.run_for(300ms);
    crash(0);
    cluster_.run_for(3 * kTimeout);
    EXPECT_EQ(peer(3).stats().ownership.taken_over, 1U) << "otherwise this test does not reach its case";
    ASSERT_EQ(owners(chest), std::vector<std::size_t>{2});
    EXPECT_EQ(x_of(1, chest), 77);
}

TEST(MovableEntity, IsHandedOverInAnOpenWorldToo) {
    PeerOptions options;
    options.overlay = PSense{};
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add(options);
    for (std::size_t i = 0; i < 3; ++i)
        ASSERT_TRUE(cluster.peer(i).publish(cluster.local(i), at(static_cast<float>(i))));
    cluster.join_all();
    const auto ball = cluster.peer(0).publish(cluster.local(0), at(5), Tenure::movable);
    cluster.run_for(1s);
    ASSERT_TRUE(ball && cluster.peer(2).replica(cluster.local(2), *ball));
    ASSERT_TRUE(cluster.peer(0).hand_over(cluster.local(0), *ball, Cluster::id(1)));
    cluster.run_for(1s);
    EXPECT_TRUE(cluster.peer(1).owns(*ball));
    EXPECT_FALSE(cluster.peer(0).owns(*ball));
    ASSERT_TRUE(cluster.peer(1).update(cluster.local(1), *ball, at(6)));
    cluster.run_for(1s);
    ASSERT_TRUE(cluster.peer(2).replica(cluster.local(2), *ball));
    EXPECT_EQ(cluster.peer(2).replica(cluster.local(2), *ball)->received.position.x, 6);
    EXPECT_EQ(cluster.peer(2).replica(cluster.local(2), *ball)->owner, Cluster::id(1));
}

TEST_F(SharedEntityTest, ReportsErrorsThatNameTheReason) {
    const EntityId chest = publish(0, Tenure::shared);
    EXPECT_SAYS(peer(0).hand_over(local(0), chest, PeerId::from_number(99)), "no link with peer");
    EXPECT_SAYS(peer(0).hand_over(local(0), avatars_[0], Cluster::id(1)), "fixed owner");
    EXPECT_SAYS(peer(1).hand_over(local(1), chest, Cluster::id(2)), "belongs to peer");
    EXPECT_SAYS(peer(1).withdraw(local(1), chest), "belongs to peer");
    PeerOptions options;
    options.overlay = PSense{};
    auto open_world = Peer::create(options, Seed{1});
    EXPECT_SAYS(open_world->publish(Instant{}, at(1), Tenure::shared), "needs the overlay FullMesh");
    EXPECT_TRUE(open_world->publish(Instant{}, at(1), Tenure::movable));
}

}  // namespace
}  // namespace fray::test
