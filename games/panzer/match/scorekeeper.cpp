#include "games/panzer/match/scorekeeper.hpp"

#include <algorithm>
#include <utility>

namespace fray::panzer {

namespace {

constexpr std::size_t kSpareCards = 16;  // players may leave, and others come

Record sum(const Record& a, const Record& b) {
    return {.score = a.score + b.score,
            .kills = a.kills + b.kills,
            .deaths = a.deaths + b.deaths,
            .accidents = a.accidents + b.accidents,
            .shots = a.shots + b.shots,
            .hits = a.hits + b.hits,
            .shells = a.shells + b.shells,
            .pickups = a.pickups + b.pickups};
}

}  // namespace

Scorekeeper::Scorekeeper(const PeerId& self, std::string name, const MatchOptions& match)
    : overlay_{match.overlay},
      standings_{2 * std::size_t{match.players} + kSpareCards},
      hearsay_{2 * std::size_t{match.players} + kSpareCards} {
    own_.player = self;
    own_.name = std::move(name);
    own_.name.resize(std::min(own_.name.size(), kMostNameBytes));
    standings_.merge(own_);
}

void Scorekeeper::refresh(const Record& now) {
    since_ = now;
    const Record total = sum(before_, since_);
    if (own_.is_final || total == own_.record) return;
    own_.record = total;
    ++own_.revision;
    is_unsent_ = true;
}

void Scorekeeper::frame(Commands& peer, const Record& now) {
    if (!began_) began_ = peer.now();
    refresh(now);
    if (!hearsay_.cards().empty()) release_hearsay(peer);
    if (!is_unsent_) return;
    const bool is_score = own_.record.score != sent_score_;
    const Duration interval = is_score ? kScoreInterval : kRestInterval;
    if (sent_at_ == Instant::min() || peer.now() - sent_at_ >= interval) send_own(peer);
}

void Scorekeeper::finish(Commands& peer, const Record& now) {
    refresh(now);
    own_.is_final = true;
    ++own_.revision;
    send_own(peer);
    if (overlay_ == OverlayName::mesh) share_absent(peer);
}

void Scorekeeper::send_own(Commands& peer) {
    standings_.merge(own_);
    is_unsent_ = false;
    sent_score_ = own_.record.score;
    sent_at_ = peer.now();
    send(peer, {own_});
}

void Scorekeeper::send(Commands& peer, std::vector<Card> cards) {
    for (std::size_t i = 0; i < cards.size(); i += kMostCardsInNote) {
        const std::size_t end = std::min(cards.size(), i + kMostCardsInNote);
        Note note{.kind = Note::Kind::cards,
                  .cards = {cards.begin() + static_cast<std::ptrdiff_t>(i),
                            cards.begin() + static_cast<std::ptrdiff_t>(end)}};
        (void)peer.send(note);
    }
}

/// Peers may hold different cards of a player that is gone: the newest one wins everywhere.
void Scorekeeper::share_absent(Commands& peer) {
    const std::vector<PeerId> here = peer.peers();
    std::vector<Card> absent;
    for (const auto& [player, card] : standings_.cards()) {
        if (player != own_.player && !std::ranges::binary_search(here, player)) absent.push_back(card);
    }
    if (!absent.empty()) send(peer, std::move(absent));
}

std::vector<Card> Scorekeeper::cards_for(const PeerId& other) const {
    std::vector<Card> cards{own_};
    if (const Card* theirs = standings_.find(other)) cards.push_back(*theirs);
    return cards;
}

void Scorekeeper::take(Commands& peer, const PeerId& from, const std::vector<Card>& cards) {
    const std::vector<PeerId> here = peer.peers();
    std::vector<Card> heard;
    for (const Card& card : cards) {
        if (card.player == own_.player)
            adopt(peer, card);
        else if (card.player != from && std::ranges::binary_search(here, card.player))
            hearsay_.merge(card);
        else
            heard.push_back(card);
    }
    merge(peer, heard);
}

/// A card of our own that we do not know is from an earlier stay.
void Scorekeeper::adopt(const Commands& peer, const Card& card) {
    const bool is_returning = !began_ || peer.now() - *began_ < kReturning;
    if (!is_returning || card.revision <= own_.revision || own_.is_final) return;
    before_ = card.record;
    own_.revision = card.revision;
    refresh(since_);
    ++own_.revision;
    is_unsent_ = true;
}

void Scorekeeper::merge(Commands& peer, const std::vector<Card>& cards) {
    std::vector<Card> news;
    for (const Card& card : cards) {
        if (standings_.merge(card) && card.is_final) news.push_back(card);
    }
    // With pSense not all players are linked: final cards travel from peer to peer.
    if (overlay_ == OverlayName::psense && !news.empty()) send(peer, std::move(news));
}

void Scorekeeper::release_hearsay(Commands& peer) {
    const std::vector<PeerId> here = peer.peers();
    std::vector<Card> released;
    hearsay_.take_if([&](const Card& card) { return !std::ranges::binary_search(here, card.player); },
                     released);
    merge(peer, released);
}

bool Scorekeeper::has_final(const std::vector<PeerId>& players) const {
    return own_.is_final && std::ranges::all_of(players, [&](const PeerId& player) {
               const Card* card = standings_.find(player);
               return card != nullptr && card->is_final;
           });
}

std::size_t Scorekeeper::finals() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(standings_.cards(), [](const auto& entry) { return entry.second.is_final; }));
}

}  // namespace fray::panzer
