#include "lab/workloads/psense.hpp"

#include "lab/workloads/psense_setup.hpp"
#include "support/files.hpp"
#include "support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace fray::lab {
namespace {

class PSenseLab : public testing::Test {
protected:
    PSenseLab() {
        for (const ParameterSpec& spec : experiment.parameters()) parameters.set(spec.name, spec.fallback);
        set("players", 20);
        set("join_rounds", 10);
        set("warm_up_rounds", 30);
        set("rounds", 20);
    }
    void set(std::string_view name, int value) {
        const bool whole = std::holds_alternative<std::int64_t>(*parameters.find(name));
        parameters.set(name, whole ? Value{std::int64_t{value}} : Value{static_cast<double>(value)});
    }
    void set(std::string_view name, double value) { parameters.set(name, value); }
    void set(std::string_view name, const char* value) { parameters.set(name, std::string{value}); }

    RunOutput run(std::uint64_t seed = 1) {
        RunContext context{stop, progress};
        auto output = experiment.run(parameters, Seed{seed}, context);
        EXPECT_TRUE(output) << output.error().message;
        return output ? std::move(*output) : RunOutput{};
    }
    static double number(const RunOutput& output, std::string_view column) {
        const auto found = output.values.find(column);
        if (found == output.values.end()) return -1;
        return as_number(found->second).value_or(-1);
    }
    std::string refusal() {
        const auto checked = experiment.check(parameters);
        return checked ? std::string{} : checked.error().message;
    }

