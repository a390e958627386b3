// The experiment of foundation_forming: when a session is complete, and that it reports "never" otherwise.

#include "lab/workloads/forming.hpp"

#include "lab/workloads/foundation.hpp"
#include "lab/workloads/psense_setup.hpp"
#include "lab/workloads/psense_swarm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace fray::lab {
namespace {

class Forming : public testing::Test {
protected:
    Forming() {
        for (const ParameterSpec& spec : experiment.parameters()) parameters.set(spec.name, spec.fallback);
        parameters.set("give_up_seconds", 20.0);
    }
    void use_mesh(std::int64_t peers) {
        parameters.set("overlay", std::string{"full_mesh"});
        parameters.set("peers", peers);
    }
    void use_open_world(std::int64_t peers) {
        parameters.set("overlay", std::string{"psense"});
        parameters.set("peers", peers);
        parameters.set("join_rounds", std::int64_t{10});
    }
    RunOutput run(std::uint64_t seed = 1) {
        const auto checked = experiment.check(parameters);
        EXPECT_TRUE(checked) << checked.error().message;
        RunContext context{stop, progress};
        auto output = experiment.run(parameters, Seed{seed}, context);
        EXPECT_TRUE(output) << output.error().message;
        return output ? std::move(*output) : RunOutput{};
    }
    static double number(const RunOutput& output, std::string_view column) {
        const auto found = output.values.find(column);
        return found == output.values.end() ? -1 : as_number(found->second).value_or(-1);
    }
    void expect_every_column_is_described(const RunOutput& output) {
        for (const auto& [name, value] : output.values) {
            const auto known = [&](const ColumnSpec& spec) { return spec.name == name; };
            EXPECT_TRUE(std::any_of(experiment.columns().begin(), experiment.columns().end(), known)) << name;
        }
    }

    FoundationForming experiment;
    Parameters parameters;
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
};

TEST_F(Forming, AMeshWithRoomIsCompleteSoon) {
    use_mesh(6);
    parameters.set("upload_kbps", std::int64_t{1000});
    const RunOutput output = run();
    EXPECT_GT(number(output, "complete_s"), 0.05);  // an introduction takes a few datagrams there and back
    EXPECT_LT(number(output, "complete_s"), 3);
    EXPECT_EQ(number(output, "linked_pct"), 100);
    EXPECT_EQ(number(output, "held_pct"), 100);
    EXPECT_EQ(number(output, "refused"), 0);
    EXPECT_GT(number(output, "overlay_bytes_per_peer"), 50);
    EXPECT_LT(number(output, "upload_ratio_max_1s"), 0.5);
    EXPECT_NEAR(number(output, "upload_kbps_allowed_1s"), 1009.824, 1e-9);
    expect_every_column_is_described(output);
}

TEST_F(Forming, CompletionTakesTheTimeOfTheNetwork) {
    use_mesh(6);
    parameters.set("upload_kbps", std::int64_t{1000});
    parameters.set("loss", 0.0);
    parameters.set("profile", std::string{"lan"});
    const double near = number(run(), "complete_s");
    parameters.set("profile", std::string{"other-continent"});
    const double far = number(run(), "complete_s");
    EXPECT_GT(far, near + 0.3);  // at least one round trip more
}

TEST_F(Forming, AMeshThatIsNotCompleteInTimeSaysNever) {
    use_mesh(6);
    parameters.set("loss", 0.9);
    parameters.set("burst", 10.0);
    parameters.set("give_up_seconds", 1.0);
    const RunOutput output = run();
    EXPECT_EQ(output.values.at("complete_s"), Value{std::string{kNever}});
    EXPECT_LT(number(output, "held_pct"), 100);
    expect_every_column_is_described(output);
}

TEST_F(Forming, AMeshFollowsFromItsSeed) {
    use_mesh(5);
    const RunOutput first = run();
    EXPECT_EQ(run(), first);
    EXPECT_NE(run(2).values.at("trace_hash"), first.values.at("trace_hash"));
}

TEST_F(Forming, ASmallOpenWorldBecomesOne) {
    use_open_world(60);
    const RunOutput output = run();
    EXPECT_GT(number(output, "formed_rounds"), 0);
    EXPECT_EQ(number(output, "components_80"), 1);
    EXPECT_GE(number(output, "known_pct_80"), 99);
    EXPECT_EQ(number(output, "isolated_80"), 0);
    EXPECT_NEAR(number(output, "in_view_mean"), 8, 2);
    EXPECT_EQ(number(output, "cap_violations"), 0);
    EXPECT_EQ(output.values.count("complete_s"), 0U);  // a column of the mesh
    expect_every_column_is_described(output);
    EXPECT_EQ(run(), output);
}

TEST_F(Forming, TheAreaFollowsFromHowManyAreInView) {
    use_open_world(60);
    parameters.set("in_view", 1.0);
    EXPECT_NEAR(number(run(), "in_view_mean"), 1, 0.5);
}

TEST_F(Forming, MoreThanAMeshTakesIsRefused) {
    use_mesh(1025);
    const auto checked = experiment.check(parameters);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message, "full_mesh: peers must be at most 1024");
}

/// Components of two players at the end: one stayed; one joined just before most others crashed, including
/// the one it had called.
std::uint64_t components_after_a_refused_join(bool rejoin) {
    Parameters parameters;
    for (const ParameterSpec& spec : PSenseSetup::parameters()) parameters.set(spec.name, spec.fallback);
    parameters.set("mode", std::string{"fray"});
    parameters.set("rejoin", rejoin);
    const auto setup = PSenseSetup::make(parameters);
    EXPECT_TRUE(setup) << setup.error().message;
    const Map map{setup->movement, Seed{1}};
    Population population{map, setup->round, Seed{2}};
    const auto swarm = PSenseSwarm::create(*setup, population, Seed{3}, {});
    EXPECT_TRUE(swarm) << swarm.error().message;
    for (std::uint32_t round = 0; round < 150; ++round) {
        Change change;
        if (round == 0) change.joins = 10;
        if (round == 20) change.joins = 1;
        if (round == 21) change.crashes = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        EXPECT_TRUE((*swarm)->change(round, change));
        (*swarm)->run_until(setup->round * round);
    }
    EXPECT_EQ(population.all_present().size(), 2U);
    EXPECT_GE((*swarm)->refusals(), 1U);
    return (*swarm)->link_components();
}

TEST(Rejoin, IsWhatBringsARefusedPlayerBack) {
    EXPECT_EQ(components_after_a_refused_join(true), 1U);
    EXPECT_EQ(components_after_a_refused_join(false), 2U);
}

}  // namespace
}  // namespace fray::lab
