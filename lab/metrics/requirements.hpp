#pragma once
// What an entity of a game requires of consistency, in the terms of the paper (C. Savery, T.C.N. Graham, C.
// Gutwin: The human factors of consistency maintenance in multiplayer computer games, 2010): its type (3.1),
// the interaction with it (3.2) and its tolerances (3.3, 4.2).

#include "lab/metrics/felt.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// The eight groups of 3.1.
enum class EntityKind : std::uint8_t {
    local_avatar,
    other_avatar,
    player_variable,
    inventory,
    object,
    terrain,
    attack_object,
    chat,
};
[[nodiscard]] std::string_view name_of(EntityKind type);
[[nodiscard]] std::optional<EntityKind> entity_kind(std::string_view name);
/// Whether it has a position that others see change. The others are values, and distances mean nothing for
/// them.
[[nodiscard]] bool moves(EntityKind type);
/// All names, in the order of 3.1.
[[nodiscard]] const std::vector<std::string>& entity_kind_names();

/// How players and other entities interact with it (3.2).
struct Factors {
    bool interactive = true;  ///< anything can affect or change it
    bool by_several = false;  ///< by several players at once
    bool critical = false;    ///< an interaction can affect health, lives or the outcome of the game
    double timescale_ms = 0;  ///< time until the next interaction is possible; 0: at any moment
    double probability = 1;   ///< of an interaction, 0 to 1
};

/// Upper limits; nothing: no limit. Distances in % of the screen, as in the paper.
struct Tolerances {
    std::optional<double> state_divergence{};     ///< %
    std::optional<double> propagation_ms{};       ///<
    std::optional<double> corrections{};          ///< % per second
    std::optional<double> visible_jump{};         ///< %
    std::optional<double> shape_divergence{};     ///< %
    std::optional<double> duration_divergence{};  ///< 0.1: movements may take a tenth longer or shorter
    std::optional<double> response_ms{};          ///<
    std::optional<double> animation_ms{};         ///<
    std::optional<double> decision_ms{};          ///<
    std::optional<double> wrong_decisions{};      ///< %
};

/// One of the tolerances, and the figure that is compared with it.
struct Metric {
    std::string_view name;  ///< in files
    std::string_view word;  ///< in messages
    std::string_view short_word;
    std::string_view unit;
    std::optional<double> Tolerances::*allowed;
    double Felt::*felt;
    bool distance;     ///< grows with the entity's speed
    bool of_movement;  ///< means nothing for an entity without a position
    double most;       ///< largest value that a file may give
};
[[nodiscard]] std::span<const Metric> metrics();

/// Default tolerances of an entity. docs/concepts/advise.md has the rule as a table.
[[nodiscard]] Tolerances default_tolerances(EntityKind type, const Factors& factors);

/// Whether it can be measured only if players shoot at each other.
[[nodiscard]] bool about_decisions(const Metric& metric);
[[nodiscard]] bool about_decisions(const Tolerances& tolerances);

/// The stricter value of each tolerance.
[[nodiscard]] Tolerances stricter(const Tolerances& a, const Tolerances& b);

/// A tolerance that is exceeded.
struct Excess {
    const Metric* metric = nullptr;
    double measured = 0;
    double allowed = 0;
    /// (measured - allowed) / allowed; tolerances near 0 count as 0.01 units.
    double share = 0;
};
/// All exceeded tolerances, the worst first. Empty: the requirements are met.
[[nodiscard]] std::vector<Excess> exceeded(const Tolerances& tolerances, const Felt& felt);

/// Three digits, and never an exponent: "0.0123", "94", "1500".
[[nodiscard]] std::string short_number(double value);
/// "94 ms", "1.25 %".
[[nodiscard]] std::string with_unit(double value, const Metric& metric);
/// "response 94 ms > 50 ms".
[[nodiscard]] std::string to_text(const Excess& excess);

}  // namespace fray::lab
