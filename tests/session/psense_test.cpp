// Sessions in an open world: who leaves and comes in elsewhere, and neighbours who pass on what never was.

#include "core/message.hpp"
#include "overlay/psense_messages.hpp"
#include "replica/replica_store.hpp"
#include "support/pair.hpp"
#include "wire/session_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace fray {
namespace {

using test::Cluster;
using test::Forger;

constexpr Duration kTick{50ms};
constexpr float kVision = 100;

PeerOptions open_world() {
    PSense psense;
    psense.vision_range = kVision;
    psense.margin = 10;
    PeerOptions options;
    options.world.low.z = 0;
    options.world.high.z = 0;
    options.world.tick = kTick;
    options.overlay = psense;
    return options;
}

/// Peers in a row, each in sight of the next ones, who all say something in every frame.
class Row {
public:
    Row() {
        for (std::size_t i = 0; i < kPeers; ++i) {
            enter(kApart * static_cast<float>(i) - 880);
            if (i > 0) cluster_.join(i, i - 1);
            run(2);
        }
        run(60);
    }
    /// A peer that is there, and has not joined.
    std::size_t enter(float x) {
        const std::size_t i = cluster_.add(open_world());
        Place place;
        place.pose.position.x = x;
        place.entity = *cluster_.peer(i).publish(cluster_.local(i), state_of(place.pose));
        places_.push_back(place);
        return i;
    }
    void run(int frames) {
        for (int frame = 0; frame < frames; ++frame) {
            for (std::size_t i = 0; i < places_.size(); ++i) {
                places_[i].pose.position.y = places_[i].pose.position.y > 0 ? 0.0F : 1.0F;
                (void)cluster_.peer(i).update(cluster_.local(i), places_[i].entity,
                                              state_of(places_[i].pose));
            }
            cluster_.run_for(kTick);
        }
    }
    void leave(std::size_t whom, float next_x) {
        cluster_.peer(whom).leave(cluster_.local(whom));
        places_[whom].pose.position.x = next_x;
    }
    /// Frames until all who see it know it, after it joins through the first of the row.
    [[nodiscard]] int frames_until_known(std::size_t whom) {
        cluster_.join(whom, 0);
        for (int frames = 0; frames < kMost; ++frames) {
            const auto [all, some] = known(whom);
            EXPECT_GE(all, 2);
            if (all == some) return frames;
            run(1);
        }
        return kMost;
    }

private:
    static constexpr std::size_t kPeers = 22;
    static constexpr float kApart = 80;
    static constexpr int kMost = 400;
    struct Place {
        EntityId entity;
        Pose pose;
    };
    /// Those who see it, and those of them who were shown it.
    [[nodiscard]] std::pair<int, int> known(std::size_t whom) {
        std::pair<int, int> found;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const float apart = distance(places_[i].pose.position, places_[whom].pose.position);
            if (i == whom || apart > kVision) continue;
            ++found.first;
            found.second += cluster_.peer(i).replica(cluster_.local(i), places_[whom].entity) ? 1 : 0;
        }
        return found;
    }
    Cluster cluster_;
    std::vector<Place> places_;
};

TEST(OpenWorld, WhoLeavesAndJoinsElsewhereIsKnownThereAsSoonAsANewcomer) {
    constexpr float kHere = -850;
    constexpr float kThere = 780;
    Row row;
    const std::size_t newcomer = row.enter(kThere);
    const int fresh = row.frames_until_known(newcomer);
    EXPECT_GT(fresh, 5) << "or it was no way to go";
    Row same_row;
    const std::size_t mover = same_row.enter(kHere);
    EXPECT_LT(same_row.frames_until_known(mover), fresh) << "there it joined among its neighbours";
    same_row.run(36);
    same_row.leave(mover, kThere);
    EXPECT_LE(same_row.frames_until_known(mover), fresh + 1);
}

