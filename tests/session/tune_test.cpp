// What may change while a peer runs: the upload limit, focus sets, guidance.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;

std::size_t bytes_between(const std::vector<Flight>& flights, Duration from, Duration to) {
    std::size_t sum = 0;
    for (const Flight& f : flights) sum += f.sent >= from && f.sent < to ? f.bytes.size() + 28 : 0;
    return sum;
}

/// Eight peers with two moving entities each.
class Crowd {
public:
    explicit Crowd(const PeerOptions& options) {
        cluster.remember_sent(true);
        for (std::size_t i = 0; i < kPeers; ++i) cluster.add(options);
        cluster.join_all(20s);
        for (std::size_t i = 0; i < kPeers; ++i) {
            for (int k = 0; k < 2; ++k) ids.push_back(*cluster.peer(i).publish(cluster.local(i), State{}));
        }
    }
    void run(int frames) {
        for (int frame = 0; frame < frames; ++frame) {
            x += 1;
            for (const EntityId& id : ids) {
                const std::size_t owner = id.owner.number() - 1;
                Pose pose;
                pose.position = {x, static_cast<float>(id.number), 0};
                EXPECT_TRUE(cluster.peer(owner).update(cluster.local(owner), id, state_of(pose)));
            }
            cluster.run_for(50ms);
        }
    }
    [[nodiscard]] std::size_t bytes_of_a_second(int frames = 100) {
        const Duration from = cluster.now();
        run(frames);
        return bytes_between(cluster.sent_by(0), from, cluster.now()) * 20 / static_cast<std::size_t>(frames);
    }

    static constexpr std::size_t kPeers = 8;
    Cluster cluster;
    std::vector<EntityId> ids;
    float x = 0;
};

TEST(Tune, TheUploadLimitChangesWhileThePeerRuns) {
    Crowd crowd{{}};
    const std::size_t before = crowd.bytes_of_a_second();
    ASSERT_GT(before, 32'000U / 8) << "the limit would change nothing";
    ASSERT_TRUE(crowd.cluster.peer(0).tune(crowd.cluster.local(0), {.upload_kbps = 32}));
    crowd.run(20);
    const std::size_t limited = crowd.bytes_of_a_second();
    EXPECT_LE(limited, 32'000U / 8 + 1228 / 5) << "five seconds may hold one datagram more";
    EXPECT_GT(limited, 32'000U / 8 / 2) << "it uses what it may";
    ASSERT_TRUE(crowd.cluster.peer(0).tune(crowd.cluster.local(0), {.upload_kbps = 0}));
    crowd.run(20);
    EXPECT_GT(crowd.bytes_of_a_second(), before * 9 / 10);
    EXPECT_EQ(crowd.cluster.peer(0).peers().size(), Crowd::kPeers - 1);
}

TEST(Tune, NoSecondHoldsMoreThanTheNewLimitFromTheChangeOn) {
    PeerOptions options;
    options.link.upload_kbps = 256;
    Crowd crowd{options};
    crowd.run(40);
    ASSERT_TRUE(crowd.cluster.peer(0).tune(crowd.cluster.local(0), {.upload_kbps = 64}));
    const Duration changed = crowd.cluster.now();
    crowd.run(100);
    const auto& sent = crowd.cluster.sent_by(0);
    std::size_t windows = 0;
    for (Duration from = changed; from + 1s <= crowd.cluster.now(); from += 100ms, ++windows)
        EXPECT_LE(bytes_between(sent, from, from + 1s), 64U * 125 + 1228) << micros(from - changed);
    EXPECT_GT(windows, 30U);
}

TEST(Tune, WithoutFocusSetsAllReceiversTakeTurns) {
    PeerOptions options;
    options.interest = FocusSet{};
    options.link.upload_kbps = 48;
    Crowd crowd{options};
    crowd.run(60);
    ASSERT_GT(crowd.cluster.peer(0).stats().focus.in_focus, 0U);
    Tuning tuning{.upload_kbps = 48, .focus_sets = false};
    ASSERT_TRUE(crowd.cluster.peer(0).tune(crowd.cluster.local(0), tuning));
    crowd.run(60);
    EXPECT_EQ(crowd.cluster.peer(0).stats().focus.in_focus, 0U);
    tuning.focus_sets = true;
    ASSERT_TRUE(crowd.cluster.peer(0).tune(crowd.cluster.local(0), tuning));
    crowd.run(60);
    EXPECT_GT(crowd.cluster.peer(0).stats().focus.in_focus, 0U);
}

TEST(Tune, RefusesALimitOutOfRangeAndOneBesideRounds) {
    Cluster cluster;
    PeerOptions rounds;
    rounds.link.upload_bytes_per_round = 2000;
    cluster.add();
    cluster.add(rounds);
    EXPECT_FALSE(cluster.peer(0).tune(cluster.local(0), {.upload_kbps = 10'000'001}));
    EXPECT_FALSE(cluster.peer(1).tune(cluster.local(1), {.upload_kbps = 64}));
    EXPECT_TRUE(cluster.peer(1).tune(cluster.local(1), {.focus_sets = false}));
}

}  // namespace
}  // namespace fray
