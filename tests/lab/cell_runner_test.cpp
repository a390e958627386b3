// The cells of fray advise as they are measured: ten recordings over a simulated network.

#include "lab/advise/cells.hpp"
#include "lab/fake_experiment.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace fray::lab::advise {
namespace {

CellResult measured(const ConsistencyAlgorithmOptions& algorithm, const std::string& network,
                    bool shots = false) {
    const auto result = make_cell_runner()->measure(
        {.consistency = {.algorithm = algorithm, .interval = 100ms}, .network = network, .shots = shots});
    if (!result) ADD_FAILURE() << result.error().message;
    return result ? *result : CellResult{};
}

/// Of `every` probes one is answered, after this time.
std::string pings(const TemporaryFolder& folder, double rtt_ms, int every) {
    const auto file = folder.path() / "pings.txt";
    std::ofstream out{file};
    out << "PING x (1.2.3.4) 56(84) bytes of data.\n";
    for (int i = 1; i <= 200; i += every)
        out << fmt::format("64 bytes from x (1.2.3.4): icmp_seq={} ttl=57 time={} ms\n", i, rtt_ms);
    return "ping:" + file.string();
}

TEST(ACell, HasAllFiguresOfTenGames) {
    const CellResult result = measured(EverQuest{}, "same-continent", true);
    EXPECT_EQ(result.recordings, 10U);
    EXPECT_EQ(result.unplayable, 0U);
    EXPECT_EQ(result.felt.inputs_unseen, 0U);
    EXPECT_NEAR(static_cast<double>(result.felt.inputs), 10 * 2 * 1500, 100);
    EXPECT_NEAR(static_cast<double>(result.felt.viewer_frames), 10 * 2 * 1500, 100);
    EXPECT_NEAR(static_cast<double>(result.felt.decisions), 10 * 2 * 50, 40);  // 25 s, two shots a second
    for (const FeltFigure& figure : kFeltFigures) EXPECT_GT(result.felt.*figure.value, 0) << figure.name;
    // The latency, half an interval, half a frame.
    EXPECT_NEAR(result.felt.propagation_ms, 16.3 + 50 + 8, 10);
    EXPECT_NEAR(result.felt.decision_ms, 2 * 16.3 + 17, 10);
    EXPECT_GT(result.top_speed, 5);
    EXPECT_LT(result.top_speed, 100);
}

TEST(ACell, CostsWhatOneEntityCostsForOneViewer) {
    const CellResult direct = measured(EverQuest{}, "same-continent");
    // Ten updates a second of about 100 bytes, headers included, and keep-alives.
    EXPECT_GT(direct.bytes_per_s, 500);
    EXPECT_LT(direct.bytes_per_s, 1500);
    // To the serializer, from there to the viewer and back to the owner.
    const CellResult serialized = measured(CentralizedSerialization{}, "same-continent");
    EXPECT_EQ(serialized.unplayable, 0U);
    EXPECT_GT(serialized.bytes_per_s, 2 * direct.bytes_per_s);
    EXPECT_LT(serialized.bytes_per_s, 4 * direct.bytes_per_s);
}

TEST(ACell, IsUnplayableWherePlayersNeverLink) {
    const TemporaryFolder folder;
    const CellResult result = measured(EverQuest{}, pings(folder, 24000, 1));
    EXPECT_EQ(result.recordings, 10U);
    EXPECT_EQ(result.unplayable, 10U);
    EXPECT_GT(result.felt.inputs, 0U);
    EXPECT_EQ(result.felt.inputs_unseen, result.felt.inputs);
    EXPECT_EQ(result.felt.viewer_frames, 0U);
}

TEST(ACell, IsUnplayableWhereHardlyAnythingComesThrough) {
    const TemporaryFolder folder;
    const CellResult result = measured(EverQuest{}, pings(folder, 40, 20));
    EXPECT_GT(result.unplayable, 0U);
    // Figures of some games must not be averaged with the zeros of the others.
    EXPECT_GT(result.felt.viewer_frames, 0U);
    EXPECT_GE(result.felt.animation_ms, 16);
}

}  // namespace
}  // namespace fray::lab::advise
