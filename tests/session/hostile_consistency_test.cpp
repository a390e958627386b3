// Choices of consistency, serialized states, overrulings, requests and replies from hostile linked peers.

#include "agreement/requests.hpp"
#include "consistency/consistency_choice.hpp"
#include "core/message.hpp"
#include "link/reliable_sender.hpp"
#include "replica/replica_store.hpp"
#include "support/pair.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace fray {
namespace {

using test::Cluster;
using test::Forger;

constexpr auto kWithdraw = static_cast<std::uint8_t>(MessageKind::withdraw);
constexpr auto kConsistency = static_cast<std::uint8_t>(MessageKind::consistency);
constexpr auto kSerialized = static_cast<std::uint8_t>(MessageKind::relayed);
constexpr auto kOverruled = static_cast<std::uint8_t>(MessageKind::overruled);
constexpr auto kRequest = static_cast<std::uint8_t>(MessageKind::request);
constexpr auto kReply = static_cast<std::uint8_t>(MessageKind::reply);

using Bytes = std::vector<std::uint8_t>;
using Write = std::function<void(BitWriter&)>;

Bytes packed(std::uint8_t kind, const Write& write) {
    Bytes bytes(2000);
    bytes[0] = kind;
    BitWriter out{std::span{bytes}.subspan(1)};
    write(out);
    bytes.resize(1 + out.finish().size());
    return bytes;
}
template <class T>
Bytes packed_object(std::uint8_t kind, const T& value) {
    return packed(kind, [&](BitWriter& out) { write(out, value); });
}

constexpr std::size_t kVictim = 0;
constexpr std::size_t kOwner = 1;
constexpr std::size_t kChosen = 2;  // serializer and validator
constexpr std::size_t kOther = 3;

/// Four peers; the owner's entity goes through the chosen one, which also validates the victim's.
class HostileConsistency : public testing::Test {
protected:
    HostileConsistency() {
        PeerOptions options;
        options.world.types = {EntityType::bare("first"), EntityType::bare("second")};
        world_ = options.world;
        cluster_.remember_sent(true);
        for (int i = 0; i < 4; ++i) cluster_.add(options);
        cluster_.join_all();
        theirs_ = *cluster_.peer(kOwner).publish(cluster_.local(kOwner), at(10));
        ours_ = *cluster_.peer(kVictim).publish(cluster_.local(kVictim), at(20));
        for (std::size_t i = kChosen; i <= kOther; ++i)
            (void)cluster_.peer(i).publish(cluster_.local(i), at(30));
        choose(kOwner, theirs_, CentralizedSerialization{Cluster::id(kChosen)});
        choose(kVictim, ours_, EverQuest{.validator = Cluster::id(kChosen)});
        cluster_.run_for(2s);
        cluster_.forget_events();
    }
    static State at(float x) { return state_of(Pose{.position = {x, 0, 0}}); }
    void choose(std::size_t i, const EntityId& id, const ConsistencyAlgorithmOptions& algorithm) {
        ASSERT_TRUE(cluster_.peer(i).set_consistency(cluster_.local(i), id, {.algorithm = algorithm}));
    }
    Peer& victim() { return cluster_.peer(kVictim); }
    std::uint64_t rejected(Rejection why) { return victim().stats().rejections.of(why); }
    float shown_x() { return victim().replica(cluster_.local(kVictim), theirs_)->received.position.x; }
    SessionInstant present() { return cluster_.session(kVictim); }

