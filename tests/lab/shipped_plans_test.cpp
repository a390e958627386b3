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
        }
    }
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
