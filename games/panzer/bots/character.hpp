#pragma once
// How well a bot plays (its level), and how (its character).

#include <fray/result.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fray::panzer {

/// What a level means. A person needs 200 ms or more to react to what a screen shows.
struct Skill {
    float reaction;   ///< seconds from what happens to the response
    float deviation;  ///< of the aim, degrees (standard deviation)
    float turn_rate;  ///< of the turret, degrees per second
    float lead;       ///< share of a target's motion that the aim allows for; 0: aims at where it was
    float dodging;    ///< probability of evading a shell that was noticed
    float footwork;   ///< share of a fight's time that is spent moving
    float trigger;    ///< degrees; fires if the turret is so close to the aim
    float pause;      ///< seconds from one shot to the thought of the next, on average
};
inline constexpr std::uint8_t kLevels = 5;
/// level: 1 to kLevels.
[[nodiscard]] const Skill& skill_of(std::uint8_t level);
/// "1" to "5". The error lists them.
[[nodiscard]] Result<std::uint8_t> parse_level(std::string_view text);

enum class CharacterName : std::uint8_t { soldier, hunter, sniper, bomber, collector, camper, survivor };
inline constexpr std::size_t kCharacters = 7;

/// Preferences, each 0 to 1 unless a unit is given.
struct Character {
    std::string_view name;
    float shells;      ///< weapon: 0 only the gun, 1 a shell whenever one is loaded
    float aggression;  ///< seeks fights, and flees late
    float accuracy;    ///< factor of the skill's deviation; below 1 is better
    float hunger;      ///< for items
    float camping;     ///< share of quiet times spent waiting in one place
    float range;       ///< metres; preferred distance of a fight
};
[[nodiscard]] const Character& character_of(CharacterName name);
[[nodiscard]] std::string_view to_string(CharacterName name);
/// The error lists the known names.
[[nodiscard]] Result<CharacterName> parse_character(std::string_view text);

}  // namespace fray::panzer
