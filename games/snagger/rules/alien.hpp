#pragma once
// Aliens drift straight ahead and bounce off the edges. Only the net stops them.

#include <fray/geometry.hpp>
#include <fray/random.hpp>

#include <cstdint>

namespace fray::snagger {

inline constexpr double kAlienSpeedLeast = 1.5;  ///< units per second
inline constexpr double kAlienSpeedMost = 3;

struct Alien {
    Vec3 position{};
    Vec3 velocity{};  ///< units per second

    friend constexpr bool operator==(const Alien&, const Alien&) = default;
};

/// The alien with this number enters over an edge; the seed determines it.
[[nodiscard]] Alien arrival(Seed seed, std::uint32_t number);
/// One tick later.
[[nodiscard]] Alien drift(const Alien& alien);

}  // namespace fray::snagger
