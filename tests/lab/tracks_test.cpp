#include "lab/workloads/tracks.hpp"

#include "support/files.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fray::lab {
namespace {

constexpr std::string_view kHeader =
    "trace,first_record,records,session,kind,won,final_place,kills,playtime_s,group_size\n";
// Two players: one at (1, 2), then (4, 6) a second later; the other at (256, 3).
constexpr std::array<std::uint8_t, 24> kRecords{0, 0, 1, 0,  2, 0, 0, 99, 1, 0, 4, 0,
                                                6, 0, 0, 99, 0, 0, 0, 1,  3, 0, 1, 98};

std::string folder_with(const test::TempFolder& folder, std::string_view rows) {
    folder.write("index.csv", std::string{kHeader} + std::string{rows});
    folder.write("traces.bin", std::span{kRecords});
    return folder.path();
}

TEST(FortniteTracks, AreReadPlayerByPlayer) {
    const test::TempFolder folder;
    const auto players =
        load_fortnite(folder_with(folder, "0,0,2,49,streamer,0,28,2,679,-1\n1,2,1,49,study,0,3,0,60,4\n"));
    ASSERT_TRUE(players) << players.error().message;
    ASSERT_EQ(players->size(), 2U);
    ASSERT_EQ((*players)[0].size(), 2U);
    EXPECT_EQ((*players)[0][1].seconds, 1);
    EXPECT_EQ((*players)[0][1].place, (Vec3{4, 6, 0}));
    EXPECT_EQ((*players)[1][0].place, (Vec3{256, 3, 0}));
}

/// The error for files with these rows.
std::string refusal(const test::TempFolder& folder, std::string_view rows) {
    const std::string path = folder_with(folder, rows);
    const auto players = load_fortnite(path);
    if (players) return "accepted";
    EXPECT_TRUE(players.error().message.starts_with(path + "/")) << players.error().message;
    return players.error().message.substr(path.size() + 1);
}

TEST(FortniteTracks, ADamagedIndexIsNamedWithTheLine) {
    const test::TempFolder folder;
    EXPECT_EQ(refusal(folder, "0,0,two,49,streamer,0,28,2,679,-1\n"),
              "index.csv:2: expected a whole number up to 100000000 as records, found \"two\"");
    EXPECT_EQ(refusal(folder, "0,0,2,49,streamer,0,28,2,679,-1\n1,2,0,49,study,0,3,0,60,4\n"),
              "index.csv:3: expected at least one record");
    EXPECT_EQ(refusal(folder, "0,0,2\n"), "index.csv:2: expected 10 columns, found 3");
}

TEST(FortniteTracks, ACutOffFileOfRecordsIsNamedItself) {
    const test::TempFolder folder;
    EXPECT_EQ(refusal(folder, "0,2,2,49,streamer,0,28,2,679,-1\n"),
              "traces.bin: cut off after 3 records: index.csv:2 names 4");
    folder.write("traces.bin", std::span{kRecords}.first(21));
    const auto players = load_fortnite(folder.path());
    ASSERT_FALSE(players);
    EXPECT_EQ(players.error().message,
              folder.path() + "/traces.bin: cut off at byte 21: expected records of 8 bytes");
}

TEST(FortniteTracks, AbsentOnesAreRefusedWithOneLine) {
    const auto players = load_fortnite("/nowhere/fortnite_traces");
    ASSERT_FALSE(players);
    EXPECT_NE(players.error().message.find("/nowhere/fortnite_traces/index.csv: cannot be read"),
              std::string::npos);
}

TEST(FortniteTracks, TheRealOnesAreOnTheMapAndNobodyIsTooFast) {
    const auto folder = test::find_data(std::string{kFortniteFolder});
    if (!folder) GTEST_SKIP() << test::kNoData;
    const auto players = load_fortnite(*folder);
    ASSERT_TRUE(players) << players.error().message;
    EXPECT_EQ(players->size(), 554U);
    std::size_t moves = 0;
    for (const Fixes& fixes : *players) {
        const Track track = by_rounds(without_jumps(fixes, 30), 3);
        EXPECT_GT(track.size(), 150U);
        for (std::size_t i = 1; i < track.size(); ++i) {
            ASSERT_LE(distance(track[i], track[i - 1]), 10.001F);
            ASSERT_TRUE(track[i].x >= 0 && track[i].x <= kFortniteSide);
            ASSERT_TRUE(track[i].y >= 0 && track[i].y <= kFortniteSide);
            moves += track[i] == track[i - 1] ? 0 : 1;
        }
    }
    EXPECT_GT(moves, 500'000U);
}

TEST(Fixes, MisreadPlacesAreLeftOutAndTheWayGoesOnBehindThem) {
    const Fixes fixes{{0, {0, 0, 0}}, {1, {3, 0, 0}}, {2, {900, 0, 0}}, {3, {9, 0, 0}}, {3, {9, 1, 0}}};
    const Fixes kept = without_jumps(fixes, 30);
    ASSERT_EQ(kept.size(), 3U);
    EXPECT_EQ(kept[2].place, (Vec3{9, 0, 0}));
}

TEST(Fixes, AMisreadBeginningIsForgottenWithTime) {
    Fixes fixes{{0, {900, 0, 0}}};
    for (int i = 1; i < 60; ++i) fixes.push_back({double(i), {float(i), 0, 0}});
    const Fixes kept = without_jumps(fixes, 30);
    EXPECT_GT(kept.size(), 25U);
    EXPECT_EQ(kept.back().place, (Vec3{59, 0, 0}));
}

TEST(Track, IsStraightBetweenTwoPlacesAndEndsWithTheLast) {
    const Track track = by_rounds({{5, {0, 0, 0}}, {6, {4, 8, 0}}, {8, {4, 0, 0}}}, 2);
    ASSERT_EQ(track.size(), 7U);  // from 5 to 8 seconds, both included
    EXPECT_EQ(track[0], (Vec3{0, 0, 0}));
    EXPECT_EQ(track[1], (Vec3{2, 4, 0}));
    EXPECT_EQ(track[2], (Vec3{4, 8, 0}));
    EXPECT_EQ(track[3], (Vec3{4, 6, 0}));
    EXPECT_EQ(track[6], (Vec3{4, 0, 0}));
    EXPECT_EQ(by_rounds({{5, {1, 1, 0}}}, 2).size(), 1U);
    EXPECT_TRUE(by_rounds({}, 2).empty());
}

}  // namespace
}  // namespace fray::lab
