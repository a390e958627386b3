#pragma once
// A pilot that plays one ship like a person: what it does now answers what it saw 200 to 250 ms ago, its
// fingers hold keys for as long as seemed right when it looked, and it looks again when they are done.

#include <fray/random.hpp>

#include "games/snagger/pilot/finger.hpp"
#include "games/snagger/rules/game.hpp"

#include <cstddef>

namespace fray::snagger {

class Pilot {
public:
    /// ship: 0 or 1. Pilots of one seed differ by their ship.
    Pilot(std::size_t ship, Seed seed);

    /// The keys held in the coming tick. To be asked once per tick, in order.
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
