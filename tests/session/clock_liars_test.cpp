// A third of the peers lies about session time and about its age. The clocks of all others stay together.

#include <fray/random.hpp>

#include "support/clock_liar.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;

constexpr std::size_t kPeers = 13;
constexpr std::size_t kLiars = (kPeers - 1) / 3;  // of the neighbours of an honest peer
constexpr std::uint64_t kSeeds = 20;
constexpr Duration kMostApart{50ms};

/// What a liar adds to session time in this datagram.
using Lie = std::function<Duration(const Flight&)>;

Duration grown(const Flight& flight, std::int64_t ppm) { return flight.sent * ppm / 1'000'000; }
int side(const Flight& flight) { return flight.to % 2 == 0 ? 1 : -1; }

struct NamedLie {
    std::string name;
    Lie lie;
};

void PrintTo(const NamedLie& lie, std::ostream* out) { *out << lie.name; }

const std::vector<NamedLie>& lies() {
    static const std::vector<NamedLie> kLies{
        {"SixtyMilliseconds", [](const Flight&) { return 60ms; }},
        {"AnHour", [](const Flight&) { return 1h; }},
        {"AYearBack", [](const Flight&) { return -365 * 24h; }},
        {"SlowDrift", [](const Flight& f) { return grown(f, 400); }},
        {"FastDrift", [](const Flight& f) { return grown(f, 5'000); }},
        {"SlowDriftEachWay", [](const Flight& f) { return side(f) * grown(f, 1'000); }},
        {"SixtyMillisecondsEachWay", [](const Flight& f) { return side(f) * Duration{60ms}; }},
        {"AnHourEachWay", [](const Flight& f) { return side(f) * Duration{1h}; }},
    };
    return kLies;
}

/// Peers with clocks of their own, of which some lie.
class Liars {
public:
    Liars(std::uint64_t seed, Lie lie, const PeerOptions& options)
        : random_{Seed{seed}, "liars"}, lie_{std::move(lie)} {
        for (std::size_t i = 0; i < kPeers; ++i) {
            const Duration offset{static_cast<std::int64_t>(random_.below(100'000'000))};
            cluster_.add(options, offset, static_cast<std::int64_t>(random_.below(200)) - 100);
            is_liar_.push_back(false);
        }
        // At no time do more than a third of the neighbours of an honest peer lie.
        for (std::size_t liar = 1; liar <= kLiars; ++liar) {
            std::size_t i = 3 * liar;
            while (i + 1 < kPeers && (is_liar_[i] || random_.chance(0.5))) ++i;
            while (is_liar_[i]) --i;
            is_liar_[i] = true;
        }
        cluster_.set_network(test::rough(Seed{seed}, 0.01, 0, 15ms, 25ms));
        cluster_.set_tamper([this](Flight& flight) {
            if (is_liar_[flight.from]) told_ += test::lie_about_clock(flight.bytes, lie_(flight));
        });
    }

    [[nodiscard]] Cluster& cluster() { return cluster_; }
    [[nodiscard]] float within(double most) { return static_cast<float>(random_.uniform(-most, most)); }
    [[nodiscard]] std::size_t told() const { return told_; }
    [[nodiscard]] bool is_liar(std::size_t i) const { return is_liar_[i]; }
    void join_through_any(Duration apart) {
        for (std::size_t i = 1; i < kPeers; ++i) {
            cluster_.join(i, random_.below(static_cast<std::uint32_t>(i)));
            cluster_.run_for(apart);
        }
    }
    /// How far the clocks of honest peers are apart now.
    [[nodiscard]] Duration apart() {
        SessionInstant first = SessionInstant::max();
        SessionInstant last = SessionInstant::min();
        for (std::size_t i = 0; i < kPeers; ++i) {
            if (is_liar_[i]) continue;
            first = std::min(first, cluster_.session(i));
            last = std::max(last, cluster_.session(i));
        }
        return last - first;
    }

private:
    RandomStream random_;
    Lie lie_;
    Cluster cluster_;
    std::vector<bool> is_liar_;
    std::size_t told_ = 0;
};

class ClockLiars : public testing::TestWithParam<NamedLie> {};

TEST_P(ClockLiars, InAFullMeshHonestClocksStayTogether) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Liars peers{seed, GetParam().lie, PeerOptions{}};
        peers.join_through_any(1s);
        peers.cluster().run_for(20s);
        for (std::size_t i = 0; i < kPeers; ++i)
            ASSERT_EQ(peers.cluster().peer(i).peers().size(), kPeers - 1);
        Duration most{};
        for (int i = 0; i < 600; ++i) {
            peers.cluster().run_for(100ms);
            most = std::max(most, peers.apart());
        }
        EXPECT_LT(most, kMostApart) << "seed " << seed;
        EXPECT_GT(peers.told(), 100U) << "or nobody was told a lie";
    }
}

/// Peers that see each other in an open world and move about.
TEST_P(ClockLiars, InAnOpenWorldHonestClocksStayTogether) {
    constexpr Duration kTick{200ms};
    PSense psense;
    psense.vision_range = 200;
    PeerOptions options;
    options.world.low.z = options.world.high.z = 0;
    options.world.tick = kTick;
    options.overlay = psense;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Liars peers{seed, GetParam().lie, options};
        Cluster& cluster = peers.cluster();
        std::vector<Pose> poses(kPeers);
        std::vector<EntityId> entities;
        for (std::size_t i = 0; i < kPeers; ++i) {
            poses[i].position = {peers.within(50), peers.within(50), 0};
            entities.push_back(*cluster.peer(i).publish(cluster.local(i), state_of(poses[i])));
        }
        const auto run = [&](int frames) {
            Duration most{};
            for (int frame = 0; frame < frames; ++frame) {
                for (std::size_t i = 0; i < kPeers; ++i) {
                    poses[i].position.x += peers.within(1);
                    (void)cluster.peer(i).update(cluster.local(i), entities[i], state_of(poses[i]));
                }
                cluster.run_for(kTick);
                most = std::max(most, peers.apart());
            }
            return most;
        };
        for (std::size_t i = 1; i < kPeers; ++i) {
            cluster.join(i, 0);
            (void)run(5);
        }
        (void)run(100);
        EXPECT_GE(cluster.peer(0).stats().psense.near, kPeers - 2) << "or it is no neighbourhood";
        EXPECT_LT(run(150), kMostApart) << "seed " << seed;
        EXPECT_GT(peers.told(), 100U) << "or nobody was told a lie";
    }
}

INSTANTIATE_TEST_SUITE_P(Lies, ClockLiars, testing::ValuesIn(lies()),
                         [](const auto& lie) { return lie.param.name; });

/// What a liar claims of its age must not matter to the peer that began the session.
TEST(ClockLiar, AFounderDoesNotFollowTheOnlyOtherPeer) {
    for (const Duration lie : {Duration{60ms}, Duration{1h}, Duration{-365 * 24h}}) {
        Cluster cluster;
        cluster.add({}, 10s);
        cluster.add({}, 500s);
        std::size_t told = 0;
        cluster.set_tamper([&](Flight& flight) {
            if (flight.from == 1) told += test::lie_about_clock(flight.bytes, lie);
        });
        cluster.join_all();
        cluster.run_for(30s);
        ASSERT_GT(told, 10U);
        const Duration moved = cluster.session(0).time_since_epoch() - cluster.local(0).time_since_epoch();
        EXPECT_EQ(moved, 0us);
    }
}

TEST(ClockLiar, ANewcomerThatJoinsThroughALiarFindsTheTimeOfTheOthers) {
    for (const Duration lie : {Duration{80ms}, Duration{1h}, Duration{-365 * 24h}}) {
        Cluster cluster;
        for (int i = 0; i < 4; ++i) cluster.add({}, 10s * i);
        std::size_t told = 0;
        cluster.set_tamper([&](Flight& flight) {
            if (flight.from == 1) told += test::lie_about_clock(flight.bytes, lie);
        });
        for (const std::size_t i : {1U, 2U}) cluster.join(i, 0);
        cluster.run_for(10s);
        cluster.join(3, 1);
        ASSERT_TRUE(cluster.run_while([&] { return cluster.events_of<Joined>(3).empty(); }, 5s));
        const Duration at_first = cluster.session(3) - cluster.session(0);
        ASSERT_GT(std::abs(micros(at_first)), 70'000) << "or it was not deceived";
        cluster.run_for(30s);
        ASSERT_GT(told, 10U);
        EXPECT_LT(std::abs(micros(cluster.session(3) - cluster.session(0))), 20'000);
        EXPECT_LT(std::abs(micros(cluster.session(2) - cluster.session(0))), 20'000);
    }
}

}  // namespace
}  // namespace fray