// What is passed on and older than a second and twenty frames is refused.
TEST(OpenWorld, WhoStandsStillMayBePassedOnAtAnyTime) {
    Cluster cluster;
    std::vector<EntityId> entities;
    for (std::size_t i = 0; i < 2; ++i) {
        cluster.add(open_world());
        Pose pose;
        pose.position.x = 60 * static_cast<float>(i);
        entities.push_back(*cluster.peer(i).publish(cluster.local(i), state_of(pose)));
    }
    cluster.join(1, 0);
    cluster.run_for(3s);
    Duration oldest{};
    for (int frame = 0; frame < 400; ++frame) {
        const auto shown = cluster.peer(1).replica(cluster.local(1), entities[0]);
        ASSERT_TRUE(shown);
        oldest = std::max(oldest, shown->age);
        cluster.run_for(kTick);
    }
    EXPECT_GT(oldest, 1s) << "it has nothing new to say";
    EXPECT_LT(oldest, 1s + 20 * kTick - 4 * kTick) << "with time for a few frames on the way";
}

// Stamped anew it would be thrown back to where it began.
TEST(OpenWorld, WhoMovesAndSaysNothingNewIsWhereItsVelocityTakesIt) {
    Cluster cluster;
    for (std::size_t i = 0; i < 2; ++i) cluster.add(open_world());
    Pose pose;
    pose.velocity.x = 4;
    const EntityId mover = *cluster.peer(0).publish(cluster.local(0), state_of(pose));
    (void)*cluster.peer(1).publish(cluster.local(1), state_of(Pose{.position = {20, 0, 0}}));
    cluster.join(1, 0);
    cluster.run_for(1s);
    float furthest = 0;
    for (int frame = 0; frame < 80; ++frame) {
        const auto shown = cluster.peer(1).replica(cluster.local(1), mover);
        ASSERT_TRUE(shown);
        EXPECT_GE(shown->target.position.x, furthest - 0.1F) << frame;
        furthest = std::max(furthest, shown->target.position.x);
        cluster.run_for(kTick);
    }
    EXPECT_GT(furthest, 3) << "it was seen to move";
}

/// Three in sight of each other. The last one lies about the second to the first.
class Liar : public testing::Test {
protected:
    Liar() {
        cluster_.remember_sent(true);
        for (std::size_t i = 0; i < 3; ++i) {
            cluster_.add(open_world());
            Pose pose;
            pose.position = {10.0F * static_cast<float>(i), 0, 0};
            entities_.push_back(*cluster_.peer(i).publish(cluster_.local(i), state_of(pose)));
            if (i > 0) cluster_.join(i, 0);
        }
        talk(60);
    }
    void talk(int frames) {
        for (int i = 0; i < frames; ++i) {
            true_x_ = static_cast<float>(++said_ % 64);
            Pose pose;
            pose.position.x = true_x_;
            ASSERT_TRUE(cluster_.peer(1).update(cluster_.local(1), entities_[1], state_of(pose)));
            cluster_.run_for(kTick);
        }
        const Forger now{*test::last_data(cluster_, 2, 0)};  // its own words went on
        if (!forger_ || static_cast<std::int16_t>(now.sequence() - forger_->sequence()) > 0) forger_ = now;
    }
    /// It says that the second was at a place where it never is, so much after now.
    void lie(Duration ahead) {
        const PeerOptions options = open_world();
        const PoseCodec codec{options.world};
        WholeState whole;
        whole.number = entities_[1].number;
        whole.pose = codec.quantise(Pose{.position = {0, -kFalse, 0}});
        const auto bytes = forger_->make([&](BitWriter& out) {
            write_kind(out, MessageKind::relayed);
            out.bits(stamp_of(cluster_.session(0) + ahead), kStampBits);
            write_numbered(out, options.world, codec, whole);
            out.bits(0, 2);  // no further state, not ordered
            write(out, ForwardHeader{1, {Cluster::id(1), Incarnation{1}, cluster_.address(1)}, kVision});
            write_id_set(out, {});
        });
        cluster_.inject(0, cluster_.address(2), bytes);
    }
    /// Whether the first one is shown the false place.
    [[nodiscard]] bool fooled() {
        const auto shown = cluster_.peer(0).replica(cluster_.local(0), entities_[1]);
        EXPECT_TRUE(shown);
        return shown && shown->received.position.y == -kFalse;
    }
    [[nodiscard]] std::uint64_t impossible() {
        return cluster_.peer(0).stats().rejections.of(Rejection::impossible);
    }
    static constexpr float kFalse = 32;
    Cluster cluster_;
    std::vector<EntityId> entities_;
    std::optional<Forger> forger_;
    float true_x_ = 0;
    int said_ = 0;
};

