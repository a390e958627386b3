#include "games/panzer/match/standings.hpp"

#include <fray/fingerprint.hpp>

#include <algorithm>
#include <tuple>

namespace fray::panzer {

bool Standings::merge(const Card& card) {
    const auto found = cards_.find(card.player);
    if (found == cards_.end() && cards_.size() >= most_) return false;
    if (found != cards_.end() && card.revision <= found->second.revision) return false;
    Card& held = cards_[card.player];
    held = card;
    // Names are shown on terminals, and other players choose them.
    for (char& c : held.name) {
        if (c < ' ' || c > '~') c = '?';
    }
    return true;
}

void Standings::keep_final() {
    std::erase_if(cards_, [](const auto& entry) { return !entry.second.is_final; });
}

const Card* Standings::find(const PeerId& player) const {
    const auto found = cards_.find(player);
    return found == cards_.end() ? nullptr : &found->second;
}

std::vector<Card> Standings::ranking() const {
    std::vector<Card> all;
    for (const auto& [player, card] : cards_) all.push_back(card);
    std::ranges::stable_sort(all, [](const Card& a, const Card& b) {
        return std::tuple{-a.record.score, a.record.deaths} < std::tuple{-b.record.score, b.record.deaths};
    });
    return all;
}

std::uint64_t Standings::fingerprint() const {
    Fingerprint sum;
    for (const auto& [player, card] : cards_) {
        const Record& r = card.record;
        sum.add(std::span{player.bytes}).add(card.name);
        sum.add(std::uint64_t{card.revision}).add(static_cast<std::uint64_t>(std::int64_t{r.score}));
        for (const std::uint32_t value :
             {r.kills, r.deaths, r.accidents, r.shots, r.hits, r.shells, r.pickups})
            sum.add(std::uint64_t{value});
    }
    return sum.value();
}

}  // namespace fray::panzer
