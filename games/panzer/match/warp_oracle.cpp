#include "games/panzer/match/warp_oracle.hpp"

#include <vector>

namespace fray::panzer {

WarpOracle::WarpOracle(WarpBattle battle) : battle_{std::move(battle)} {}

void WarpOracle::see(const PeerId& peer, WarpMatch<WarpBattle>& match) {
    if (match.game() == nullptr) return;
    for (StreamLine& line : match.take_final_lines()) {
        const std::pair name{line.tick, MessageName{line.author, line.number}};
        lines_.try_emplace(name, std::move(line));
    }
    const auto newest = match.checkpoints().newest();
    if (newest) hashes_[{*newest, peer}] = match.checkpoints().hash_of(*newest).value_or(0);
}

std::uint64_t WarpOracle::hash() const {
    WholeState<WarpBattle::Part> state;
    for (PartNumber part = 0; part < battle_.parts(); ++part) state.parts.push_back(battle_.get(part));
    return Fingerprint{}.add(bytes_of(state).value()).value();
}

void WarpOracle::count(Verdict& verdict) const {
    for (const BattleOutcome& outcome : battle_.outcomes()) {
        const Happening& happening = outcome.happening;
        if (happening.kind == Happening::Kind::shot && happening.other != kNone) ++verdict.hits;
        if (happening.kind == Happening::Kind::death) ++verdict.deaths;
        if (happening.kind == Happening::Kind::pickup) ++verdict.pickups;
        if (happening.kind == Happening::Kind::spawn) ++verdict.respawns;
    }
}

WarpOracle::Verdict WarpOracle::judge() {
    Verdict verdict;
    PartSet all{battle_.parts()};
    all.add_all();
    auto line = lines_.begin();
    std::vector<Stamped<BattleMessage>> messages;
    for (auto at = hashes_.begin(); at != hashes_.end(); ++at) {
        const auto& [tick, peer] = at->first;
        for (; verdict.ticks < tick; ++verdict.ticks) {
            messages.clear();
            for (; line != lines_.end() && line->first.first == verdict.ticks; ++line) {
                if (const auto message = WarpMatch<WarpBattle>::message_of(line->second))
                    messages.push_back({{SessionInstant{}, line->first.second}, *message});
            }
            battle_.step(verdict.ticks, messages, all);
            count(verdict);
        }
        ++verdict.compared;
        if (hash() == at->second) continue;
        if (verdict.different++ == 0)
            verdict.first = "tick " + std::to_string(tick) + ", peer " + to_string(peer);
    }
    return verdict;
}

}  // namespace fray::panzer
