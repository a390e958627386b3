#include "lab/runner/build_identity.hpp"
#include "lab/runner/lab.hpp"
#include "lab/workloads/registry.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

TEST(ShippedPlans, CanAllBeRead) {
    const auto files = list_plans(plans_folder());
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_GE(files->size(), 14U);
    for (const PlanFile& file : *files) {
        for (const bool quick : {false, true}) {
            const auto plan = load_plan(file.file, all_experiments(), {.quick = quick});
            ASSERT_TRUE(plan) << plan.error().message;
            EXPECT_FALSE(plan->claims.empty()) << file.name;
            EXPECT_FALSE(plan->figures.empty()) << file.name;
        }
    }
}

TEST(ShippedPlans, AimsAndPromisesOfFrayAreNotClaimsOfAPaper) {
    const auto files = list_plans(plans_folder());
    ASSERT_TRUE(files) << files.error().message;
    std::size_t counts[3] = {};
    for (const PlanFile& file : *files) {
        const auto plan = load_plan(file.file, all_experiments(), {});
        ASSERT_TRUE(plan) << plan.error().message;
        for (const Claim& claim : plan->claims) {
            ++counts[static_cast<std::size_t>(claim.kind)];
            for (const char* own : {"our ", "Fray", "not stated"})
                EXPECT_EQ(claim.paper.find(own), std::string::npos) << file.name << ": " << claim.claim;
        }
    }
    for (const std::size_t count : counts) EXPECT_GT(count, 10U);
}

TEST(ShippedPlans, ThoseOfPSenseHaveFiveSeedsOrMore) {
    const auto files = list_plans(plans_folder());
    ASSERT_TRUE(files) << files.error().message;
    for (const PlanFile& file : *files) {
        if (!file.name.starts_with("psense_")) continue;
        const auto plan = load_plan(file.file, all_experiments(), {});
        ASSERT_TRUE(plan) << plan.error().message;
        EXPECT_GE(plan->replications, 5U) << file.name;
    }
}

}  // namespace
}  // namespace fray::lab
