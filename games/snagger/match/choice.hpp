#pragma once
// The consistency algorithm of a game of Snagger, as both players see it.

#include <fray/consistency.hpp>
#include <fray/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fray::snagger {

struct Choice {
    static constexpr std::uint16_t kMostLagMs = 500;
    std::uint8_t algorithm = 0;  ///< index into kAlgorithms
    std::uint16_t lag_ms = 100;  ///< of an algorithm that has one
    friend constexpr bool operator==(const Choice&, const Choice&) = default;
};

struct AlgorithmTitle {
    std::string_view name;  ///< on the command line
    const char* title;      ///< in the window
    bool has_lag;
};
inline constexpr std::array<AlgorithmTitle, 6> kAlgorithms{{
    {"everquest", "Dead reckoning (EverQuest)", false},
    {"centralized_serialization", "Centralised serialisation", false},
    {"local_lag", "Local lag", true},
    {"bucket_sync", "Bucket synchronisation", true},
    {"half_life", "Half-Life", true},
    {"adaptive", "Adaptive", false},
}};

template <class Stream>
void serialize(Stream& stream, Choice& choice) {
    stream.integer(choice.algorithm, 0, static_cast<std::uint8_t>(kAlgorithms.size() - 1));
    stream.integer(choice.lag_ms, 0, Choice::kMostLagMs);
}

/// For every ship. The peer of the first ship orders the updates if the algorithm needs that.
[[nodiscard]] Consistency consistency_of(const Choice& choice);
/// "Local lag of 80 ms".
[[nodiscard]] std::string describe(const Choice& choice);
/// The error lists the known names.
[[nodiscard]] Result<std::uint8_t> parse_algorithm(std::string_view name);

}  // namespace fray::snagger
