// Focus sets in a full mesh whose uploads carry a third of all updates: 32 players with 108 kbit/s each.

#include "lab/metrics/pair_rates.hpp"
#include "lab/workloads/players.hpp"
#include "sim/checkers/upload_cap_checker.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

constexpr PeerIndex kPlayers = 32;
constexpr Duration kSettled{10s};
constexpr Duration kEnd{40s};

World arena() {
    World world;
    world.low = {0, 0, 0};
    world.high = {128, 128, 0};
    return world;
}

struct Measured {
    PairRates rates{kPlayers, kSettled};
    ByteLedger ledger;
    std::size_t over_cap = 0;
    std::size_t judged = 0;
    std::uint64_t attentions = 0;
    std::uint64_t updates = 0;
};

Measured run(const InterestOptions& interest, Seed seed) {
    SwarmOptions options;
    options.network = *network_profile("same-continent");
    auto made = Swarm::create(options, seed);
    Swarm& swarm = *made;
    Players players{arena(), {.walk = {.speed_least = 4, .speed_most = 8, .turn_chance = 0.02}}, seed};
    Measured measured;
    UpdateMeter updates{swarm, kSettled};
    sim::UploadCapChecker cap{swarm};
    updates.set_listener([&](const UpdateMeter::Arrival& a) { measured.rates.arrived(a); });
    swarm.add_observer(&updates);
    swarm.add_observer(&cap);
    swarm.set_workload(&players);
    PeerOptions peer;
    peer.world = arena();
    peer.interest = interest;
    peer.link.upload_kbps = 108;
    for (PeerIndex i = 0; i < kPlayers; ++i) EXPECT_TRUE(swarm.add_peer(peer));
    swarm.run_until(kSettled);
    while (swarm.now() < kEnd) {
        swarm.run_for(1s);
        measured.rates.end_second();
    }
    cap.conclude();
    measured.over_cap = cap.violation_count();
    measured.judged = cap.judged();
    for (PeerIndex i = 0; i < kPlayers; ++i) {
        const Stats stats = swarm.peer(i).stats();
        measured.ledger += stats.ledger;
        measured.attentions += stats.focus.attentions_heard;
        measured.updates += stats.updates_sent;
    }
    swarm.finish();
    return measured;
}

TEST(FocusSetMesh, EverybodyIsHeardOncePerSecondAndMostAtFullRateByEight) {
    const Measured m = run(FocusSet{}, Seed{4});
    ASSERT_GT(m.judged, 100'000U);
    EXPECT_EQ(m.over_cap, 0U);
    EXPECT_GT(m.attentions, 10'000U);
    EXPECT_GE(m.rates.full().mean(), 7.5) << "others of which a player gets every frame";
    EXPECT_GE(m.rates.full().quantile(0.05), 4) << "in nearly every second of every player";
    EXPECT_GE(m.rates.least_hz(), 1) << "of the pair that hears least of each other";
    EXPECT_LT(m.rates.gaps().quantile(0.99), 1500) << "ms";
}

TEST(FocusSetMesh, TheSameUploadCarriesNobodyAtFullRateByBroadcast) {
    const Measured m = run(Broadcast{}, Seed{4});
    EXPECT_EQ(m.over_cap, 0U);
    EXPECT_EQ(m.attentions, 0U);
    EXPECT_EQ(m.rates.full().mean(), 0);
    EXPECT_GT(m.rates.least_hz(), 3) << "there was something to hear";
}

// Acknowledgements of best-effort updates ride on updates: a datagram each would show.
TEST(FocusSetMesh, NearlyEveryDatagramCarriesAnUpdate) {
    const Measured m = run(FocusSet{}, Seed{5});
    ASSERT_GT(m.updates, 100'000U);
    EXPECT_LT(static_cast<double>(m.ledger.datagrams()), 1.06 * static_cast<double>(m.updates));
}

}  // namespace
}  // namespace fray::lab
