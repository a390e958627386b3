#pragma once
// A game as its designer describes it: which entities there are, and what each of them requires. The file's
// format stands in docs/concepts/advise.md.

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
    const Situation* situation = nullptr;  ///< whose factors and tolerances are the defaults
    Factors factors{};
    Tolerances tolerances{};
    Means means{};
    std::optional<Duration> interval{};  ///< between two updates; nothing: what is cheapest
    std::optional<double> most_kbps{};   ///< for one viewer
    std::optional<double> speed{};       ///< at most, % of the screen per second; nothing: as recorded
    std::optional<std::size_t>
        same_as{};  ///< the same thing in another's eyes: it shares that one's algorithm
};

struct Description {
    std::string game;
    std::vector<Entity> entities;
};

/// Larger files, and games of more entities, are refused.
inline constexpr std::size_t kMostDescriptionBytes = 256 * 1024;
inline constexpr std::size_t kMostEntities = 64;
inline constexpr std::size_t kMostNameLength = 60;

/// Fails with one line: the place, what is wrong there, and what to write instead.
[[nodiscard]] Result<Description> parse_description(std::string_view text, const std::string& file);
[[nodiscard]] Result<Description> load_description(const std::filesystem::path& file);

}  // namespace fray::lab::advise
