// What holds of every update that pSense passes on, in any swarm and on any network.

#include "support/psense_many.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace fray {

namespace test {

void PrintTo(const ManyOptions& options, std::ostream* out) { *out << options.name; }

}  // namespace test

namespace {

using test::ManyOptions;
using test::ManyPSense;

constexpr float kVision = 100;

constexpr std::uint64_t kSeeds = 20;
constexpr unsigned kRounds = 100;

/// Swarms of the same kind, and what came of all of them.
class PSenseProperties : public testing::TestWithParam<ManyOptions> {
protected:
    void run() {
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            ManyPSense swarm{GetParam(), Seed{seed}};
            swarm.run(kRounds);
            for (const auto& [rule, texts] : swarm.wrong()) {
                for (const std::string& text : texts)
                    ADD_FAILURE() << "seed " << seed << ", " << rule << ": " << text;
            }
            EXPECT_GE(swarm.counted_copies(), swarm.work().copies - swarm.work().idle_help);
            work_.add(swarm.work());
            const auto [known, in_sight] = swarm.known();
            known_ += known;
            in_sight_ += in_sight;
        }
    }
    ManyPSense::Work work_;
    std::size_t known_ = 0;
    std::size_t in_sight_ = 0;
};

// One test of all rules, as the swarms take longer than to judge them.
TEST_P(PSenseProperties, UpdatesEndAtTheirHopsComeOnceAndSpareWhoeverIsOnTheirLists) {
    run();
    const PSense& psense = GetParam().psense;
    EXPECT_GT(in_sight_, 40 * kSeeds);
    // As published, nobody is remembered: where datagrams are lost, an island now and then stays one.
    EXPECT_GT(known_ * 100, in_sight_ * (psense.watchful ? 96 : 90)) << "or they do not work";

    EXPECT_GT(work_.forwards, 1000 * kSeeds);
    EXPECT_GE(work_.most_hops, psense.hop_limit) << "or the limit was not reached";
    EXPECT_EQ(work_.beyond != 0, psense.watchful) << "on the way of newcomers";
    EXPECT_EQ(work_.again != 0, GetParam().longest > 2);
    EXPECT_LT(work_.again * 10, work_.forwards);

    EXPECT_GT(work_.taken, 50 * kSeeds);
    EXPECT_GT(work_.copies, 500 * kSeeds);
    EXPECT_EQ(work_.late != 0, GetParam().longest > 1);

    EXPECT_GT(work_.list_before, 2U);
    EXPECT_GT(work_.longest_list, work_.list_before);
    const bool help = psense.watchful && GetParam().poor_most != 0;
    EXPECT_EQ(work_.helped != 0, help) << "the rich for the poor";
}

PSense shipped() {
    PSense psense;
    psense.vision_range = kVision;
    psense.margin = 10;
    return psense;
}

std::vector<ManyOptions> swarms() {
    std::vector<ManyOptions> all;
    const auto add = [&](const std::string& name, const PSense& psense) {
        all.push_back({.name = "quiet_" + name, .psense = psense, .peers = 40, .size = 500});
        all.push_back({.name = "lossy_" + name, .psense = psense, .peers = 30, .size = 350, .loss = 0.1});
        all.push_back({.name = "reordered_" + name,
                       .psense = psense,
                       .peers = 40,
                       .size = 500,
                       .loss = 0.05,
                       .longest = 3});
        all.push_back({.name = "short_of_upload_" + name,
                       .psense = psense,
                       .peers = 40,
                       .size = 300,
                       .loss = 0.02,
                       .longest = 2,
                       .poor_most = 6});
        all.push_back({.name = "sparse_" + name, .psense = psense, .peers = 60, .size = 1500, .loss = 0.02});
    };
    add("as_shipped", shipped());
    add("as_published", PSense::paper(kVision, 5120));
    return all;
}

INSTANTIATE_TEST_SUITE_P(Swarms, PSenseProperties, testing::ValuesIn(swarms()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fray
