#pragma once
// Keeps the own player's card, and exchanges cards with the others. A player that crashed and comes back gets
// its old card from the first peer it links with, and goes on from there.

#include <fray/event.hpp>
#include <fray/game.hpp>

#include "games/panzer/match/match_options.hpp"
#include "games/panzer/match/messages.hpp"
#include "games/panzer/match/standings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fray::panzer {

class Scorekeeper {
public:
    /// A card with a new score is sent this often at most, one with other changes (shots) more rarely.
    static constexpr Duration kScoreInterval{500ms};
    static constexpr Duration kRestInterval{10s};
    /// With a limited upload cards ride on other datagrams, so often at most.
    static constexpr Duration kRidingInterval{5s};
    /// A card of an earlier stay counts only this long after the present one began, and not before the match
    /// has lasted as long: at the start no player returns.
    static constexpr Duration kReturning{10s};
    /// Final cards that travel from peer to peer are collected for so many frames.
    static constexpr std::uint32_t kNewsFrames = 4;

    Scorekeeper(const PeerId& self, std::string name, const MatchOptions& match);

    /// When the match began.
    void set_start(SessionInstant start) { start_ = start; }
    /// What the player achieved in this stay. Sends the card if it is due.
    void frame(Commands& peer, const Record& now);
    /// The player waits for no decision any more. Sends the final card; what is decided later does not count.
    void finish(Commands& peer, const Record& now);
    /// Cards for a peer that was linked: the own one, and its own one of an earlier stay.
    [[nodiscard]] std::vector<Card> cards_for(const PeerId& other) const;
    /// Cards from another peer. While a player is linked with this peer, its card counts only if it comes
    /// from that player; others are held until it is not.
    void take(Commands& peer, const PeerId& from, const std::vector<Card>& cards);
    /// The card of the sender.
    void take_score(Commands& peer, const PeerId& from, const Score& score);

    [[nodiscard]] const Standings& standings() const { return standings_; }
    [[nodiscard]] bool is_final() const { return own_.is_final; }
    /// Whether the final cards of all these players, and the own one, are here.
    [[nodiscard]] bool has_final(const std::vector<PeerId>& players) const;
    [[nodiscard]] std::size_t finals() const;

private:
    void refresh(const Record& now);
    void send_own(Commands& peer);
    static void send(Commands& peer, std::vector<Card> cards);
    void share_absent(Commands& peer);
    [[nodiscard]] bool is_card_of_match(const Card& card) const;
    void pass_on_news(Commands& peer);
    void adopt(const Commands& peer, const Card& card);
    void merge(const std::vector<Card>& cards);
    void release_hearsay(Commands& peer);

    OverlayName overlay_;
    bool rides_;             // the cards of a match that goes on
    std::uint32_t players_;  // of the match; their ids are 1 to this
    Standings standings_;
    Standings hearsay_;  // cards of linked players that came from others
    Card own_;
    Record before_;              // of earlier stays
    Record since_;               // of this stay
    std::uint32_t adopted_ = 0;  // the revision that `before_` is from
    std::optional<Instant> began_;
    std::optional<SessionInstant> start_;
    std::vector<Card> news_;  // to be passed on
    std::uint32_t frames_ = 0;
    bool is_unsent_ = false;
    Record sent_;  // as the others know it
    Instant sent_at_ = Instant::min();
};

}  // namespace fray::panzer
