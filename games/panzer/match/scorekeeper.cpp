#include "games/panzer/match/scorekeeper.hpp"

#include <algorithm>
#include <utility>

namespace fray::panzer {

namespace {

constexpr std::uint32_t kMostRevision = std::uint32_t{1} << 31U;  // of a foreign card

Record sum(const Record& a, const Record& b) {
    return {.score = std::clamp(a.score + b.score, -kMostScore, kMostScore),
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
      rides_{match.upload_kbps != 0 && match.overlay == OverlayName::mesh},
      players_{match.players},
      standings_{match.players},
      hearsay_{match.players} {
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
    if (++frames_ % kNewsFrames == 0 && !news_.empty()) pass_on_news(peer);
    if (!is_unsent_) return;
    // A death counts like a point: without it a kill has no death if this player crashes.
    const bool is_score = own_.record.score != sent_.score || own_.record.deaths != sent_.deaths;
    const Duration usual = rides_ ? kRidingInterval : kScoreInterval;
    const Duration interval = is_score ? usual : kRestInterval;
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
    sent_ = own_.record;
    sent_at_ = peer.now();
    if (!rides_ || own_.is_final) return send(peer, {own_});
    const Note note{.kind = Note::Kind::score, .score = {own_.revision, own_.record}};
    (void)peer.send(note, Audience::everyone(), Delivery::riding);
}

void Scorekeeper::send(Commands& peer, std::vector<Card> cards) {
    for (std::size_t i = 0; i < cards.size(); i += kMostCardsInNote) {
        const std::size_t end = std::min(cards.size(), i + kMostCardsInNote);
        Note note{.kind = Note::Kind::cards,
                  .cards = {cards.begin() + static_cast<std::ptrdiff_t>(i),
                            cards.begin() + static_cast<std::ptrdiff_t>(end)}};
        (void)peer.send(note, Audience::everyone());
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
        if (!is_card_of_match(card)) continue;
        if (card.player == own_.player)
            adopt(peer, card);
        else if (card.player != from && std::ranges::binary_search(here, card.player))
            hearsay_.merge(card);
        else
            heard.push_back(card);
    }
    merge(heard);
}

void Scorekeeper::take_score(Commands& peer, const PeerId& from, const Score& score) {
    const Card* known = standings_.find(from);
    take(peer, from,
         {Card{.player = from,
               .name = known == nullptr ? std::string{} : known->name,
               .revision = score.revision,
               .record = score.record}});
}

bool Scorekeeper::is_card_of_match(const Card& card) const {
    const std::uint64_t number = card.player.number();
    return card.player == PeerId::from_number(number) && number >= 1 && number <= players_ &&
           card.revision < kMostRevision;
}

/// A card of our own that we do not know is from an earlier stay.
void Scorekeeper::adopt(const Commands& peer, const Card& card) {
    const bool is_return = start_ && peer.session_time() - *start_ > kReturning &&
                           (!began_ || peer.now() - *began_ < kReturning);
    const std::uint32_t known = adopted_ != 0 ? adopted_ : own_.revision;
    if (!is_return || card.revision <= known || own_.is_final) return;
    adopted_ = card.revision;
    before_ = card.record;
    refresh(since_);
    own_.revision = std::max(own_.revision, card.revision) + 1;
    is_unsent_ = true;
}

void Scorekeeper::merge(const std::vector<Card>& cards) {
    for (const Card& card : cards) {
        // With pSense not all players are linked: final cards travel from peer to peer.
        if (standings_.merge(card) && card.is_final && overlay_ == OverlayName::psense) news_.push_back(card);
    }
}

void Scorekeeper::pass_on_news(Commands& peer) { send(peer, std::exchange(news_, {})); }

void Scorekeeper::release_hearsay(Commands& peer) {
    const std::vector<PeerId> here = peer.peers();
    std::vector<Card> released;
    hearsay_.take_if([&](const Card& card) { return !std::ranges::binary_search(here, card.player); },
                     released);
    merge(released);
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
