#pragma once
// A game as its designer describes it: its entities, and what each of them requires. docs/concepts/advise.md
// describes the file format.

#include <fray/result.hpp>
#include <fray/time.hpp>

#include "lab/workloads/situations.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fray::lab::advise {

struct Entity {
    std::string name;
    EntityKind type{};
    const Situation* situation = nullptr;  ///< supplies default factors and tolerances
    Factors factors{};
    Tolerances tolerances{};
    Means means{};
    std::optional<Duration> interval{};  ///< between two updates; nothing: the cheapest
    std::optional<double> most_kbps{};   ///< for one viewer
    /// Highest speed, % of the screen per second; nothing: as recorded.
    std::optional<double> speed{};
    /// Index of the entity that is the same thing in another view; both share one algorithm.
    std::optional<std::size_t> same_as{};
};

struct Description {
    std::string game;
    std::vector<Entity> entities;
};

/// Larger files, and games with more entities, are refused.
inline constexpr std::size_t kMostDescriptionBytes = 256 * 1024;
inline constexpr std::size_t kMostEntities = 64;
inline constexpr std::size_t kMostNameLength = 60;

/// Fails with one line: the position, what is wrong there, and what to write instead.
[[nodiscard]] Result<Description> parse_description(std::string_view text, const std::string& file);
[[nodiscard]] Result<Description> load_description(const std::filesystem::path& file);

}  // namespace fray::lab::advise
