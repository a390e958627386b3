#pragma once
// The scoreboard of a match. Each player keeps its own card and sends it to the others; a higher revision
// replaces a lower one, so cards may arrive in any order, twice, and by way of other peers. When every peer
// holds every final card, all scoreboards are equal.

#include <fray/ids.hpp>

#include "games/panzer/rules/battle.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fray::panzer {

inline constexpr std::size_t kMostNameBytes = 24;
inline constexpr std::int32_t kMostScore = 1'000'000;

/// What a player has achieved, as it says itself.
struct Card {
    PeerId player;
    std::string name;  ///< at most kMostNameBytes
    std::uint32_t revision = 0;
    bool is_final = false;  ///< the match is over, and the player waits for no decision any more
    Record record;
    friend bool operator==(const Card&, const Card&) = default;
};

template <class Stream>
void serialize_record(Stream& stream, Record& record) {
    stream.integer(record.score, -kMostScore, kMostScore);
    stream.varint(record.kills);
    stream.varint(record.deaths);
    stream.varint(record.accidents);
    stream.varint(record.shots);
    stream.varint(record.hits);
    stream.varint(record.shells);
    stream.varint(record.pickups);
}
template <class Stream>
void serialize(Stream& stream, Card& card) {
    stream.array(card.player.bytes);
    stream.text(card.name, kMostNameBytes);
    stream.varint(card.revision);
    stream.boolean(card.is_final);
    serialize_record(stream, card.record);
}
/// A card that is not final, to peers that know whose it is: a third of the bytes.
struct Score {
    std::uint32_t revision = 0;
    Record record;
};
template <class Stream>
void serialize(Stream& stream, Score& score) {
    stream.varint(score.revision);
    serialize_record(stream, score.record);
}

class Standings {
public:
    /// most: players whose cards are held. Any peer can send cards of players that do not exist.
    explicit Standings(std::size_t most) : most_{most} {}
    Standings() = default;

    /// True if it was news: unknown, or of a higher revision than the card held.
    bool merge(const Card& card);

    /// Drops the cards that are not final.
    void keep_final();
    /// Moves the cards for which the condition holds to the end of `taken`.
    template <class Condition>
    void take_if(const Condition& condition, std::vector<Card>& taken) {
        std::erase_if(cards_, [&](const auto& entry) {
            const bool is_taken = condition(entry.second);
            if (is_taken) taken.push_back(entry.second);
            return is_taken;
        });
    }

    [[nodiscard]] const Card* find(const PeerId& player) const;
    [[nodiscard]] const std::map<PeerId, Card>& cards() const { return cards_; }
    /// Best score first; then fewer deaths, then the lower id.
    [[nodiscard]] std::vector<Card> ranking() const;
    /// Equal if and only if all cards are (up to collisions).
    [[nodiscard]] std::uint64_t fingerprint() const;

private:
    std::size_t most_ = kMostTanks;
    std::map<PeerId, Card> cards_;
};

}  // namespace fray::panzer
