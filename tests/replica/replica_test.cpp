#include <fray/random.hpp>

#include "replica/baseline_tracker.hpp"
#include "replica/primary.hpp"
#include "replica/replica_store.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <vector>

namespace fray {
namespace {

struct Tank {
    std::uint8_t armor = 100;
    std::uint32_t score = 0;
    std::vector<std::uint8_t> name;
    bool firing = false;
};
template <class Stream>
void serialize(Stream& s, Tank& t) {
    s.integer(t.armor, 0, 100);
    s.varint(t.score);
    s.bytes(t.name, 2000);
    s.boolean(t.firing);
}

/// An owner and a holder of its replicas; updates are bytes whose fate the test decides.
class ReplicaTest : public testing::Test {
public:
    struct Update {
        std::vector<std::uint8_t> bytes;
        std::size_t bits = 0;
        UpdateOrigin origin;
        Frame frame = 0;
    };
    static World make_world() {
        World world;
        world.types = {EntityType::of<Tank>("tank"), EntityType::bare("mark")};
        return world;
    }
    State next_state() {
        Tank tank{.armor = static_cast<std::uint8_t>(random_.below(101)),
                  .score = random_.chance(0.5) ? 7U : static_cast<std::uint32_t>(random_.next()),
                  .name = std::vector<std::uint8_t>(random_.below(20), 'x'),
                  .firing = random_.chance(0.5)};
        pose_.position += pose_.velocity * 0.05F;
        if (random_.chance(0.2)) pose_.velocity = {static_cast<float>(random_.uniform(-300, 300)), 10, 0};
        pose_.yaw = static_cast<float>(random_.uniform(0, 360));
        State state = state_of(pose_, tank);
        state.input.assign(random_.below(5), static_cast<std::uint8_t>(random_.below(3)));
        return state;
    }
    void commit(Primary& primary, const State& state) {
        when_ += 50ms;
        primary.set(state, when_);
        ASSERT_TRUE(primary.commit(++frame_, codec_));
        states_[frame_] = state;
    }
    Update write(Primary& primary, std::uint16_t sequence, std::optional<Frame> baseline,
                 std::uint16_t back) {
        const EncodedBody body = primary.encode(world_, codec_, baseline);
        std::vector<std::uint8_t> memory(body.bytes.size() + 64);
        BitWriter out{memory};
        write_varint(out, primary.number());
        out.bits(body.whole ? 0 : back, kBackBits);
        out.copy(body.bytes, body.bits);
        const std::size_t bits = out.bit_count();
        out.finish();
        return {memory, bits, {sequence, stamp_of(primary.stamp()), primary.stamp()}, primary.frame()};
    }
    std::optional<ReplicaStore::Applied> apply(const Update& update) {
        BitReader in{update.bytes, update.bits};
        read_.why = Rejection{};
        return store_.apply(in, world_, codec_, update.origin, read_);
    }
    void expect_shown(std::uint32_t number, Frame frame) {
        const auto at = store_.find(number);
        ASSERT_TRUE(at);
        const HeardState shown = store_.newest(*at, codec_);
        const State& truth = states_.at(frame);
        EXPECT_EQ(shown.pose, codec_.restore(codec_.quantise(truth.pose)));
        EXPECT_TRUE(std::ranges::equal(shown.payload, truth.payload));
        EXPECT_TRUE(std::ranges::equal(shown.input, truth.input));
    }

protected:
    World world_ = make_world();
    PoseCodec codec_{world_};
    ReplicaStore store_;
    RandomStream random_{Seed{1}, "replica"};
    Pose pose_{.position = {}, .velocity = {100, 10, 0}};
    SessionInstant when_{1000s};
    Frame frame_ = 0;
    std::map<Frame, State> states_;
    ReadUpdate read_;
};

TEST_F(ReplicaTest, WhatOneOwnerSendsOfKnownEntitiesIsBoundedAsWell) {
    constexpr std::uint32_t kEntities = 1024;
    for (const std::size_t name : {std::size_t{0}, std::size_t{2000}}) {  // small first, then they grow
        Primary primary{1, EntityTypeId{}};
        State state = state_of(pose_, Tank{.name = std::vector<std::uint8_t>(name, 'x')});
        state.input.assign(kMaxInputBytes, 1);
        commit(primary, state);
        const EncodedBody body = primary.encode(world_, codec_, std::nullopt);
        for (std::uint16_t sequence = 1; sequence <= kMaxBaselines; ++sequence) {
            for (std::uint32_t number = 0; number < kEntities; ++number) {
                std::vector<std::uint8_t> memory(body.bytes.size() + 64);
                BitWriter out{memory};
                write_varint(out, number);
                out.bits(0, kBackBits);
                out.copy(body.bytes, body.bits);
                const std::size_t bits = out.bit_count();
                out.finish();
                const auto at = static_cast<std::uint16_t>(sequence + name);
                apply({memory, bits, {at, stamp_of(when_), when_}, frame_});
            }
            ASSERT_LE(store_.heap_bytes(), std::size_t{17} * 1024 * 1024) << sequence;
        }
    }
    EXPECT_EQ(read_.why, Rejection::no_room);
    EXPECT_EQ(store_.size(), kEntities);
    RelayedState relayed;
    relayed.when = when_ + 1s;
    relayed.state.payload.assign(kMaxPayloadBytes, 1);
    for (relayed.state.number = 0; relayed.state.number < kEntities; ++relayed.state.number)
        store_.relay(relayed);
    EXPECT_LE(store_.heap_bytes(), std::size_t{17} * 1024 * 1024);
    for (std::uint32_t number = 0; number < kEntities; ++number) EXPECT_TRUE(store_.withdraw(number));
    EXPECT_LE(store_.heap_bytes(), std::size_t{1024} * 1024);
}

TEST_F(ReplicaTest, ADeltaAgainstAnyHeldStateGivesTheExactState) {
    Primary primary{3, EntityTypeId{}};
    std::map<std::uint16_t, Frame> held;
    std::uint16_t sequence = 65'500;  // passes the wrap
    std::size_t deltas = 0;
    for (int i = 0; i < 500; ++i, ++sequence) {
        commit(primary, next_state());
        const auto back = static_cast<std::uint16_t>(1 + random_.below(kMostBack));
        const auto base = held.find(static_cast<std::uint16_t>(sequence - back));
        const bool can = base != held.end() && random_.chance(0.9);
        const Update update =
            write(primary, sequence, can ? std::optional{base->second} : std::nullopt, back);
        deltas += can ? 1 : 0;
        if (random_.chance(0.2)) continue;  // lost
        const auto applied = apply(update);
        if (!applied) {
            // Allowed only if a newer baseline was used since: the owner would not go back.
            ASSERT_EQ(read_.why, Rejection::no_baseline);
            continue;
        }
        held[sequence] = frame_;
        expect_shown(3, frame_);
    }
    EXPECT_GT(deltas, 200U);
    EXPECT_EQ(store_.size(), 1U);
}

TEST_F(ReplicaTest, DuplicatedAndReorderedUpdatesNeverShowAnOlderState) {
    Primary primary{0, EntityTypeId{}};
    std::vector<Update> late;
    std::uint16_t sequence = 0;
    Frame newest = 0;
    std::size_t stale = 0;
    for (int i = 0; i < 600; ++i, ++sequence) {
        commit(primary, next_state());
        late.push_back(write(primary, sequence, std::nullopt, 0));
        if (random_.chance(0.3)) late.push_back(late.back());
        while (late.size() > 8) {
            const std::size_t pick = random_.below(static_cast<std::uint32_t>(late.size()));
            const auto applied = apply(late[pick]);
            ASSERT_TRUE(applied);
            const bool newer = late[pick].frame > newest;
            EXPECT_EQ(applied->outcome == ReplicaStore::Outcome::stale, !newer);
            stale += newer ? 0 : 1;
            newest = std::max(newest, late[pick].frame);
            late.erase(late.begin() + static_cast<std::ptrdiff_t>(pick));
            expect_shown(0, newest);
        }
    }
    EXPECT_GT(stale, 50U);
}

// Datagrams up to 63 behind the newest are still read: none of them may evict the newest state.
TEST_F(ReplicaTest, AnUpdateThatWasOvertakenByManyHarmsNothing) {
    Primary primary{0, EntityTypeId{}};
    std::vector<Update> all;
    for (std::uint16_t s = 0; s < 64; ++s) {
        commit(primary, next_state());
        all.push_back(write(primary, s, std::nullopt, 0));
    }
    for (std::size_t s = 0; s < all.size(); ++s) {
        if (s == 31 || s == 40) continue;
        ASSERT_TRUE(apply(all[s])) << s;
    }
    for (const std::size_t late : {std::size_t{31}, std::size_t{40}}) {
        const auto applied = apply(all[late]);
        ASSERT_TRUE(applied);
        EXPECT_EQ(applied->outcome, ReplicaStore::Outcome::stale);
        ASSERT_TRUE(store_.find(0));
    }
    // A delta against the newest: it must still be held. (show() would read a state that is gone.)
    const Frame base = frame_;
    commit(primary, next_state());
    ASSERT_TRUE(apply(write(primary, 64, base, 1))) << "the newest state was pushed out by an older one";
    expect_shown(0, frame_);
}

TEST_F(ReplicaTest, AForgottenBaselineIsRefusedAndNamed) {
    Primary primary{0, EntityTypeId{}};
    commit(primary, next_state());
    const Frame base = frame_;
    ASSERT_TRUE(apply(write(primary, 10, std::nullopt, 0)));
    commit(primary, next_state());
    EXPECT_FALSE(apply(write(primary, 12, base, 1)));  // 11 never arrived
    EXPECT_EQ(read_.why, Rejection::no_baseline);
    Primary stranger{77, EntityTypeId{}};
    stranger.set(next_state(), when_);
    stranger.commit(frame_, codec_);
    Update update = write(stranger, 13, std::nullopt, 0);
    // Number 77 takes ten bits; then a reference to a state that was never held.
    update.bytes[1] |= 0x1F << 2;
    EXPECT_FALSE(apply(update));
    EXPECT_EQ(read_.why, Rejection::unknown_entity);
    expect_shown(0, base);
}

TEST_F(ReplicaTest, ABaselineTheOwnerForgotGivesTheWholeState) {
    Primary primary{0, EntityTypeId{}};
    commit(primary, next_state());
    const Frame old = frame_;
    for (std::size_t i = 0; i < kPrimaryHistory; ++i) commit(primary, next_state());
    EXPECT_TRUE(primary.encode(world_, codec_, old).whole);
    EXPECT_FALSE(primary.encode(world_, codec_, frame_ - 1).whole);
    EXPECT_EQ(primary.state_frame(old), std::nullopt);
    EXPECT_EQ(primary.state_frame(frame_ + 5), frame_);
}

TEST_F(ReplicaTest, AnUpdateIsEncodedOncePerBaseline) {
    Primary primary{0, EntityTypeId{}};
    for (int i = 0; i < 4; ++i) commit(primary, next_state());
    const auto first = primary.encode(world_, codec_, frame_ - 1);
    const std::vector<std::uint8_t> bits(first.bytes.begin(), first.bytes.begin() + 8);
    const std::size_t cost = primary.last_bits();
    (void)primary.encode(world_, codec_, std::nullopt);
    EXPECT_NE(primary.last_bits(), cost);
    const auto again = primary.encode(world_, codec_, frame_ - 1);
    EXPECT_NE(primary.last_bits(), cost);  // it was not encoded again
    EXPECT_TRUE(std::ranges::equal(std::span{again.bytes}.first(8), bits));
    EXPECT_EQ(again.bits, cost);
}

TEST_F(ReplicaTest, AWithdrawnEntityStaysAwayHoweverManyWentWithIt) {
    std::vector<Update> updates;
    constexpr std::uint32_t kMany = 200;
    for (std::uint32_t n = 0; n < kMany; ++n) {
        Primary primary{n, EntityTypeId{1}};
        primary.set(state_of(pose_, EntityTypeId{1}), when_);
        primary.commit(1, codec_);
        updates.push_back(write(primary, 5, std::nullopt, 0));
        ASSERT_TRUE(apply(updates.back()));
    }
    ASSERT_EQ(store_.size(), kMany);
    for (std::uint32_t n = 0; n < kMany; ++n) EXPECT_TRUE(store_.withdraw(n));
    EXPECT_FALSE(store_.withdraw(3));
    for (Update& update : updates) {
        update.origin.sequence = 6;  // it was on its way
        (void)apply(update);
    }
    EXPECT_EQ(store_.size(), 0U) << "ghosts: withdrawn, and back for good";
}

// Short-lived entities: their memory is released when they are withdrawn.
TEST_F(ReplicaTest, ShortLivedEntitiesNeverFillIt) {
    for (std::uint32_t n = 0; n < 20'000; ++n) {
        Primary primary{n, EntityTypeId{0}};
        Tank tank;
        tank.name.assign(2000, static_cast<std::uint8_t>(n));
        primary.set(state_of(pose_, tank), when_);
        primary.commit(1, codec_);
        ASSERT_TRUE(apply(write(primary, static_cast<std::uint16_t>(n), std::nullopt, 0))) << n;
        ASSERT_TRUE(store_.withdraw(n));
    }
}

TEST_F(ReplicaTest, AStrangerCannotMakeItGrow) {
    std::size_t refused = 0;
    for (std::uint32_t n = 0; n < 6000; ++n) {
        Primary primary{n, EntityTypeId{1}};
        primary.set(state_of(pose_, EntityTypeId{1}), when_);
        primary.commit(1, codec_);
        if (!apply(write(primary, static_cast<std::uint16_t>(n), std::nullopt, 0))) {
            EXPECT_EQ(read_.why, Rejection::no_room);
            ++refused;
        }
    }
    EXPECT_EQ(store_.size(), kMaxRemoteEntities);
    EXPECT_EQ(refused, 6000 - kMaxRemoteEntities);
    for (std::uint32_t n = 0; n < 10'000; ++n) store_.withdraw(1'000'000 + n);
    EXPECT_LT(store_.heap_bytes(), kMaxRemoteEntities * 1000);
}

TEST_F(ReplicaTest, StatesHeldPerReplicaAreBounded) {
    Primary primary{0, EntityTypeId{}};
    std::size_t most = 0;
    for (int i = 0; i < 70'000; ++i) {  // baselines are never used, sequences wrap
        primary.set(state_of(pose_, Tank{}), when_);
        primary.commit(++frame_, codec_);
        ASSERT_TRUE(apply(write(primary, static_cast<std::uint16_t>(i), std::nullopt, 0)));
        most = std::max(most, store_.heap_bytes());
    }
    EXPECT_GT(most, 0U);
    EXPECT_LT(most, kMaxBaselines * 400);
}

TEST_F(ReplicaTest, AnEntityDoesNotChangeItsType) {
    Primary tank{0, EntityTypeId{}};
    commit(tank, next_state());
    ASSERT_TRUE(apply(write(tank, 0, std::nullopt, 0)));
    Primary mark{0, EntityTypeId{1}};
    mark.set(state_of(pose_, EntityTypeId{1}), when_);
    mark.commit(frame_, codec_);
    EXPECT_FALSE(apply(write(mark, 1, std::nullopt, 0)));
    EXPECT_EQ(read_.why, Rejection::impossible);
    expect_shown(0, frame_);
}

TEST_F(ReplicaTest, AnyBytesAreReadOrRefused) {
    Primary primary{0, EntityTypeId{}};
    commit(primary, next_state());
    const Update real = write(primary, 0, std::nullopt, 0);
    ASSERT_TRUE(apply(real));
    int read = 0;
    for (int i = 0; i < 20'000; ++i) {
        Update hostile = real;
        hostile.origin.sequence = static_cast<std::uint16_t>(i);
        hostile.bits = 1 + random_.below(static_cast<std::uint32_t>(real.bits));
        for (int flips = 0; flips < 3; ++flips) {
            hostile.bytes[random_.below(static_cast<std::uint32_t>(hostile.bytes.size()))] ^=
                static_cast<std::uint8_t>(1U << random_.below(8));
        }
        read += apply(hostile) ? 1 : 0;
    }
    EXPECT_GT(read, 20);
    EXPECT_LT(read, 20'000);
    for (std::size_t i = 0; i < store_.size(); ++i) {
        const Pose pose = store_.newest(i, codec_).pose;
        EXPECT_GE(pose.position.x, world_.low.x);
        EXPECT_LE(pose.position.x, world_.high.x);
    }
}

TEST(BaselineTracker, RemembersWhatEachDatagramCarried) {
    BaselineTracker tracker;
    tracker.datagram_sent();
    tracker.mark_carried(Instant{1s}, 7, 10);
    tracker.datagram_sent();
    tracker.datagram_sent();
    tracker.mark_carried(Instant{2s}, 7, 12);
    tracker.mark_carried(Instant{2s}, 3, 12);
    ASSERT_NE(tracker.find(7), nullptr);
    EXPECT_EQ(tracker.find(7)->carried, 0b101U);
    EXPECT_EQ(tracker.find(7)->sent, 12U);
    EXPECT_EQ(tracker.find(3)->carried, 0b1U);
    EXPECT_EQ(tracker.find(5), nullptr);
    EXPECT_EQ(tracker.all().front().number, 3U);
    tracker.forget(7);
    EXPECT_EQ(tracker.find(7), nullptr);
}

}  // namespace
}  // namespace fray
