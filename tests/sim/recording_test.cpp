#include "sim/recording.hpp"

#include "support/files.hpp"
#include "support/patrol.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fray::sim {
namespace {

/// A run with every kind of input: late peers, a crash, a rejoin, a partition, commands from outside.
Recording record(Seed seed) {
    SwarmOptions options;
    options.network = *network_profile("starlink");
    options.network.duplication.chance = 0.02;
    options.clock_offset_most = 3s;
    options.clock_drift_most_ppm = 50;
    Result<Swarm> swarm = Swarm::create(options, seed);
    test::Patrol patrol;
    Recorder recorder{*swarm, "patrol", {{"frames_per_message", "20"}}};
    swarm->set_workload(&patrol);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(swarm->add_peer(PeerOptions{}));
    EXPECT_TRUE(swarm->schedule({.at = 2s, .kind = ActionKind::crash, .peer = 2, .through = {}}));
    EXPECT_TRUE(swarm->schedule({.at = 3s, .kind = ActionKind::rejoin, .peer = 2, .through = {}}));
    swarm->run_until(1s);
    EXPECT_TRUE(swarm->partition({.from = 1500ms, .until = 1900ms, .groups = {{0, 1}, {2, 3}}}));
    EXPECT_TRUE(swarm->add_peer(
        PeerOptions{},
        {.start = 1200ms, .through = {}, .access = {}, .clock_offset = {}, .clock_drift_ppm = {}}));
    Outgoing message;
    message.bytes = {'h', 'i'};
    EXPECT_TRUE(swarm->send(1, message));
    swarm->run_until(5s);
    EXPECT_GT(swarm->counts().dropped_for(DropReason::partitioned), 0U);
    EXPECT_EQ(swarm->counts().rejoins, 1U);
    return recorder.finish();
}

class Recordings : public ::testing::Test {
protected:
    static void SetUpTestSuite() { recording_ = std::make_unique<Recording>(record(Seed{11})); }
    static void TearDownTestSuite() { recording_.reset(); }
    static std::unique_ptr<Recording> recording_;
};
std::unique_ptr<Recording> Recordings::recording_;

struct StepCounter : ReplayListener {
    std::size_t stop_after = SIZE_MAX;
    std::size_t steps = 0;
    Duration last{};
    std::size_t deliveries = 0;
    bool on_step(const Step& step, const Swarm& swarm) override {
        EXPECT_GE(step.at, last);
        EXPECT_EQ(step.at, swarm.now());
        last = step.at;
        deliveries += step.kind == StepKind::deliver ? 1 : 0;
        return ++steps < stop_after;
    }
};

TEST_F(Recordings, ReplayToTheSameHash) {
    ASSERT_GT(recording_->sent, 500U);
    ASSERT_GT(recording_->input_count, 300U);
    const Result<ReplayOutcome> outcome = replay(*recording_, {}, nullptr);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(outcome->same);
    EXPECT_EQ(outcome->trace_hash, recording_->trace_hash);
    EXPECT_EQ(outcome->counts.sent, recording_->sent);
}

TEST_F(Recordings, SurviveTheWayThroughAFile) {
    const test::TempFolder folder;
    const std::string path = folder.path("run.fray");
    ASSERT_TRUE(recording_->save(path, Overwrite::no));
    const Result<Recording> loaded = Recording::load(path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->to_bytes(), recording_->to_bytes());
    EXPECT_EQ(loaded->workload, "patrol");
    EXPECT_TRUE(replay(*loaded, {}, nullptr)->same);
}

TEST_F(Recordings, AreNotOverwrittenUnlessAsked) {
    const test::TempFolder folder;
    const std::string path = folder.write("run.fray", "precious");
    const Result<void> refused = recording_->save(path, Overwrite::no);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, path + ": exists already and is not overwritten");
    EXPECT_TRUE(recording_->save(path, Overwrite::yes));
    EXPECT_TRUE(Recording::load(path));
    const Result<void> nowhere = recording_->save(folder.path("no/such/folder/x"), Overwrite::no);
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("cannot be written"), std::string::npos);
}