    void inject(std::size_t from, const Write& body) {
        const auto real = test::last_data(cluster_, from, kVictim);
        Forger& forger = forgers_.try_emplace(from, *real).first->second;
        cluster_.inject(kVictim, cluster_.address(from), forger.make(body));
        cluster_.flush(kVictim);
    }
    /// As a new reliable message.
    void say(std::size_t from, const Bytes& bytes) {
        const ReliableHeader header{.id = ++next_id_, .length = static_cast<std::uint32_t>(bytes.size())};
        inject(from, [&](BitWriter& out) {
            write_kind(out, MessageKind::reliable);
            write(out, header);
            out.copy(bytes, bytes.size() * 8);
        });
    }
    Write whole(const EntityId& id, float x, std::uint8_t type = 0) const {
        return [=, this](BitWriter& out) {
            const PoseCodec codec{world_};
            const WholeState state{.number = id.number,
                                   .type = EntityTypeId{type},
                                   .pose = codec.quantise(at(x).pose),
                                   .payload = {},
                                   .input = {}};
            write_numbered(out, world_, codec, state);
        };
    }
    Write serialized(const EntityId& id, float x, Duration ahead = {}, std::uint8_t type = 0) {
        const std::uint16_t stamp = stamp_of(present() + ahead);
        return [=, this](BitWriter& out) {
            out.bits(stamp, kStampBits);
            whole(id, x, type)(out);
            out.boolean(false);  // no further state
            out.boolean(true);   // ordered
            for (const std::uint8_t byte : id.owner.bytes) out.bits(byte, 8);
        };
    }
    static Write loose(const Write& body) {
        return [=](BitWriter& out) {
            write_kind(out, MessageKind::relayed);
            body(out);
        };
    }
    Bytes overruled(float x, std::uint8_t type = 0) {
        return packed(kOverruled, [&](BitWriter& out) {
            out.bits(wire_time(present()), kSessionTimeBits);
            whole(ours_, x, type)(out);
        });
    }
    template <class T>
    std::size_t count() const {
        return cluster_.events_of<T>(kVictim).size();
    }

    World world_;
    Cluster cluster_;
    EntityId theirs_;
    EntityId ours_;
    std::map<std::size_t, Forger> forgers_;
    std::uint16_t next_id_ = 100;
    RandomStream random_{Seed{8}, "hostile"};
};

TEST_F(HostileConsistency, WordsThatEndTooEarlyAreDroppedAndCounted) {
    const Bytes bytes{1, 2, 3};
    const std::vector<Bytes> messages{
        packed_object(kConsistency, ConsistencyChoice{9, 1, {.algorithm = Adaptive{}}}),
        packed(kSerialized, serialized(theirs_, 50)),
        overruled(50),
        packed_object(kRequest, Request{1, 0, ours_.number, wire_time(present()), bytes}),
        packed_object(kReply, Reply{1, true, bytes}),
    };
    for (const Bytes& message : messages) {
        for (std::size_t size = 1; size < message.size(); ++size) {
            const std::uint64_t before = rejected(Rejection::malformed);
            say(kChosen, {message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size)});
            EXPECT_EQ(rejected(Rejection::malformed), before + 1) << int{message[0]} << ": " << size;
        }
    }
    for (std::size_t bits = 0; bits < 100; ++bits) {
        const std::uint64_t before = rejected(Rejection::malformed);
        inject(kChosen, loose([&](BitWriter& out) { out.bits(0, static_cast<unsigned>(bits % 60)); }));
        EXPECT_EQ(rejected(Rejection::malformed), before + 1);
    }
    EXPECT_EQ(count<Asked>() + count<Answered>() + count<Overruled>(), 0U);
    EXPECT_EQ(shown_x(), 10);
}

TEST_F(HostileConsistency, RandomWordsHarmNothing) {
    for (int i = 0; i < 3000; ++i) {
        Bytes bytes(1 + random_.below(60));
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_.next());
        bytes[0] = static_cast<std::uint8_t>(kConsistency + random_.below(5));
        say(kOther, bytes);
    }
    EXPECT_GT(rejected(Rejection::malformed), 300U);
    EXPECT_EQ(count<Overruled>() + count<Answered>(), 0U);
    EXPECT_EQ(shown_x(), 10);
    for (const Replica& r : victim().replicas(cluster_.local(kVictim)))
        EXPECT_LE(std::abs(r.pose.position.x), 1024);
    EXPECT_LT(victim().memory_bytes(), 8'000'000U);
}

TEST_F(HostileConsistency, OnlyWhomTheOwnerChoseIsBelieved) {
    const std::uint64_t before = rejected(Rejection::unknown_entity);
    inject(kOther, loose(serialized(theirs_, 50)));
    say(kOther, packed(kSerialized, serialized(theirs_, 50)));
    say(kOther, packed(kSerialized, serialized(ours_, 50)));  // about our own entity
    EXPECT_EQ(rejected(Rejection::unknown_entity), before + 3);
    EXPECT_EQ(shown_x(), 10);
    inject(kChosen, loose(serialized(theirs_, 60)));
    EXPECT_EQ(shown_x(), 60);
}

