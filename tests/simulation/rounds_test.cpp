// Round mode with real peers.

#include "support/swarm_fixture.hpp"

#include <gtest/gtest.h>

namespace fray::test {
namespace {

class Rounds : public SwarmTest {
protected:
    static PeerOptions peer(std::uint32_t bytes_per_round) {
        PeerOptions options;
        options.world.tick = 200ms;
        options.link.early_data = true;
        options.link.upload_bytes_per_round = bytes_per_round;
        return options;
    }
};

TEST_F(Rounds, AnUpdateOfOneRoundIsKnownInTheNext) {
    SwarmOptions options;
    options.round = 200ms;
    make_swarm(options, Seed{1});
    add_peers(6, peer(20'000));
    run_until(10s);
    for (PeerIndex holder = 0; holder < 6; ++holder) {
        const Instant now = swarm().local_now(holder);
        const std::span<const Replica> replicas = swarm().peer(holder).replicas(now);
        ASSERT_EQ(replicas.size(), 5U);
        // At the end of a round (10 s belongs to the next) every peer knows what was sent in the round
        // before.
        for (const Replica& replica : replicas) EXPECT_LE(replica.age, 200ms) << holder;
    }
}

TEST_F(Rounds, TheBudgetOfARoundIsNeverExceededAndTheRestComesInTurns) {
    SwarmOptions options;
    options.round = 200ms;
    options.network.loss = IndependentLoss{.mean = 0.02};
    make_swarm(options, Seed{2});
    add_peers(12, peer(600));  // far too little for eleven datagrams
    convergence().watch_from(10s);
    run_until(30s);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::lost), 10U);
    conclude();
    EXPECT_GT(cap().judged(), 500U);
    EXPECT_GT(cap().fullest_window(0), 400U) << "the budget was used";
}

}  // namespace
}  // namespace fray::test
