// What holds of every update that pSense passes on, in any swarm and on any network.

#include "support/psense_many.hpp"

#include <gtest/gtest.h>

#include <memory>
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

class PSenseProperties : public testing::TestWithParam<ManyOptions> {
protected:
    void SetUp() override {
        for (const std::uint64_t seed : {1U, 2U}) {
            ManyPSense& swarm = *swarms_.emplace_back(std::make_unique<ManyPSense>(GetParam(), Seed{seed}));
            swarm.run(100);
            const auto [known, in_sight] = swarm.known();
            EXPECT_GT(in_sight, 30U);
            EXPECT_GT(known * 100, in_sight * 95) << "or they do not work";
        }
    }
    /// Nothing was wrong, nor beyond understanding.
    static void expect_kept(const ManyPSense& swarm, const std::string& rule) {
        for (const auto& [broken, texts] : swarm.wrong()) {
            if (broken != rule && broken != "wire") continue;
            for (const std::string& text : texts) ADD_FAILURE() << text;
        }
    }
    std::vector<std::unique_ptr<ManyPSense>> swarms_;
};

TEST_P(PSenseProperties, NothingIsPassedOnInALoopOrBeyondItsHops) {
    const PSense& psense = GetParam().psense;
    for (const auto& swarm : swarms_) {
        expect_kept(*swarm, "hops");
        const ManyPSense::Work& work = swarm->work();
        EXPECT_GT(work.forwards, 1000U);
        EXPECT_GE(work.most_hops, psense.hop_limit) << "or the limit was not reached";
        EXPECT_EQ(work.beyond != 0, psense.watchful) << "on the way of newcomers";
        EXPECT_EQ(work.again != 0, GetParam().longest > 2);
        EXPECT_LT(work.again * 10, work.forwards);
    }
}

TEST_P(PSenseProperties, AGameGetsAnUpdateOnceAndFurtherCopiesAreCounted) {
    for (const auto& swarm : swarms_) {
        expect_kept(*swarm, "once");
        EXPECT_GT(swarm->work().taken, 50U);
        EXPECT_GT(swarm->work().copies, 500U);
        EXPECT_GE(swarm->counted_copies(), swarm->work().copies - swarm->work().idle_help);
        EXPECT_EQ(swarm->work().late != 0, GetParam().longest > 1);
    }
}

TEST_P(PSenseProperties, AListOnlyGrowsAndWhoIsOnItIsSpared) {
    for (const auto& swarm : swarms_) {
        expect_kept(*swarm, "lists");
        EXPECT_GT(swarm->work().list_before, 2U);
        EXPECT_GT(swarm->work().longest_list, swarm->work().list_before);
        const bool help = GetParam().psense.watchful && GetParam().poor_most != 0;
        EXPECT_EQ(swarm->work().helped != 0, help) << "the rich for the poor";
    }
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
