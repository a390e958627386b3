// Recordings of OpenArena: damaged files are refused, and what is read is what was recorded.

#include "lab/workloads/openarena.hpp"

#include "lab/runner/data_folder.hpp"
#include "sim/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace fray::lab {
namespace {

TEST(OpenArena, DamagedFilesAreRefusedByName) {
    const std::string folder = ::testing::TempDir();
    EXPECT_FALSE(OpenArena::load(folder, "absent"));
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4};
    const std::string file = folder + "/damaged.oat.gz";
    ASSERT_TRUE(sim::write_file(file, bytes, sim::Overwrite::yes));
    const auto play = OpenArena::load(folder, "damaged");
    ASSERT_FALSE(play);
    EXPECT_NE(play.error().message.find("damaged.oat.gz"), std::string::npos);
}

/// The figures that the description of the recording names.
TEST(OpenArena, IsReadAsRecorded) {
    const std::string folder = data_folder() + "/" + std::string{kOpenArenaFolder};
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the measurements are absent: " << folder;
    const auto play = OpenArena::load(folder, "D_part1");
    ASSERT_TRUE(play) << play.error().message;
    EXPECT_EQ(play->players(), 16U);
    EXPECT_EQ(play->ticks(), 7200U);
    std::size_t hits = 0;
    for (const OpenArena::Act& act : play->acts()) hits += act.is_hit ? 1U : 0U;
    EXPECT_NEAR(static_cast<double>(hits) / 6, 649, 2) << "per minute, as the description says";
    std::size_t alive = 0;
    for (std::uint32_t player = 0; player < play->players(); ++player)
        for (std::uint32_t tick = 0; tick < play->ticks(); ++tick)
            alive += play->at(player, tick).is_alive ? 1U : 0U;
    EXPECT_NEAR(static_cast<double>(alive) / (16.0 * 7200), 0.84, 0.01);
}

}  // namespace
}  // namespace fray::lab
