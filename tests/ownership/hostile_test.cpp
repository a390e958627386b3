// Claims, requests and records that a peer has no right to send, or sends too many of.

#include "ownership/kept_records.hpp"
#include "ownership/known_entities.hpp"
#include "support/hostile_ownership.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace fray {
namespace {

using test::Cluster;
using test::HostileOwnership;
using Bytes = HostileOwnership::Bytes;

TEST_F(HostileOwnership, MessagesThatAreNotInOrderAreRejected) {
    say(OwnerMessage::claim, ToldClaim{claim(theirs_, 50, 1), false}, false);
    EXPECT_EQ(rejected(Rejection::impossible), 1U);
    EXPECT_EQ(victim().replica(cluster_.local(kVictim), theirs_)->owner, Cluster::id(kOwner));
}

TEST_F(HostileOwnership, ClaimsThatCannotBeAreRejected) {
    Claim plain = claim({Cluster::id(kLiar), 5}, 1, 1);  // an entity with a fixed owner
    say(OwnerMessage::claim, ToldClaim{plain, false});
    Claim no_body = claim(theirs_, 50, 1);
    no_body.body = 5;
    say(OwnerMessage::claim, ToldClaim{no_body, false});
    Claim other_stay = claim(theirs_, 50, 1);
    ++other_stay.incarnation;
    say(OwnerMessage::claim, ToldClaim{other_stay, false});
    say(OwnerMessage::claim, ToldClaim{claim(theirs_, kMostTermStep + 100, 1), false});
    EXPECT_EQ(rejected(Rejection::impossible), 4U);
    EXPECT_EQ(victim().replica(cluster_.local(kVictim), theirs_)->owner, Cluster::id(kOwner));
    say(OwnerMessage::claim, ToldClaim{claim({Cluster::id(kLiar), kFirstLasting | 1U}, 1, 1), false});
    say(OwnerMessage::claim, ToldClaim{claim({Cluster::id(kLiar), kFirstLasting | 2U}, 1, 1), false});
    EXPECT_EQ(rejected(Rejection::impossible), 5U) << "one body stands for one entity";
}

TEST_F(HostileOwnership, ALowerClaimChangesNothing) {
    say(OwnerMessage::claim, ToldClaim{claim(ours_, 0, 1), false});
    EXPECT_TRUE(victim().owns(ours_));
    EXPECT_TRUE(cluster_.events_of<Relinquished>(kVictim).empty());
}

TEST_F(HostileOwnership, AnOwnerOutbidsTheClaimOfAPeerThatIsGone) {
    Claim of_nobody = claim(ours_, 500, 1);
    of_nobody.owner = PeerId::from_number(99);
    say(OwnerMessage::claim, ToldClaim{of_nobody, true});
    EXPECT_TRUE(victim().owns(ours_)) << "otherwise it would belong to no peer";
}

TEST_F(HostileOwnership, ClaimsOfOnePeerAreBounded) {
    for (std::uint32_t n = 0; n < KnownEntities::kMaxOfOne + 500; ++n)
        say(OwnerMessage::claim, ToldClaim{claim({Cluster::id(kLiar), kFirstLasting | n}, 1, n), false});
    EXPECT_EQ(rejected(Rejection::no_room), 500U);
    EXPECT_LT(victim().memory_bytes(), 4'000'000U);
    EXPECT_TRUE(cluster_.events_of<EntityAppeared>(kVictim).empty()) << "there is no state of them";
}

TEST_F(HostileOwnership, RecordsThatNobodyAskedForAreBounded) {
    const EntityId id{Cluster::id(kLiar), kFirstLasting | 1U};
    Record record{.claim = claim(id, 1, 1), .stream = 2, .serial = 1, .whole = true};
    record.claim.owner = Cluster::id(kOwner);
    say(OwnerMessage::record, record);
    EXPECT_EQ(rejected(Rejection::impossible), 1U) << "of another peer's entity";
    record.claim = claim(id, 1, 1);
    record.stream = 1;
    say(OwnerMessage::record, record);
    EXPECT_EQ(rejected(Rejection::impossible), 2U) << "it would not outrank its owner";
    record.stream = 2;
    record.state = {0xFF, 0xFF};
    say(OwnerMessage::record, record);
    EXPECT_EQ(rejected(Rejection::malformed), 1U) << "no state";
    record.state.clear();
    Decision long_one{.asker = Cluster::id(kLiar), .by = {}, .bytes = Bytes(400, 1), .reply = Bytes(400, 1)};
    record.decisions = {long_one};
    say(OwnerMessage::record, record);
    record.whole = false;
    for (int i = 0; i < 7000; ++i) say(OwnerMessage::record, record);  // the last piece never comes
    EXPECT_EQ(rejected(Rejection::no_room), 1U) << "then the record is dropped";
    EXPECT_LT(victim().memory_bytes(), KeptRecords::kMaxBytesOfOne + 4'000'000U);
    EXPECT_EQ(victim().stats().ownership.deputy_of, 1U) << "only the honest owner's";
}

TEST_F(HostileOwnership, RequestsOfOnePeerAreBounded) {
    for (std::uint32_t n = 1; n <= 100; ++n) {
        say(OwnerMessage::ask, Ask{.target = ours_,
                                   .term = 1,
                                   .number = kFirstLasting + n,
                                   .previous = kFirstLasting + n - 1,
                                   .oldest = kFirstLasting + 1});
    }
    EXPECT_EQ(cluster_.events_of<Asked>(kVictim).size(), kMaxOpenOfEntity);
    EXPECT_EQ(rejected(Rejection::impossible), 100 - kMaxOpenOfEntity);
    say(OwnerMessage::ask,
        Ask{.target = ours_, .term = 1, .number = kFirstLasting + 500, .previous = kFirstLasting + 500});
    EXPECT_EQ(rejected(Rejection::impossible), 101 - kMaxOpenOfEntity) << "not after itself";
}

TEST_F(HostileOwnership, OnlyTheOwnerThatWasAskedAnswers) {
    const auto request = victim().interact(cluster_.local(kVictim), avatar_, theirs_, Bytes{1});
    ASSERT_TRUE(request);
    say(OwnerMessage::decided, Decided{theirs_, request->number, true, {6}});
    EXPECT_TRUE(cluster_.events_of<Answered>(kVictim).empty());
    cluster_.run_for(200ms);
    ASSERT_EQ(cluster_.events_of<Asked>(kOwner).size(), 1U);
    ASSERT_TRUE(cluster_.peer(kOwner).answer(cluster_.local(kOwner), *request, Bytes{7}));
    cluster_.run_for(500ms);
    ASSERT_EQ(cluster_.events_of<Answered>(kVictim).size(), 1U);
    EXPECT_EQ(cluster_.events_of<Answered>(kVictim)[0].bytes, Bytes{7});
}

TEST_F(HostileOwnership, EveryPrefixOfEveryMessageIsRejected) {
    const Record record{.claim = claim(theirs_, 50, 1), .stream = 51, .state = Bytes(20, 1)};
    Bytes bytes(2000);
    BitWriter out{bytes};
    write(out, Enveloped<Record>{OwnerMessage::record, &record});
    bytes.resize(out.finish().size());
    for (std::size_t length = 0; length + 1 < bytes.size(); ++length) {
        Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        cut.insert(cut.begin(), static_cast<std::uint8_t>(MessageKind::ownership));
        say(cut, true);
    }
    EXPECT_EQ(rejected(Rejection::malformed), bytes.size() - 1);
    EXPECT_EQ(victim().replica(cluster_.local(kVictim), theirs_)->owner, Cluster::id(kOwner));
}

}  // namespace
}  // namespace fray
