#include "games/panzer/bots/character.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

TEST(Character, NamesAreReadAsTheyAreWritten) {
    for (std::size_t i = 0; i < kCharacters; ++i) {
        const auto name = static_cast<CharacterName>(i);
        const auto read = parse_character(to_string(name));
        ASSERT_TRUE(read) << to_string(name);
        EXPECT_EQ(*read, name);
    }
    for (std::uint8_t level = 1; level <= kLevels; ++level) {
        const auto read = parse_level(std::to_string(level));
        ASSERT_TRUE(read);
        EXPECT_EQ(*read, level);
    }
}

TEST(Character, UnknownOnesGiveAnErrorThatListsTheKnown) {
    for (const char* text : {"", "tourist", "Hunter", "hunter "}) {
        const auto read = parse_character(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().message,
                  "unknown character \"" + std::string{text} +
                      "\" (known: soldier, hunter, sniper, bomber, collector, camper, survivor)");
    }
    for (const char* text : {"", "0", "6", "-1", "11", "3x"}) {
        const auto read = parse_level(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().message,
                  "unknown level \"" + std::string{text} + "\" (known: 1 (beginner), 2, 3, 4, 5 (expert))");
    }
}

TEST(Character, HigherLevelsAreBetterInEveryRespectAndNoLevelIsFasterThanAPerson) {
    for (std::uint8_t level = 1; level <= kLevels; ++level) {
        const Skill& skill = skill_of(level);
        EXPECT_GE(skill.reaction, 0.2F);
        EXPECT_LE(skill.turn_rate, 180);
        if (level == 1) continue;
        const Skill& below = skill_of(static_cast<std::uint8_t>(level - 1));
        EXPECT_LT(skill.reaction, below.reaction);
        EXPECT_LT(skill.pause, below.pause);
        EXPECT_LT(skill.deviation, below.deviation);
        EXPECT_GT(skill.turn_rate, below.turn_rate);
        EXPECT_GT(skill.lead, below.lead);
        EXPECT_GT(skill.dodging, below.dodging);
        EXPECT_GT(skill.footwork, below.footwork);
    }
}

}  // namespace
}  // namespace fray::panzer