    PSenseExperiment experiment;
    Parameters parameters;
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
};

TEST_F(PSenseLab, TheDefaultsAreFine) { EXPECT_EQ(refusal(), ""); }

TEST_F(PSenseLab, EveryColumnIsDescribed) {
    parameters.set("curve", true);
    set("crash_share", 0.2);
    set("crash_round", 3);
    set("newcomers", 5);
    set("mode", "fray");
    const RunOutput output = run();
    for (const auto& [name, value] : output.values) {
        const auto known = [&](const ColumnSpec& spec) { return spec.name == name; };
        EXPECT_TRUE(std::any_of(experiment.columns().begin(), experiment.columns().end(), known)) << name;
    }
    ASSERT_EQ(output.curves.size(), 1U);
    EXPECT_EQ(output.curves[0].rows.size(), 20U);
    for (const auto& row : output.curves[0].rows) EXPECT_EQ(row.size(), output.curves[0].columns.size());
}

TEST_F(PSenseLab, WhatCannotBeIsRefusedWithOneLine) {
    const auto refused_with = [&](auto&&... changes) {
        const Parameters before = parameters;
        (changes(), ...);
        const std::string message = refusal();
        parameters = before;
        return message;
    };
    EXPECT_EQ(refused_with([&] { set("join_rounds", 31); }),
              "warm_up_rounds must not be less than join_rounds");
    EXPECT_EQ(refused_with([&] { set("step_least", 6.0); }), "step_least must not be more than step");
    EXPECT_EQ(refused_with([&] { set("step", 500.0); }),
              "step must be less than half of the area's shorter side");
    EXPECT_EQ(refused_with([&] { set("interaction_range", 200.0); }),
              "interaction_range must be less than vision_range");
    EXPECT_EQ(refused_with([&] { set("vision_range", 501.0); }, [&] { set("border", "wrap"); }),
              "border = wrap: vision_range must be at most half of the area's shorter side");
    EXPECT_EQ(refused_with([&] { set("movement", "hotspot"); }, [&] { set("hotspot_radius", 500.0); }),
              "hotspot_radius must be less than half of the area's shorter side");
    EXPECT_EQ(refused_with([&] { set("high_cap_bytes", 100); }),
              "high_cap_bytes must not be less than cap_bytes");
    EXPECT_EQ(refused_with([&] { set("cap_bytes", 0); }, [&] { set("high_cap_bytes", 100); }),
              "high_cap_bytes needs a cap_bytes for the other half");
    EXPECT_EQ(refused_with([&] { set("crash_share", 0.5); }, [&] { set("crash_round", 20); }),
              "crash_round must be less than rounds");
    EXPECT_EQ(refused_with([&] { set("samples_per_round", 4); }),
              "samples_per_round above 1 needs a latency_ms: in round mode nothing happens in between");
    EXPECT_EQ(refused_with([&] { set("players", 5000); }, [&] { set("through", "nearby"); }),
              "through = nearby: players at most double in a round, join_rounds are too few");
    EXPECT_EQ(refused_with([&] { set("quality_every", 2); }, [&] { set("newcomers", 1); }),
              "quality_every above 1: crashes, newcomers and curves are looked at in every round");
    EXPECT_EQ(refused_with([&] { set("coordinate_bits", 14); }, [&] { set("shape", "strip"); }),
              "coordinate_bits needs shape = square");
    EXPECT_EQ(refused_with([&] { set("movement", "traces"); }),
              "movement = traces: the map is a square of area 2.25 that does not wrap");
    EXPECT_EQ(refused_with([&] { set("movement", "traces"); }, [&] { set("area", 2.25); },
                           [&] { set("churn_per_minute", 1.0); }),
              "movement = traces: joins and leaves follow the tracks");
    EXPECT_NE(refused_with([&] { set("cap_bytes", 100); }, [&] { set("mode", "fray"); }), "");
}

TEST_F(PSenseLab, TheEndsOfEveryRangeAreOnesThatTheOverlayTakes) {
    const Parameters before = parameters;
    for (const char* name : {"sectors", "hop_limit", "margin", "backups", "contacts", "sensor_interval",
                             "lists_per_round", "paper_update_bytes"}) {
        const auto& specs = experiment.parameters();
        const auto spec =
            std::find_if(specs.begin(), specs.end(), [&](const ParameterSpec& s) { return s.name == name; });
        ASSERT_NE(spec, specs.end()) << name;
        for (const double end : {spec->low, spec->high}) {
            set(name, static_cast<int>(end));
            EXPECT_EQ(refusal(), "") << name << " = " << end;
            parameters = before;
        }
    }
}

TEST_F(PSenseLab, UpdatesOfFewerBytesReachMoreUnderTheCap) {
    set("players", 60);
    set("area", 0.3);
    set("cap_bytes", 3000);
    const RunOutput large = run();
    set("paper_update_bytes", 20);
    const RunOutput small = run();
    EXPECT_GT(number(small, "one_hop"), 1.05 * number(large, "one_hop"));
    EXPECT_LE(number(small, "out_bytes_max"), 3000);
}

TEST_F(PSenseLab, ClientServerIsAlwaysTwoRoundsOld) {
    set("system", "client_server");
    set("players", 100);
    const RunOutput output = run();
    EXPECT_EQ(number(output, "position_age"), 2);
    EXPECT_EQ(number(output, "known_pct"), 100);
    EXPECT_EQ(number(output, "isolated_pct"), 0);
    EXPECT_GT(number(output, "pq"), 1.35);
    EXPECT_LT(number(output, "pq"), 1.5);
    EXPECT_NEAR(number(output, "received_error"), 10, 0.6);  // two steps of 5, less where it turned
    EXPECT_LT(number(output, "position_error"), 1.2);
    EXPECT_EQ(number(output, "components"), -1);  // there is no overlay
}

TEST_F(PSenseLab, ClientServerWithEverybodyNearHasQualityTwo) {
    set("system", "client_server");
    set("vision_range", 1414.0);
    set("interaction_range", 1410.0);
    EXPECT_EQ(number(run(), "pq"), 2);
}

TEST_F(PSenseLab, BothSystemsHaveTheSamePlayers) {
    set("newcomers", 5);
    const double in_view = number(run(), "in_view");
    set("system", "client_server");
    EXPECT_EQ(number(run(), "in_view"), in_view);
}

TEST_F(PSenseLab, FewPlayersWithRoomKnowEachOther) {
    for (const char* mode : {"paper", "fray"}) {
        set("mode", mode);
        const RunOutput output = run();
        EXPECT_LT(number(output, "pq"), 1.1) << mode;
        EXPECT_GT(number(output, "known_pct"), 98) << mode;
        EXPECT_EQ(number(output, "components"), 1) << mode;
        EXPECT_EQ(number(output, "ledger_violations"), 0) << mode;
        EXPECT_GT(number(output, "upload_kbps_mean"), 0) << mode;
    }
}

TEST_F(PSenseLab, NobodySendsMoreThanTheCapInARound) {
    set("mode", "fray");
    set("players", 60);
    set("cap_bytes", 1000);
    const RunOutput output = run();
    EXPECT_LE(number(output, "out_bytes_max"), 1000);
    EXPECT_EQ(number(output, "cap_violations"), 0);
    set("high_cap_bytes", 3000);
    const RunOutput mixed = run();
    EXPECT_GT(number(mixed, "out_bytes_max"), 1000);
    EXPECT_LE(number(mixed, "out_bytes_max"), 3000);
}

TEST_F(PSenseLab, PaperModeCountsThePapersBytesAndTheUploadIsReal) {
    constexpr double kBytesPerKbps = 1000.0 / 8 / 3;  // at three rounds per second
    set("players", 60);
    set("area", 0.3);  // lists of many receivers, four bytes each in the paper
    set("cap_bytes", 100'000);
    const RunOutput paper = run();
    EXPECT_GT(number(paper, "out_bytes_mean"), 1.2 * number(paper, "upload_kbps_mean") * kBytesPerKbps);
    set("mode", "fray");
    const RunOutput real = run();
    EXPECT_NEAR(number(real, "out_bytes_mean") / (number(real, "upload_kbps_mean") * kBytesPerKbps), 1, 0.05);
    EXPECT_NEAR(number(real, "in_bytes_mean") / number(real, "out_bytes_mean"), 1, 0.05);
}

TEST_F(PSenseLab, WhoJumpsIsShownOneStepBehind) {
    set("motion", "jump");
    EXPECT_NEAR(number(run(), "position_error"), 5, 0.5);
}

TEST_F(PSenseLab, WorksOverRealLatencies) {
    set("mode", "fray");
    set("latency_ms", 30.0);
    set("loss", 0.02);
    set("rounds_per_second", 5.0);
    set("samples_per_round", 4);
    const RunOutput output = run();
    EXPECT_GT(number(output, "known_pct"), 95);
    EXPECT_GT(number(output, "position_error"), 0);
    EXPECT_LT(number(output, "position_error"), 2.5);
}

TEST_F(PSenseLab, FollowsFromTheSeed) {
    set("mode", "fray");
    set("churn_per_minute", 2.0);
    set("loss", 0.05);
    const RunOutput first = run(7);
    EXPECT_EQ(run(7), first);
    EXPECT_NE(run(8).values.at("trace_hash"), first.values.at("trace_hash"));
}

TEST_F(PSenseLab, NewcomersAreTimed) {
    set("mode", "fray");
    set("rounds", 60);
    set("newcomers", 20);
    set("players", 100);
    const RunOutput output = run();
    EXPECT_GE(number(output, "newcomers_timed") + number(output, "newcomers_never"), 10);
    EXPECT_GE(number(output, "newcomer_rounds_p50"), 1);
    EXPECT_LE(number(output, "newcomer_rounds_p50"), number(output, "newcomer_rounds_max"));
}

TEST_F(PSenseLab, ACrashLeavesHalf) {
    set("mode", "fray");
    set("rounds", 60);
    set("crash_share", 0.5);
    set("crash_round", 10);
    const RunOutput output = run();
    EXPECT_GE(number(output, "recovery_rounds"), 0);
    EXPECT_GE(number(output, "known_pct_recovered"), 0);
    EXPECT_EQ(number(output, "ghosts"), 0);
}

TEST_F(PSenseLab, WorldsOfEverySizeCanHaveEquallyManyBits) {
    set("border", "wrap");
    set("coordinate_bits", 18);
    for (const double area : {1.0, 15.708, 157.08, 1570.8}) {
        set("area", area);
        const auto setup = PSenseSetup::make(parameters);
        ASSERT_TRUE(setup) << setup.error().message;
        const World& world = setup->peers[0]->world;
        EXPECT_EQ(world.high.x / world.position_precision, 262'144.0F) << area;
        EXPECT_EQ(world.high.x, setup->movement.area.width);  // it wraps at the same edges as the players
        EXPECT_NEAR(world.high.x * world.high.y / 1e6F, area, 1e-3 * area);
    }
}

TEST_F(PSenseLab, ThroughSomebodyNearbyNobodyHasToWalkFirst) {
    set("mode", "fray");
    set("players", 300);
    set("area", 30.0);
    set("border", "wrap");
    set("join_rounds", 20);
    set("warm_up_rounds", 24);
    set("rounds", 2);
    const RunOutput anyone = run();
    set("through", "nearby");
    const RunOutput nearby = run();
    EXPECT_LT(number(anyone, "known_pct"), 80);
    EXPECT_GT(number(nearby, "known_pct"), 90);
    EXPECT_EQ(number(nearby, "components"), 1);
}

TEST_F(PSenseLab, LookingLessOftenChangesWhatIsSeenButNotWhatHappens) {
    set("mode", "fray");
    const RunOutput every = run();
    set("quality_every", 10);
    const RunOutput tenth = run();
    EXPECT_EQ(tenth.values.at("trace_hash"), every.values.at("trace_hash"));
    EXPECT_EQ(tenth.values.at("out_bytes_mean"), every.values.at("out_bytes_mean"));
    EXPECT_NE(tenth.values.at("in_view"), every.values.at("in_view"));
    EXPECT_NEAR(number(tenth, "in_view"), number(every, "in_view"), 1);
}

TEST_F(PSenseLab, APeersMemoryIsToldAndItsCostsOnlyWhereAsked) {
    set("mode", "fray");
    set("players", 200);
    const RunOutput output = run();
    EXPECT_GT(number(output, "memory_bytes_per_peer"), 1000);
    EXPECT_EQ(number(output, "peer_rounds_per_cpu_second"), -1);
    EXPECT_EQ(number(output, "resident_bytes_per_peer"), -1);
    parameters.set("resources", true);
    const RunOutput costs = run();
    EXPECT_EQ(number(costs, "memory_bytes_per_peer"), number(output, "memory_bytes_per_peer"));
    EXPECT_GT(number(costs, "peer_rounds_per_cpu_second"), 0);
    if (FRAY_ADDRESS_SANITIZER || FRAY_THREAD_SANITIZER) return;  // their allocators use other memory
    EXPECT_GT(number(costs, "resident_bytes_per_peer"), number(costs, "memory_bytes_per_peer") / 2);
}

TEST_F(PSenseLab, RecordedPlayersMoveAsTheyDidInEverySystem) {
    if (!test::find_data("fortnite_traces")) GTEST_SKIP() << test::kNoData;
    set("movement", "traces");
    set("area", 2.25);
    set("step", 10.0);
    set("vision_range", 300.0);
    set("players", 60);
    set("mode", "fray");
    const RunOutput output = run();
    EXPECT_GT(number(output, "in_view"), 1);
    EXPECT_GT(number(output, "known_pct"), 90);
    EXPECT_GT(number(output, "received_error"), 0.1);  // they do move
    EXPECT_EQ(number(output, "cap_violations"), 0);
    set("system", "client_server");
    EXPECT_EQ(number(run(), "in_view"), number(output, "in_view"));
}

TEST_F(PSenseLab, MorePlayersThanWereRecordedAreRefused) {
    if (!test::find_data("fortnite_traces")) GTEST_SKIP() << test::kNoData;
    set("movement", "traces");
    set("area", 2.25);
    set("players", 555);
    RunContext context{stop, progress};
    const auto output = experiment.run(parameters, Seed{1}, context);
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().message, "movement = traces: there are only 554 players");
}

TEST_F(PSenseLab, StopsWhenAsked) {
    stop = true;
    RunContext context{stop, progress};
    EXPECT_TRUE(experiment.run(parameters, Seed{1}, context));
    EXPECT_TRUE(context.was_stopped());
    EXPECT_EQ(progress, 0);
}

}  // namespace
}  // namespace fray::lab
