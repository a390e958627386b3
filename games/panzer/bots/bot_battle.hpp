#pragma once
// A battle of bots on the rules alone, without a network: for tests, the lab and benchmarks.

#include <fray/result.hpp>

#include "games/panzer/bots/bot.hpp"
#include "games/panzer/rules/rules.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace fray::panzer {

class BotBattle {
public:
    /// One tank per player. The seeds of the players are derived from the battle's. Map and mesh must outlive
    /// the battle.
    [[nodiscard]] static Result<BotBattle> start(const Map& map, const NavMesh& mesh,
                                                 std::span<const BotOptions> players, Mode mode, Seed seed);
    void step();

    [[nodiscard]] const Battle& battle() const { return battle_; }
    /// For tests that place tanks.
    [[nodiscard]] Battle& battle() { return battle_; }
    [[nodiscard]] std::span<const Happening> happenings() const { return rules_.happenings(); }
    [[nodiscard]] const Bot& bot(std::size_t i) const { return bots_[i]; }
    [[nodiscard]] std::span<const Input> inputs() const { return inputs_; }

private:
    BotBattle(const Map& map, const NavMesh& mesh)
        : rules_{map}, senses_{map}, query_{std::make_unique<NavQuery>(mesh)} {}

    Rules rules_;
    Senses senses_;
    std::unique_ptr<NavQuery> query_;  // shared by all bots; stays where it is
    Battle battle_;
    std::vector<Bot> bots_;
    std::vector<Input> inputs_;
    View view_;  // scratch
};

}  // namespace fray::panzer
