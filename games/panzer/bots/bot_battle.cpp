#include "games/panzer/bots/bot_battle.hpp"

#include <utility>

namespace fray::panzer {

Result<BotBattle> BotBattle::start(const Map& map, const NavMesh& mesh, std::span<const BotOptions> players,
                                   Mode mode, Seed seed) {
    BotBattle made{map, mesh};
    auto battle = made.rules_.start({.tanks = players.size(), .mode = mode, .seed = seed});
    if (!battle) return battle.error();
    made.battle_ = std::move(*battle);
    made.bots_.reserve(players.size());
    for (std::size_t i = 0; i < players.size(); ++i) {
        BotOptions options = players[i];
        options.seed = derive(seed, "bot", i);
        made.bots_.emplace_back(options, map, *made.query_);
    }
    made.inputs_.resize(players.size());
    return made;
}

void BotBattle::step() {
    for (std::size_t i = 0; i < bots_.size(); ++i) {
        if (bots_[i].looks(battle_.step)) {
            senses_.fill_view(battle_, static_cast<std::uint16_t>(i), view_);
            bots_[i].look(view_);
        }
        inputs_[i] = bots_[i].play(battle_.step, battle_.tanks[i]);
    }
    rules_.step(battle_, inputs_);
}

}  // namespace fray::panzer
