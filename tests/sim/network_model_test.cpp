#include <fray/network_model.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace fray {
namespace {

/// The error for a model with one change.
std::string refusal(const std::function<void(NetworkModel&)>& change) {
    NetworkModel model;
    change(model);
    const Result<void> result = model.check();
    return result ? "accepted" : result.error().message;
}

TEST(NetworkModel, DefaultsAndProfilesAreSound) {
    EXPECT_TRUE(NetworkModel{}.check());
    for (const std::string_view name : network_profile_names()) {
        const Result<NetworkModel> profile = network_profile(name);
        ASSERT_TRUE(profile) << name;
        EXPECT_TRUE(profile->check()) << name;
    }
}

TEST(NetworkModel, RefusesWhatCannotBeAndSaysWhich) {
    EXPECT_NE(refusal([](NetworkModel& m) { m.latency = ConstantLatency{-1ms}; }).find("delay"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) {
                  m.latency = PoissonLatency{10ms, 10ms, 1ms};
              }).find("half a step"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) {
                  m.latency = LogNormalLatency{1ms, 2ms, 0.5};
              }).find("least <= median"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.latency = TraceLatency{}; }).find("samples"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.latency = MatrixLatency{}; }).find("matrix"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.loss = IndependentLoss{1.5}; }).find("loss"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.loss = BurstLoss{0.9, 2}; }).find("burst"), std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.duplication.chance = -0.1; }).find("duplication"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.reordering.chance = 2; }).find("reordering"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) {
                  m.access.upload = {100, 500, {}};
              }).find("upload line"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) {
                  m.partitions = {Partition{2s, 1s, {}}};
              }).find("partition"),
              std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) { m.paths = {PathRule{}}; }).find("path rule"), std::string::npos);
    EXPECT_NE(refusal([](NetworkModel& m) {
                  m.latency = WorldLatency{0, 5ms, 0.5};
              }).find("scale"),
              std::string::npos);
}

TEST(NetworkModel, AnUnknownProfileIsRefusedWithTheKnownOnes) {
    const Result<NetworkModel> result = network_profile("moon");
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("moon"), std::string::npos);
    EXPECT_NE(result.error().message.find("same-continent"), std::string::npos);
}

}  // namespace
}  // namespace fray
