// Entities whose updates go through one peer to all.

#include "consistency/consistency_choice.hpp"
#include "core/message.hpp"
#include "link/reliable_sender.hpp"
#include "replica/replica_store.hpp"
#include "support/pair.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace fray {
namespace {

using test::Cluster;
using test::Forger;

/// Nothing is faster than 100 units per second.
bool slow_enough(const Pose& before, std::span<const std::uint8_t>, const Pose& after,
                 std::span<const std::uint8_t>, Duration elapsed) {
    return static_cast<double>(length(after.position - before.position)) <= 100 * seconds(elapsed) + 1;
}
/// Where a motion model of another type would lead: nowhere.
Pose astray(const Pose& pose, std::span<const std::uint8_t>, std::span<const std::uint8_t>, std::uint32_t) {
    Pose there = pose;
    there.position = {-1000, -1000, -1000};
    return there;
}

PeerOptions make_options() {
    PeerOptions options;
    options.world.types = {EntityType::bare("first", astray), EntityType::bare("second")};
    options.world.types[1].valid = slow_enough;
    return options;
}
State at(float x) { return state_of(Pose{.position = {x, 0, 0}}, EntityTypeId{1}); }
constexpr std::size_t kOwner = 0;
constexpr std::size_t kThrough = 1;
constexpr std::size_t kThird = 2;

class Serialize : public testing::Test {
protected:
    Serialize() {
        cluster_.remember_sent(true);
        for (int i = 0; i < 3; ++i) cluster_.add(make_options());
        cluster_.join_all();
    }
    EntityId publish(float x, const ConsistencyAlgorithmOptions& algorithm) {
        const EntityId id = *cluster_.peer(kOwner).publish(cluster_.local(kOwner), at(x));
        EXPECT_TRUE(
            cluster_.peer(kOwner).set_consistency(cluster_.local(kOwner), id, {.algorithm = algorithm}));
        return id;
    }
    std::optional<Replica> seen_by(std::size_t i, const EntityId& id) {
        return cluster_.peer(i).replica(cluster_.local(i), id);
    }
    void expect_at(std::size_t i, const EntityId& id, float x) {
        const auto replica = seen_by(i, id);
        ASSERT_TRUE(replica) << i;
        EXPECT_NEAR(replica->pose.position.x, x, 0.05) << i;  // after a change the difference fades
        EXPECT_EQ(replica->received.position.x, x) << i;
    }
    void inject(Forger& forger, std::size_t from, std::size_t to,
                const std::function<void(BitWriter&)>& body) {
        cluster_.inject(to, cluster_.address(from), forger.make(body));
        cluster_.flush(to);
    }
    void write_body(BitWriter& out, float x) {
        const PoseCodec codec{cluster_.peer(kOwner).world()};
        out.bits(1, 1);  // type
        codec.write_full(out, codec.quantise(at(x).pose));
        out.boolean(false);
    }
    void write_state(BitWriter& out, const EntityId& id, float x, SessionInstant when) {
        write_kind(out, MessageKind::state);
        out.bits(stamp_of(when), kStampBits);
        out.boolean(true);
        write_varint(out, id.number);
        out.bits(0, kBackBits);
        write_body(out, x);
        out.boolean(false);
    }

