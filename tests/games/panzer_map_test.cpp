#include "games/panzer/rules/map_picture.hpp"
#include "games/panzer/rules/map_report.hpp"
#include "games/panzer_battles.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fray::panzer {
namespace {

std::string error_of(const std::string& text) {
    const auto map = parse_map(text, "x.map");
    return map ? "no error" : map.error().message;
}

TEST(PanzerMap, IsReadAsItIsDrawn) {
    const auto map =
        parse_map("// a comment\nmap small\ntitle Small\ncell 8\ngrid\n#s.D\n1i2F\nend\n", "x.map");
    ASSERT_TRUE(map) << map.error().message;
    EXPECT_EQ(map->name, "small");
    EXPECT_EQ(map->title, "Small");
    EXPECT_EQ(map->width(), 32);
    EXPECT_EQ(map->height(), 16);
    EXPECT_EQ(map->at({0, 1}), Cell::concrete) << "the first row is in the north";
    EXPECT_EQ(map->at({3, 1}), Cell::door);
    EXPECT_EQ(map->at({-1, 0}), Cell::concrete) << "outside the map";
    EXPECT_EQ(map->spawns.size(), 12U) << "four tanks per cell of 8 m";
    ASSERT_EQ(map->items.size(), 1U);
    EXPECT_EQ(map->items[0], (Vec2{12, 4}));
    EXPECT_EQ(map->flags.size(), 1U);
    EXPECT_EQ(map->doors.size(), 1U);
}

struct BadMap {
    std::string text;
    std::string error;
};

TEST(PanzerMap, AnErrorNamesFileLineColumnAndWhatWasExpected) {
    const std::vector<BadMap> all{
        {"map a\ngrid\ns.s\n.x.\nend\n", "x.map:4:2: unknown character 'x' (known: . ^ # B H s 1 2 i D F)"},
        {"map a\ngrid\ns.\xff\nend\n", "x.map:3:3: unknown character '?' (known: . ^ # B H s 1 2 i D F)"},
        {"map a\ngrid\ns.s\n..\nend\n", "x.map:4: this row has 2 cells, the first one 3"},
        {"map a\ngrid\n\nend\n", "x.map:3: a row needs at least one cell"},
        {"map a\nsize 3\n", "x.map:2:1: unknown word \"size\" (known: map, title, cell, grid)"},
        {"title a\rb\n", "x.map:1:8: a title has no control characters"},
        {"title " + std::string(81, 'a') + "\n", "x.map:1:87: a title has at most 80 bytes"},
        {"map A b\n", "x.map:1:5: a map's name has 1 to 32 lower-case letters, digits or _, not \"A b\""},
        {"map\n", "x.map:1:5: a map's name has 1 to 32 lower-case letters, digits or _, not \"\""},
        {"// c\n\ncell 3\n", "x.map:3:6: a cell measures 4 to 64 metres, not \"3\""},
        {"cell 65\n", "x.map:1:6: a cell measures 4 to 64 metres, not \"65\""},
        {"cell 4m\n", "x.map:1:6: a cell measures 4 to 64 metres, not \"4m\""},
        {"cell 99999999999\n", "x.map:1:6: a cell measures 4 to 64 metres, not \"99999999999\""},
        {"grid\nss\nend\n", "x.map:1:1: expected a line \"map NAME\" before the grid"},
        {"map a\ngrid\nss\n", "x.map:3: the grid does not end: expected a line \"end\" after its rows"},
        {"map a\ngrid\nend\n", "x.map:3: the grid has no rows"},
        {"map a\ngrid\ns.\nend\nmore\n", "x.map:5:1: nothing may follow the line \"end\""},
        {"map a\ngrid\ns.\nend\n",
         "x.map:3: the map needs spawn points for at least two tanks (s, 1 or 2), it has 1"},
        {"", "x.map:1: expected a line \"grid\", then the rows of the map and a line \"end\""},
        {"map a\n", "x.map:1: expected a line \"grid\", then the rows of the map and a line \"end\""},
    };
    for (const BadMap& bad : all) EXPECT_EQ(error_of(bad.text), bad.error);
}

std::string grid_of(std::size_t rows, const std::string& row, int cell = 4) {
    std::string text = "map a\ncell " + std::to_string(cell) + "\ngrid\n";
    for (std::size_t i = 0; i < rows; ++i) text += row + "\n";
    return text + "end\n";
}

TEST(PanzerMap, WhatIsTooLargeIsRefusedBeforeItTakesMemory) {
    EXPECT_EQ(error_of(grid_of(1, std::string(1024, 's'))), "no error");
    EXPECT_EQ(error_of(grid_of(1, std::string(1025, 's'))),
              "x.map:4: a map has at most 1,024 cells in a row and 1,024 rows");
    EXPECT_EQ(error_of(grid_of(1025, "s")),
              "x.map:1028: a map has at most 1,024 cells in a row and 1,024 rows");
    EXPECT_EQ(error_of(grid_of(1024, std::string(1024, 's'), 64)),
              "x.map:4: a map has spawn points for at most 65,536 tanks");
    EXPECT_EQ(error_of(grid_of(1024, std::string(1024, 'i'))),
              "x.map:4: a map has at most 65,534 items and as many doors");
    std::string doors;
    for (int i = 0; i < 512; ++i) doors += "D.";
    std::string text = "map a\ngrid\n";
    for (int i = 0; i < 512; ++i) text += doors + "\n" + std::string(1024, 's') + "\n";
    EXPECT_EQ(error_of(text + "end\n"), "x.map:3: a map has at most 65,534 items and as many doors");
    EXPECT_EQ(error_of(std::string(5U << 20U, '/')),
              "x.map: expected at most 4 MiB, the file has 5242880 bytes");
}

TEST(PanzerMap, LinesOfWindowsAreReadAlike) {
    const auto map = parse_map("map a\r\ngrid\r\nss\r\nend\r\n", "x.map");
    EXPECT_TRUE(map) << map.error().message;
}

TEST(PanzerMap, ComesBackFromItsText) {
    for (const char* name : {"duel", "arena", "ruins", "plains"}) {
        const Map map = map_named(name);
        const auto again = parse_map(to_text(map), "again");
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_TRUE(*again == map) << name;
        EXPECT_EQ(again->fingerprint(), map.fingerprint());
    }
}

TEST(PanzerMap, ShippedMapsHoldTheTanksTheyAreFor) {
    EXPECT_EQ(map_named("duel").most_tanks(), 2U);
    EXPECT_GE(map_named("arena").most_tanks(), 64U);
    EXPECT_GE(map_named("ruins").most_tanks(), 64U);
    EXPECT_GE(map_named("plains").most_tanks(), kMostTanks);
    EXPECT_EQ(map_named("plains").width(), 4000);
}

TEST(PanzerMap, EverySpawnItemAndFlagOfAShippedMapCanBeReached) {
    for (const ShippedMap& shipped : shipped_maps()) {
        const Map map = map_named(shipped.name);
        EXPECT_EQ(map.name, shipped.name);
        const MapReport report = inspect(map);
        EXPECT_GT(report.reachable_cells, 300U);
        EXPECT_EQ(report.reachable_cells, report.ground_cells) << shipped.name;
        EXPECT_TRUE(report.lost_spawns.empty() && report.lost_items.empty() && report.lost_flags.empty());
        EXPECT_FALSE(map.items.empty());
        EXPECT_FALSE(map.flags.empty());
    }
    EXPECT_EQ(shipped_maps().size(), 4U);
}

TEST(PanzerMap, AReportNamesWhatWallsEnclose) {
    const Map map = drawn_map({"ss.D..#i", "......##", "##....##", "i#....#F", "s#...1#2"});
    const MapReport report = inspect(map);
    EXPECT_EQ(report.lost_items, (std::vector<CellPlace>{{0, 1}, {7, 4}}));
    EXPECT_EQ(report.lost_spawns, (std::vector<CellPlace>{{0, 0}, {7, 0}}));
    EXPECT_EQ(report.lost_flags, (std::vector<CellPlace>{{7, 1}}));
    EXPECT_EQ(report.ground_cells, 29U);
    EXPECT_EQ(report.reachable_cells, 24U);
    EXPECT_EQ(report.team_spawns[0], 3U);
    EXPECT_EQ(report.team_spawns[1], 1U);
    EXPECT_EQ(report.team_spawns[2], 1U);
}

TEST(PanzerMap, AnUnknownShippedMapIsRefusedWithTheKnownNames) {
    EXPECT_EQ(shipped_map("moon").error().message,
              "unknown map \"moon\" (known: arena, duel, plains, ruins)");
}

TEST(PanzerMap, APictureHasEveryKindOfCellAndEscapesTheTitle) {
    const auto map = parse_map("map all\ntitle A <b> & \"c\"\ngrid\n.^#BHs12iDF\nend\n", "x.map");
    ASSERT_TRUE(map) << map.error().message;
    const std::string svg = to_svg(*map);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for (const char* label :
         {"hill", "concrete wall", "brick wall", "hedge", "door", "spawn point (1)",
          "spawn point of team 1 (1)", "spawn point of team 2 (1)", "item (1)", "flag (1)"})
        EXPECT_NE(svg.find(label), std::string::npos) << label;
    EXPECT_EQ(svg.find("<b>"), std::string::npos);
    EXPECT_EQ(svg.find('&'), std::string::npos);
    EXPECT_LT(to_svg(map_named("plains")).size(), 150'000U);
}

TEST(PanzerMap, OneSeesAcrossTheArenaAndNotAcrossTheRuins) {
    const auto share_seen = [](const Map& map) {
        const std::vector<Door> doors(map.doors.size());
        const Ground ground{map, doors};
        std::size_t seen = 0;
        std::size_t all = 0;
        for (std::size_t i = 0; i < map.spawns.size(); i += 3) {
            for (std::size_t j = 0; j < i; j += 3) {
                ++all;
                seen += sees(ground, map.spawns[i].position, map.spawns[j].position) ? 1U : 0U;
            }
        }
        return static_cast<double>(seen) / static_cast<double>(all);
    };
    EXPECT_GT(share_seen(map_named("arena")), 0.75);
    EXPECT_LT(share_seen(map_named("ruins")), 0.15);
}

}  // namespace
}  // namespace fray::panzer
