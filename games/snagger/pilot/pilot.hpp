#pragma once
// A pilot that plays one ship like a person: its actions respond to what it saw 200 to 250 ms ago, its
// fingers hold keys for the time that seemed right then, and it observes again when they are released.

#include <fray/random.hpp>

#include "games/snagger/pilot/finger.hpp"
#include "games/snagger/rules/game.hpp"

#include <cstddef>

namespace fray::snagger {

class Pilot {
public:
    /// ship: 0 or 1. Pilots of one seed differ by their ship.
    Pilot(std::size_t ship, Seed seed);

    /// The keys held in the coming tick. Call it once per tick, in order.
    Input play(const Game& game);

private:
    void think_of_turning(const Game& game);
    void think_of_thrust(const Game& game);
    void think_of_snagging(const Game& game);

    std::size_t ship_;
    RandomStream random_;
    Finger turning_;
    Finger thrusting_;
    Finger snagging_;
    bool turns_left_ = false;
};

}  // namespace fray::snagger