    Cluster cluster_;
};

TEST_F(Serialize, WhatStandsStillReachesEverybody) {
    const auto central = CentralizedSerialization{Cluster::id(kThrough)};
    const EntityId first = publish(10, central);
    const EntityId second = publish(20, central);
    cluster_.run_for(2s);
    for (const std::size_t i : {kThrough, kThird}) {
        expect_at(i, first, 10);
        expect_at(i, second, 20);
    }
    const std::size_t late = cluster_.add(make_options());
    cluster_.join(late, kThrough);
    cluster_.run_for(3s);
    expect_at(late, first, 10);
    expect_at(late, second, 20);
}

TEST_F(Serialize, ItReachesThemOverARoughNetwork) {
    cluster_.set_network(test::rough(Seed{5}, 0.3, 0.1, 5ms, 150ms));
    const EntityId id = publish(10, CentralizedSerialization{Cluster::id(kThrough)});
    for (float x = 11; x < 40; ++x) {
        ASSERT_TRUE(cluster_.peer(kOwner).update(cluster_.local(kOwner), id, at(x)));
        cluster_.run_for(50ms);
    }
    cluster_.run_for(4s);
    for (const std::size_t i : {kThrough, kThird}) expect_at(i, id, 39);
    EXPECT_EQ(cluster_.peer(kOwner).local_view(cluster_.local(kOwner), id)->pose.position.x, 39);
}

TEST_F(Serialize, AViewerThatLostItsLinkWithTheSerializerGetsTheLastState) {
    const EntityId id = publish(10, CentralizedSerialization{Cluster::id(kThrough)});
    cluster_.run_for(2s);
    cluster_.cut(kThrough, kThird);
    cluster_.run_for(7s);
    ASSERT_TRUE(cluster_.peer(kOwner).update(cluster_.local(kOwner), id, at(30)));
    cluster_.run_for(3s);
    cluster_.cut(kThrough, kThird, false);
    cluster_.run_for(6s);
    expect_at(kThird, id, 30);
}

TEST_F(Serialize, AChoiceForWhatStandsIsToldOnceMore) {
    const EntityId id = publish(10, EverQuest{});
    cluster_.run_for(5s);
    ASSERT_TRUE(cluster_.peer(kOwner).set_consistency(
        cluster_.local(kOwner), id, {.algorithm = CentralizedSerialization{Cluster::id(kThrough)}}));
    ASSERT_TRUE(cluster_.peer(kOwner).update(cluster_.local(kOwner), id, at(30)));
    cluster_.run_for(2s);
    for (const std::size_t i : {kThrough, kThird}) expect_at(i, id, 30);
}

TEST_F(Serialize, AValidatorIsNotFooledByStamps) {
    const EntityId id = publish(10, EverQuest{.validator = Cluster::id(kThrough)});
    cluster_.run_for(2s);
    ASSERT_TRUE(cluster_.peer(kOwner).update(cluster_.local(kOwner), id, at(11)));
    cluster_.run_for(1s);
    expect_at(kThird, id, 11);
    Forger forger{*test::last_data(cluster_, kOwner, kThrough)};
    const SessionInstant last = seen_by(kThrough, id)->stamp;
    // Replaces an accepted state; and as if there had been enough time.
    for (const SessionInstant when : {last, cluster_.session(kThrough) + 20s}) {
        inject(forger, kOwner, kThrough, [&](BitWriter& out) { write_state(out, id, 900, when); });
    }
    cluster_.run_for(
        4s);  // until the owner really sent what was forged; before that, its acknowledgement is rejected
    for (const std::size_t i : {kThrough, kThird}) expect_at(i, id, 11);
    EXPECT_FALSE(cluster_.events_of<Overruled>(kOwner).empty());
}

// First the choice; then the entity through the relaying peer, and only then from its owner.
TEST_F(Serialize, ATypeThatIsKnownLaterCounts) {
    const EntityId standing = publish(5, EverQuest{});
    cluster_.run_for(1s);
    const EntityId id{Cluster::id(kOwner), standing.number + 1};
    const ConsistencyChoice told{id.number, 1, {.algorithm = EverQuest{.validator = Cluster::id(kThrough)}}};
    std::vector<std::uint8_t> bytes(64);
    bytes[0] = static_cast<std::uint8_t>(MessageKind::consistency);
    BitWriter choice{std::span{bytes}.subspan(1)};
    write(choice, told);
    bytes.resize(1 + choice.finish().size());
    Forger owner{*test::last_data(cluster_, kOwner, kThird)};
    inject(owner, kOwner, kThird, [&](BitWriter& out) {
        write_kind(out, MessageKind::reliable);
        write(out, ReliableHeader{.id = 100, .length = static_cast<std::uint32_t>(bytes.size())});
        out.copy(bytes, bytes.size() * 8);
    });
    const SessionInstant when = cluster_.session(kThird) - 500ms;
    Forger through{*test::last_data(cluster_, kThrough, kThird)};
    inject(through, kThrough, kThird, [&](BitWriter& out) {
        write_kind(out, MessageKind::relayed);
        out.bits(stamp_of(when), kStampBits);
        write_varint(out, id.number);
        write_body(out, 40);
        out.boolean(false);  // no further state
        out.boolean(true);   // ordered
        for (const std::uint8_t byte : id.owner.bytes) out.bits(byte, 8);
    });
    inject(owner, kOwner, kThird, [&](BitWriter& out) { write_state(out, id, 40, when); });
    expect_at(kThird, id, 40);
}

}  // namespace
}  // namespace fray
