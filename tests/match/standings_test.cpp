#include "games/panzer/match/standings.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

namespace fray::panzer {
namespace {

Card card_of(std::uint64_t player, std::uint32_t revision, std::int32_t score = 0) {
    Card card;
    card.player = PeerId::from_number(player);
    card.name = "p" + std::to_string(player);
    card.revision = revision;
    card.record.score = score;
    return card;
}

RC_GTEST_PROP(Standings, AreTheSameInWhateverOrderCardsArrive, ()) {
    std::vector<Card> cards;
    const auto count = *rc::gen::inRange(1, 40);
    for (int i = 0; i < count; ++i)
        cards.push_back(card_of(*rc::gen::inRange(1, 6), *rc::gen::inRange(1U, 9U)));
    // A player never gives two cards the same revision.
    for (Card& card : cards) card.record.score = static_cast<std::int32_t>(card.revision) * 3;
    Standings there;
    for (const Card& card : cards) there.merge(card);
    std::shuffle(cards.begin(), cards.end(), std::mt19937{*rc::gen::arbitrary<unsigned>()});
    Standings here;
    for (const Card& card : cards) here.merge(card);
    for (const Card& card : cards) RC_ASSERT(!here.merge(card));
    RC_ASSERT(here.fingerprint() == there.fingerprint());
    RC_ASSERT(here.cards() == there.cards());
}

TEST(Standings, TheFingerprintTellsEveryFieldApart) {
    Standings base;
    base.merge(card_of(1, 1, 5));
    const auto changed = [](auto change) {
        Card card = card_of(1, 1, 5);
        change(card);
        Standings other;
        other.merge(card);
        return other.fingerprint();
    };
    EXPECT_EQ(changed([](Card&) {}), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.score; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.kills; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.deaths; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.accidents; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.shots; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.hits; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.shells; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { ++c.record.pickups; }), base.fingerprint());
    EXPECT_NE(changed([](Card& c) { c.name = "x"; }), base.fingerprint());
}

TEST(Standings, RankByScoreThenByFewerDeaths) {
    Standings standings;
    for (const std::uint64_t player : {1U, 2U, 3U}) standings.merge(card_of(player, 1, player == 3 ? 9 : 4));
    Card second = card_of(1, 2, 4);
    second.record.deaths = 3;
    standings.merge(second);
    const auto ranking = standings.ranking();
    ASSERT_EQ(ranking.size(), 3U);
    EXPECT_EQ(ranking[0].player.number(), 3U);
    EXPECT_EQ(ranking[1].player.number(), 2U);
    EXPECT_EQ(ranking[2].player.number(), 1U);
}

TEST(Standings, NamesCannotControlATerminal) {
    Card card = card_of(1, 1);
    card.name = "a\x1b[2Jb\n";
    Standings standings;
    standings.merge(card);
    EXPECT_EQ(standings.find(card.player)->name, "a?[2Jb?");
}

TEST(Standings, ABoundedNumberOfPlayersIsHeld) {
    Standings standings{20};
    for (std::uint64_t i = 1; i <= 30; ++i) EXPECT_EQ(standings.merge(card_of(i, 1)), i <= 20);
    EXPECT_TRUE(standings.merge(card_of(20, 2))) << "those that are held are brought up to date";
    EXPECT_EQ(standings.cards().size(), 20U);
}

}  // namespace
}  // namespace fray::panzer
