#pragma once
// Performs actions at the right moment: a shot waits until the weapon is loaded and the turret points at the
// target. Bots ask for shots; a guided replica asks for as many as its action counters say, with a deadline,
// so that the count comes out right even if the aim never does.

#include "games/panzer/rules/tank.hpp"

#include <array>
#include <cstdint>

namespace fray::panzer {

enum class Weapon : std::uint8_t { gun, shell };
inline constexpr std::size_t kWeapons = 2;

/// The shooter's part of an Input.
struct Triggers {
    bool gun = false;
    bool shell = false;
    friend constexpr bool operator==(const Triggers&, const Triggers&) = default;
};

class Act {
public:
    static constexpr std::uint16_t kNoDeadline = 0xFFFF;

    /// Performs the action so many times more. If a shot was not possible for `patience` steps, it is fired
    /// as soon as the weapon is loaded, wherever the turret points.
    void ask(Weapon weapon, std::uint16_t times = 1, std::uint16_t patience = kNoDeadline);
    /// Forgets what was not performed yet.
    void cancel(Weapon weapon);
    /// The triggers of the coming step. `error`: degrees by which the turret misses the aim; a shot needs
    /// `tolerance` or less.
    [[nodiscard]] Triggers step(const Tank& self, float error, float tolerance);

    [[nodiscard]] std::uint16_t pending(Weapon weapon) const { return of(weapon).times; }

private:
    struct Asked {
        std::uint16_t times = 0;
        std::uint16_t patience = kNoDeadline;
        std::uint16_t waited = 0;  // steps since the last shot, or since it was asked for
    };
    [[nodiscard]] const Asked& of(Weapon weapon) const { return asked_[static_cast<std::size_t>(weapon)]; }
    [[nodiscard]] Asked& of(Weapon weapon) { return asked_[static_cast<std::size_t>(weapon)]; }
    static bool fire(Asked& asked, std::uint16_t wait, bool is_aimed);

    std::array<Asked, kWeapons> asked_{};
};

}  // namespace fray::panzer
