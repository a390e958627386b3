// The experiments of the foundation plans: they follow from the seed, and run over measured latencies, too.

#include "lab/runner/build_identity.hpp"
#include "lab/runner/lab.hpp"
#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/registry.hpp"
#include "support/files.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace fray::lab {
namespace {

/// The only case of a shipped plan, made small.
struct Shortened {
    const Experiment* experiment = nullptr;
    Parameters parameters;
};

Shortened shortened(const std::string& name) {
    const auto file = find_plan(plans_folder(), name);
    EXPECT_TRUE(file) << file.error().message;
    const auto plan = load_plan(file->file, all_experiments(), {.quick = true});
    EXPECT_TRUE(plan) << plan.error().message;
    Shortened small{.experiment = plan->experiment, .parameters = plan->cases.at(0).all};
    small.parameters.set("peers", std::int64_t{5});
    return small;
}

RunOutput run(const Shortened& small, std::uint64_t seed) {
    const auto checked = small.experiment->check(small.parameters);
    EXPECT_TRUE(checked) << checked.error().message;
    const std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
    RunContext context{stop, progress};
    auto output = small.experiment->run(small.parameters, Seed{seed}, context);
    EXPECT_TRUE(output) << output.error().message;
    return std::move(*output);
}

void follows_from_its_seed(const Shortened& small) {
    const RunOutput first = run(small, 1);
    EXPECT_GT(first.work.messages, 500U);
    ASSERT_FALSE(to_text(first.values.at("trace_hash")).empty());
    EXPECT_EQ(run(small, 1), first);
    EXPECT_NE(run(small, 2).values.at("trace_hash"), first.values.at("trace_hash"));
}

TEST(Foundation, TheMeshFollowsFromItsSeed) {
    Shortened mesh = shortened("foundation_mesh");
    mesh.parameters.set("seconds", 4.0);
    follows_from_its_seed(mesh);
}

TEST(Foundation, CrashesAndPartitionsFollowFromTheirSeed) {
    Shortened faults = shortened("foundation_faults");
    faults.parameters.set("crashes", std::int64_t{2});
    EXPECT_EQ(*as_number(run(faults, 1).values.at("crashes_done")), 2);
    follows_from_its_seed(faults);
}

// --- measured networks ---

/// The median round-trip time that games see over this network.
double rtt_over(const std::string& profile) {
    Shortened pings = shortened("foundation_profiles");
    pings.parameters.set("profile", profile);
    pings.parameters.set("seconds", 8.0);
    return *as_number(run(pings, 1).values.at("rtt_ms_p50"));
}

TEST(MeasuredNetwork, AMatrixGivesEveryPairItsOwnTime) {
    const test::TempFolder folder;
    const std::string file = folder.write("links.csv",
                                          "src,dst,rtt_avg_ms,tcp_bitrate_bps\n"
                                          "a,b,80,1\nb,a,80,1\na,c,80,1\nc,a,80,1\nb,c,80,1\nc,b,80,1\n");
    // A game answers a ping in its next frame, and sends in the frame of 50 ms after that.
    const double near = rtt_over("lan");
    EXPECT_NEAR(rtt_over("regions:" + file) - near, 80, 15);
}

TEST(MeasuredNetwork, ATraceGivesEveryDatagramItsTimeAndItsLosses) {
    const test::TempFolder folder;
    const std::string file = folder.write("pings.csv", "t_s,rtt_ms\n0,120\n0.1,120\n0.2,-1\n0.3,120\n");
    EXPECT_NEAR(rtt_over("starlink:" + file) - rtt_over("lan"), 120, 20);
    const auto network = network_named("starlink:" + file);
    ASSERT_TRUE(network) << network.error().message;
    const auto* trace = std::get_if<TraceLatency>(&network->latency);
    ASSERT_NE(trace, nullptr);
    EXPECT_EQ(trace->samples->at(2), kLostSample);
    EXPECT_EQ(trace->share, 0.5);
}

TEST(MeasuredNetwork, EveryKindIsReadFromTheRealMeasurements) {
    if (!test::find_data("netlatency_planetlab")) GTEST_SKIP() << test::kNoData;
    for (const char* profile :
         {"planetlab:netlatency_planetlab", "seattle:netlatency_seattle", "regions:cloud_regions/links.csv",
          "starlink:starlink_ping/isl.csv", "ping:private5g_ping/ping-MEC-ORAN.txt"}) {
        EXPECT_TRUE(profile_parameter().accept(Value{std::string{profile}})) << profile;
        const auto network = network_named(profile);
        ASSERT_TRUE(network) << network.error().message;
        EXPECT_TRUE(network->check()) << profile;
    }
}

TEST(MeasuredNetwork, AKindThatDoesNotExistOrNamesNoFileIsRefused) {
    for (const char* profile : {"moon", "moon:file", "ping:", "ping"})
        EXPECT_FALSE(profile_parameter().accept(Value{std::string{profile}})) << profile;
    const auto refused = profile_parameter().accept(Value{std::string{"moon"}});
    EXPECT_NE(refused.error().message.find("world, planetlab:FOLDER, "), std::string::npos);
}

}  // namespace
}  // namespace fray::lab
