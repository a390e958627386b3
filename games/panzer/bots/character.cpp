#include "games/panzer/bots/character.hpp"

namespace fray::panzer {

namespace {

constexpr std::array<Skill, kLevels> kSkills{{
    // reaction, deviation, turn rate, lead, dodging, footwork, trigger, pause
    {0.75F, 15.0F, 75, 0.0F, 0.0F, 0.3F, 7.0F, 1.0F},
    {0.52F, 7.5F, 105, 0.3F, 0.2F, 0.5F, 4.5F, 0.6F},
    {0.40F, 4.9F, 130, 0.6F, 0.45F, 0.7F, 3.2F, 0.35F},
    {0.30F, 3.0F, 155, 0.85F, 0.7F, 0.85F, 2.2F, 0.15F},
    {0.2F, 1.2F, 180, 1.0F, 0.95F, 1.0F, 1.5F, 0.0F},
}};

constexpr std::array<Character, kCharacters> kAll{{
    // name, shells, aggression, accuracy, hunger, camping, range
    {"soldier", 0.5F, 0.6F, 1.0F, 0.5F, 0.1F, 30},
    {"hunter", 0.4F, 0.9F, 1.0F, 0.3F, 0.0F, 18},
    {"sniper", 0.2F, 0.55F, 0.65F, 0.3F, 0.3F, 50},
    {"bomber", 1.0F, 0.7F, 1.15F, 0.4F, 0.1F, 24},
    {"collector", 0.4F, 0.45F, 1.0F, 1.0F, 0.0F, 30},
    {"camper", 0.6F, 0.5F, 0.9F, 0.3F, 0.7F, 40},
    {"survivor", 0.5F, 0.3F, 0.95F, 0.7F, 0.2F, 40},
}};

}  // namespace

const Skill& skill_of(std::uint8_t level) { return kSkills[level - 1U]; }

Result<std::uint8_t> parse_level(std::string_view text) {
    if (text.size() == 1 && text[0] >= '1' && text[0] <= '0' + kLevels)
        return static_cast<std::uint8_t>(text[0] - '0');
    return Error{"unknown level \"" + std::string{text} + "\" (known: 1 (beginner), 2, 3, 4, 5 (expert))"};
}

const Character& character_of(CharacterName name) { return kAll[static_cast<std::size_t>(name)]; }

std::string_view to_string(CharacterName name) { return character_of(name).name; }

Result<CharacterName> parse_character(std::string_view text) {
    std::string known;
    for (std::size_t i = 0; i < kAll.size(); ++i) {
        if (kAll[i].name == text) return static_cast<CharacterName>(i);
        known += (i == 0 ? "" : ", ") + std::string{kAll[i].name};
    }
    return Error{"unknown character \"" + std::string{text} + "\" (known: " + known + ")"};
}

}  // namespace fray::panzer
