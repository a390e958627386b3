// The built-in networks with peers on them: every peer finds every other, and all checkers hold.

#include "support/swarm_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fray::test {
namespace {

class OnProfile : public SwarmTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(OnProfile, EverybodyHearsEverybody) {
    SwarmOptions options;
    options.network = *network_profile(GetParam());
    options.clock_offset_most = 20s;
    options.clock_drift_most_ppm = 50;
    // On paths that vary by hundreds of milliseconds clocks are less exact.
    most_clock_error_ = GetParam() == "other-continent" || GetParam() == "5g" ? 100ms : 30ms;
    make_swarm(options, Seed{21});
    PeerOptions peer;
    peer.link.upload_kbps = 1000;
    add_peers(8, peer);
    convergence().watch_from(10s);
    run_until(20s);
    EXPECT_GT(swarm().counts().delivered, 15'000U);
    conclude();
    EXPECT_EQ(convergence().delays().size(), 56U);
    EXPECT_GT(exactly_once().required(), 500U);
    EXPECT_GT(clocks().judged(), 500U);
}

INSTANTIATE_TEST_SUITE_P(Profiles, OnProfile,
                         ::testing::Values("lan", "same-continent", "other-continent", "starlink", "5g",
                                           "world"),
                         [](const auto& test) {
                             std::string name = test.param;
                             for (char& c : name) c = c == '-' ? '_' : c;
                             return name;
                         });

}  // namespace
}  // namespace fray::test