TEST_F(HostileConsistency, AnOwnerThatGoesAroundItsSerializerIsNotSeen) {
    inject(kOwner, [&](BitWriter& out) {
        write_kind(out, MessageKind::state);
        out.bits(stamp_of(present()), kStampBits);
        out.boolean(true);
        write_varint(out, theirs_.number);
        out.bits(0, kBackBits);
        out.bits(0, 1);
        const PoseCodec codec{world_};
        codec.write_full(out, codec.quantise(at(70).pose));
        out.boolean(true);  // an input
        out.bits(1, 7);
        out.bits(42, 8);
        out.boolean(false);
    });
    const auto replica = victim().replica(cluster_.local(kVictim), theirs_);
    EXPECT_EQ(replica->pose.position.x, 10);
    EXPECT_EQ(replica->received.position.x, 10);
    EXPECT_TRUE(replica->input.empty());
}

TEST_F(HostileConsistency, StatesOfTheFutureOfLongAgoAndOfAnotherTypeAreRefused) {
    std::uint64_t refused = rejected(Rejection::impossible);
    for (const Duration ahead : {Duration{200ms}, Duration{20s}, Duration{-20s}}) {
        inject(kChosen, loose(serialized(theirs_, 50, ahead)));
        EXPECT_EQ(rejected(Rejection::impossible), ++refused);
    }
    say(kChosen, packed(kSerialized, serialized(theirs_, 50, 20s)));
    EXPECT_EQ(rejected(Rejection::impossible), ++refused);
    say(kChosen, packed(kSerialized, serialized(theirs_, 50, 0s, 1)));
    EXPECT_EQ(rejected(Rejection::impossible), ++refused);
    EXPECT_EQ(shown_x(), 10);
    // The rest of the datagram is read: the owner may have written this state.
    inject(kChosen, [&](BitWriter& out) {
        loose(serialized(theirs_, 50, 20s))(out);
        loose(serialized(theirs_, 60))(out);
    });
    EXPECT_EQ(shown_x(), 60);
}

TEST_F(HostileConsistency, OnlyTheValidatorOverrules) {
    const std::uint64_t before = rejected(Rejection::impossible);
    say(kOther, overruled(50));
    say(kChosen, overruled(50, 1));  // an entity keeps its type
    EXPECT_EQ(rejected(Rejection::impossible), before + 2);
    EXPECT_EQ(count<Overruled>(), 0U);
    say(kChosen, overruled(50));
    EXPECT_EQ(count<Overruled>(), 1U);
}

TEST_F(HostileConsistency, OnlyWhoWasAskedAnswersAndOnce) {
    const auto asked =
        victim().interact(cluster_.local(kVictim), ours_, theirs_, std::vector<std::uint8_t>{1});
    ASSERT_TRUE(asked);
    std::uint64_t refused = rejected(Rejection::impossible);
    say(kOwner, packed_object(kReply, Reply{asked->number + 1, true, {}}));  // never asked
    EXPECT_EQ(rejected(Rejection::impossible), ++refused);
    say(kOther, packed_object(kReply, Reply{asked->number, true, {}}));
    EXPECT_EQ(rejected(Rejection::impossible), ++refused);
    EXPECT_EQ(count<Answered>(), 0U);
    say(kOwner, packed_object(kReply, Reply{asked->number, true, {7}}));
    say(kOwner, packed_object(kReply, Reply{asked->number, true, {8}}));
    EXPECT_EQ(rejected(Rejection::impossible), ++refused);
    ASSERT_EQ(count<Answered>(), 1U);
    EXPECT_EQ(cluster_.events_of<Answered>(kVictim)[0].bytes, Bytes{7});
}

TEST_F(HostileConsistency, WhoNeverAnswersLeavesRoomForOthers) {
    const auto ask = [&](const EntityId& target) {
        return victim().interact(cluster_.local(kVictim), ours_, target, {}).has_value();
    };
    std::size_t taken = 0;
    while (taken < 300 && ask(theirs_)) ++taken;
    EXPECT_EQ(taken, OpenRequests::kMostOfOne);
    EXPECT_TRUE(ask({Cluster::id(kOther), 0}));
}