TEST_F(Liar, AForwardFromTheFutureIsRefusedAndCounted) {
    std::uint64_t refused = impossible();
    for (const Duration ahead : {102ms, 150ms, 1000ms, 5000ms, 30'000ms}) {
        lie(ahead);
        EXPECT_FALSE(fooled()) << millis(ahead);
        EXPECT_EQ(impossible(), ++refused) << millis(ahead);
        talk(1);
    }
    talk(3);
    EXPECT_NEAR(cluster_.peer(0).replica(cluster_.local(0), entities_[1])->received.position.x, true_x_,
                1.5F);
}

// Who passes on did not write the stamp: what else it says counts, and it is there.
TEST_F(Liar, WhatComesWithAForwardFromTheFutureIsTaken) {
    const std::uint64_t refused = impossible();
    const PeerOptions options = open_world();
    const PoseCodec codec{options.world};
    WholeState whole;
    whole.number = entities_[1].number;
    const auto bytes = forger_->make([&](BitWriter& out) {
        write_kind(out, MessageKind::relayed);
        out.bits(stamp_of(cluster_.session(0) + 5s), kStampBits);
        write_numbered(out, options.world, codec, whole);
        out.bits(0, 2);  // no further state, not ordered
        write(out, ForwardHeader{1, {Cluster::id(1), Incarnation{1}, cluster_.address(1)}, kVision});
        write_id_set(out, {});
        write_kind(out, MessageKind::game);
        out.bits(static_cast<std::uint64_t>(micros(cluster_.session(0).time_since_epoch())),
                 kSessionTimeBits);
        WriteStream stream{out};
        std::vector<std::uint8_t> word{42};
        stream.bytes(word, kMaxMessageBytes);
    });
    cluster_.forget_events();
    cluster_.inject(0, cluster_.address(2), bytes);
    cluster_.run_for(kTick);
    EXPECT_EQ(impossible(), refused + 1);
    const auto heard = cluster_.events_of<Message>(0);
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].bytes, std::vector<std::uint8_t>{42});
}

TEST_F(Liar, AForwardALittleAheadHidesTheTrueOnesForThatLongOnly) {
    for (int i = 0; i < 5; ++i) {
        const std::uint64_t refused = impossible();
        lie(90ms);
        EXPECT_TRUE(fooled()) << "or it proves nothing";
        EXPECT_EQ(impossible(), refused);
        talk(4);  // 90 ms, the way of 25 ms, and a frame
        EXPECT_FALSE(fooled());
    }
}

TEST_F(Liar, AForwardOfThePastIsNotShownAndCounted) {
    const std::uint64_t refused = impossible();
    const std::uint64_t copies = cluster_.peer(0).stats().psense.forward_duplicates;
    std::uint64_t told = 0;
    for (Duration ago = 120ms; ago < 1900ms; ago += 97ms) {
        lie(-ago);
        ++told;
        EXPECT_FALSE(fooled()) << millis(ago);
    }
    EXPECT_EQ(cluster_.peer(0).stats().psense.forward_duplicates, copies + told);
    EXPECT_EQ(impossible(), refused);
    lie(-2100ms);  // a second, and twenty frames
    EXPECT_EQ(impossible(), refused + 1) << "that old, it is none of a neighbour's";
    EXPECT_FALSE(fooled());
}

}  // namespace
}  // namespace fray
