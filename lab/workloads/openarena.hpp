#pragma once
// Recorded play of OpenArena (folder openarena of the measurements): where each player was, where it looked,
// whom it shot at and hit, 20 times per second. Lengths are in units of the map, about an inch each.

#include <fray/geometry.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

inline constexpr std::string_view kOpenArenaFolder = "openarena";
inline constexpr Duration kOpenArenaTick{50'000};

class OpenArena {
public:
    /// name: "A_part1", ... A damaged file is refused with one line that names it.
    [[nodiscard]] static Result<OpenArena> load(const std::string& folder, const std::string& name);

    struct Moment {
        Pose pose;
        bool is_alive = false;
        bool toggle = false;  ///< changes whenever the player is placed elsewhere
    };
    /// A shot, or a hit of another player.
    struct Act {
        std::uint32_t tick = 0;
        std::uint16_t actor = 0;
        std::uint16_t target = 0;
        bool is_hit = false;
    };

    [[nodiscard]] std::uint32_t players() const { return players_; }
    [[nodiscard]] std::uint32_t ticks() const { return ticks_; }
    [[nodiscard]] const Moment& at(std::uint32_t player, std::uint32_t tick) const {
        return moments_[std::size_t{player} * ticks_ + tick];
    }
    /// Between two ticks; the last one lasts.
    [[nodiscard]] Pose pose(std::uint32_t player, Duration at) const;
    /// Since when the player has lived and moved without being placed elsewhere; `at` if it is dead then.
    [[nodiscard]] Duration moves_since(std::uint32_t player, Duration at, Duration most) const;
    /// In order of time.
    [[nodiscard]] std::span<const Act> acts() const { return acts_; }
    /// Of all positions.
    [[nodiscard]] const Vec3& low() const { return low_; }
    [[nodiscard]] const Vec3& high() const { return high_; }

private:
    [[nodiscard]] Result<void> read_tracks(const std::string& file);
    [[nodiscard]] Result<void> read_acts(const std::string& file);
    [[nodiscard]] std::uint32_t tick_at(Duration at) const;

    std::uint32_t players_ = 0;
    std::uint32_t ticks_ = 0;
    std::vector<Moment> moments_;
    std::vector<Act> acts_;
    Vec3 low_{};
    Vec3 high_{};
};

}  // namespace fray::lab