TEST_F(HostileConsistency, AnEntityThatIsGoneIsNotAnsweredFor) {
    ASSERT_TRUE(cluster_.peer(kOther).replica(cluster_.local(kOther), ours_));
    const auto by = cluster_.peer(kOther).publish(cluster_.local(kOther), at(1));
    ASSERT_TRUE(victim().withdraw(cluster_.local(kVictim), ours_));
    ASSERT_TRUE(
        cluster_.peer(kOther).interact(cluster_.local(kOther), *by, ours_, std::vector<std::uint8_t>{1}));
    cluster_.run_for(500ms);
    EXPECT_EQ(count<Asked>(), 0U);
    const auto answers = cluster_.events_of<Answered>(kOther);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_FALSE(answers[0].answered);
}

TEST_F(HostileConsistency, WhatWasSeenIsNeitherOfTheFutureNorOfLongAgo) {
    std::uint32_t number = 0;
    for (const std::uint64_t seen : {std::uint64_t{0}, wire_time(present() - 1s), kMaxWireTime}) {
        say(kOther, packed_object(kRequest, Request{number++, 2, ours_.number, seen, {}}));
    }
    const auto asked = cluster_.events_of<Asked>(kVictim);
    ASSERT_EQ(asked.size(), 3U);
    EXPECT_EQ(asked[0].seen, present() - kMostRewind);
    EXPECT_EQ(asked[1].seen, present() - 1s);
    EXPECT_EQ(asked[2].seen, present());
    EXPECT_EQ(asked[0].by, (EntityId{Cluster::id(kOther), 2}));
}

TEST_F(HostileConsistency, UnansweredRequestsOfOnePeerAreBoundedAndNotRepeated) {
    for (int copy = 0; copy < 2; ++copy) {
        for (std::uint32_t n = 0; n < 2 * AskedRequests::kMostOfOne; ++n)
            say(kOther, packed_object(kRequest, Request{n, 2, ours_.number, 0, {}}));
    }
    EXPECT_EQ(cluster_.events_of<Asked>(kVictim).size(), AskedRequests::kMostOfOne);
    EXPECT_EQ(rejected(Rejection::impossible), 3 * AskedRequests::kMostOfOne);
}

TEST_F(HostileConsistency, RepliesThatNobodyAcknowledgesAreBounded) {
    for (std::uint32_t n = 0; n < 20'000; ++n) {
        say(kOther, packed_object(kRequest, Request{n, 0, 0xFFFF, 0, {}}));
    }
    EXPECT_GT(rejected(Rejection::no_room), 100U);  // of as many as may wait for an acknowledgement
    EXPECT_LT(victim().memory_bytes(), 4'000'000U);
}

TEST_F(HostileConsistency, ViewsOfOneLinkAreBounded) {
    const Consistency slow{.algorithm = LocalLag{kMostLag}};
    constexpr std::uint32_t kMany = 5000;
    for (std::uint32_t n = 0; n < kMany; ++n)
        say(kOther, packed_object(kConsistency, ConsistencyChoice{1000 + n, 1, slow}));
    const std::uint64_t too_many = kMany - kMaxRemoteEntities;
    EXPECT_GE(rejected(Rejection::no_room), too_many);
    EXPECT_LE(rejected(Rejection::no_room), too_many + 8);
    // Then many states of many entities.
    const PoseCodec codec{world_};
    for (int state = 0; state < 130; ++state) {
        for (std::uint32_t n = 0; n < 1500; n += 50) {
            inject(kOther, [&](BitWriter& out) {
                write_kind(out, MessageKind::state);
                out.bits(stamp_of(present() + state * 1ms), kStampBits);
                for (std::uint32_t i = 0; i < 50; ++i) {
                    out.boolean(true);
                    write_varint(out, 1000 + n + i);
                    out.bits(0, kBackBits);
                    out.bits(0, 1);
                    codec.write_full(out, codec.quantise(at(static_cast<float>(state)).pose));
                    out.boolean(false);
                }
                out.boolean(false);
            });
        }
    }
    EXPECT_LT(victim().memory_bytes(), 20'000'000U);
}

TEST_F(HostileConsistency, AChoiceThatItsWithdrawalOvertookIsForgotten) {
    say(kOther, packed(kWithdraw, [](BitWriter& out) { write_varint(out, 77); }));
    const std::size_t before = victim().memory_bytes();
    say(kOther, packed_object(kConsistency, ConsistencyChoice{77, 1, {.algorithm = LocalLag{}}}));
    EXPECT_LE(victim().memory_bytes(), before + 64);
}

}  // namespace
}  // namespace fray
