#pragma once
// The settings of the playground, as a link carries them: "players=60&overlay=psense&seed=7". Whole numbers
// and words only, so that every reader gets the same run.

#include <fray/options.hpp>
#include <fray/result.hpp>
#include <fray/swarm.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace fray::playground {

struct Settings {
    std::int32_t players = 60;
    std::int32_t vision = 180;  ///< units
    std::int32_t upload_kbps = 256;
    std::int32_t latency_ms = 40;  ///< one way
    std::int32_t jitter_ms = 5;    ///< mean
    std::int32_t loss_permille = 10;
    std::int32_t relays = 1;  ///< pSense passes updates on
    std::int32_t guidance = 0;
    std::int32_t seed = 1;
    std::string overlay = "psense";
    std::string interest = "broadcast";
    std::string consistency = "everquest";
};

inline constexpr float kFieldSize = 1000;

/// Omitted settings have their defaults. An error names the setting and what was expected.
[[nodiscard]] Result<Settings> parse_settings(std::string_view text);
[[nodiscard]] PeerOptions peer_options(const Settings& settings);
[[nodiscard]] SwarmOptions swarm_options(const Settings& settings);

}  // namespace fray::playground