TEST_F(Recordings, CutOffAnywhereAreRefusedInOneLine) {
    const std::vector<std::uint8_t> bytes = recording_->to_bytes();
    for (std::size_t size = 0; size < bytes.size(); size += size < 64 ? 1 : 97) {
        const Result<Recording> cut = Recording::from_bytes(std::span{bytes}.first(size), "run.fray");
        ASSERT_FALSE(cut) << size;
        EXPECT_EQ(cut.error().message.find("run.fray: "), 0U);
    }
    const Result<Recording> cut = Recording::from_bytes(std::span{bytes}.first(bytes.size() - 1), "run.fray");
    EXPECT_EQ(cut.error().message, "run.fray: cut off after " + std::to_string(bytes.size() - 1) +
                                       " bytes, expected " + std::to_string(bytes.size()));
}

TEST_F(Recordings, WithAnyByteChangedAreRefused) {
    std::vector<std::uint8_t> bytes = recording_->to_bytes();
    for (std::size_t at = 0; at < bytes.size(); at += at < 64 ? 1 : 89) {
        bytes[at] ^= 0x10U;
        EXPECT_FALSE(Recording::from_bytes(bytes, "run.fray")) << at;
        bytes[at] ^= 0x10U;
    }
    EXPECT_TRUE(Recording::from_bytes(bytes, "run.fray"));
}

TEST_F(Recordings, WhoseTimesGoBackOrOverflowAreRefused) {
    for (const auto& [first, second] : {std::pair{Duration::max(), Duration::max()}, {5s, -1s}, {-1s, 0s}}) {
        Recording bad;
        for (const Duration step : {first, second}) {
            RecordedInput input{.at = step, .what = Action{}};
            InputCodec{}.write(input, bad.inputs);  // each by its own codec: as a difference from zero
            ++bad.input_count;
        }
        const Result<Recording> read = Recording::from_bytes(bad.to_bytes(), "run.fray");
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().message, "run.fray: damaged: it contains an invalid input");
    }
}

TEST_F(Recordings, OfAnotherVersionSaySo) {
    std::vector<std::uint8_t> bytes = recording_->to_bytes();
    bytes[7] = 99;
    EXPECT_EQ(Recording::from_bytes(bytes, "x").error().message,
              "x: recorded with format version 99, this program reads version 6");
    EXPECT_EQ(Recording::from_bytes(std::vector<std::uint8_t>{'M', 'Z'}, "x").error().message,
              "x: not a recording: it does not begin with FRAYREC");
}

TEST_F(Recordings, CanBeSteppedThroughAndStopped) {
    StepCounter all;
    ASSERT_TRUE(replay(*recording_, {}, &all)->same);
    EXPECT_EQ(all.deliveries, recording_->delivered);
    StepCounter few;
    few.stop_after = 100;
    const Result<ReplayOutcome> outcome = replay(*recording_, {}, &few);
    EXPECT_EQ(few.steps, 100U);
    EXPECT_FALSE(outcome->complete);
    EXPECT_FALSE(outcome->same);
}

TEST_F(Recordings, WithAnythingElseThanWasRecordedReplayToAnotherHash) {
    Recording other = *recording_;
    other.seed = Seed{12};
    EXPECT_FALSE(replay(other, {}, nullptr)->same);
    EXPECT_NE(record(Seed{12}).trace_hash, recording_->trace_hash);
}

struct Tank {
    std::uint8_t armor = 100;
};
template <class Stream>
void serialize(Stream& stream, Tank& tank) {
    stream.integer(tank.armor, 0, 100);
}

/// Publishes a tank and does nothing else.
struct Parking : Workload {
    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        EXPECT_TRUE(swarm.publish(index, state_of(Pose{}, Tank{})));
    }
    void frame(Swarm&, PeerIndex, Instant, const Peer&) override {}
};

TEST(RecordingWorlds, WithAGamesOwnTypesNeedThatGamesWorld) {
    PeerOptions options;
    options.world.name = "tanks";
    options.world.types = {EntityType::of<Tank>("tank")};
    Result<Swarm> swarm = Swarm::create({}, Seed{1});
    Parking parking;
    Recorder recorder{*swarm, "parking"};
    swarm->set_workload(&parking);
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(swarm->add_peer(options));
    swarm->run_until(1s);
    const Result<Recording> loaded = Recording::from_bytes(recorder.finish().to_bytes(), "x");
    ASSERT_TRUE(loaded) << loaded.error().message;
    const Result<ReplayOutcome> unknown = replay(*loaded, {}, nullptr);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("\"tank\""), std::string::npos) << unknown.error().message;
    const Result<ReplayOutcome> known = replay(*loaded, {.worlds = {options.world}}, nullptr);
    ASSERT_TRUE(known) << known.error().message;
    EXPECT_TRUE(known->same);
}

}  // namespace
}  // namespace fray::sim
