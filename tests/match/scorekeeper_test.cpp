#include "games/panzer/match/scorekeeper.hpp"

#include "match/match_fields.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

/// Three linked peers; the games only pass cards on.
struct Passing final : Game {
    explicit Passing(std::uint64_t number)
        : score{PeerId::from_number(number), "p" + std::to_string(number), MatchOptions{.players = 3}} {}
    void frame(Commands& peer) override {
        if (act) act(peer);
        act = {};
        score.frame(peer, record);
    }
    void event(Commands& peer, const Event& event) override {
        const auto* message = std::get_if<Message>(&event);
        const auto note = message != nullptr ? message->as<Note>() : std::nullopt;
        if (note) score.take(peer, message->from, note->cards);
    }
    Scorekeeper score;
    Record record;
    std::function<void(Commands&)> act;
};

struct ScorekeeperTest : ::testing::Test {
    void SetUp() override {
        swarm.set_workload(&games);
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(swarm.add_peer(PeerOptions{}));
        swarm.run_until(2s);
    }
    Passing& game(PeerIndex index) { return dynamic_cast<Passing&>(*games.game(index)); }
    void act(PeerIndex index, std::function<void(Commands&)> what) {
        game(index).act = std::move(what);
        swarm.run_for(2s);
    }
    static void send(Commands& peer, const Card& card) {
        EXPECT_TRUE(peer.send(Note{.kind = Note::Kind::cards, .cards = {card}}));
    }

    Swarm swarm = Swarm::create({.network = network_profile("lan").value()}, Seed{1}).value();
    GameWorkload games{[](PeerIndex index) { return std::make_unique<Passing>(index + 1); }};
};

Card forged(std::uint64_t player, std::int32_t score) {
    Card card;
    card.player = PeerId::from_number(player);
    card.revision = 1000;
    card.record.score = score;
    return card;
}

TEST_F(ScorekeeperTest, ACardReachesTheOthers) {
    game(0).record.score = 7;
    swarm.run_for(2s);
    for (PeerIndex i = 0; i < 3; ++i)
        EXPECT_EQ(game(i).score.standings().find(PeerId::from_number(1))->record.score, 7) << i;
}

TEST_F(ScorekeeperTest, NobodyElseWritesTheCardOfAPlayerThatIsHere) {
    game(0).record.score = 7;
    swarm.run_for(Scorekeeper::kReturning);
    act(2, [](Commands& peer) { send(peer, forged(1, 99)); });
    EXPECT_EQ(game(1).score.standings().find(PeerId::from_number(1))->record.score, 7);
    act(2, [](Commands& peer) { send(peer, forged(3, 5)); });
    EXPECT_EQ(game(1).score.standings().find(PeerId::from_number(3))->record.score, 5) << "its own it may";
}

TEST_F(ScorekeeperTest, AReturningPlayerGoesOnWithTheCardOfItsEarlierStay) {
    act(1, [](Commands& peer) { send(peer, forged(1, 4)); });
    game(0).record.score = 3;
    swarm.run_for(2s);
    for (PeerIndex i = 0; i < 3; ++i)
        EXPECT_EQ(game(i).score.standings().find(PeerId::from_number(1))->record.score, 7) << i;
}

TEST_F(ScorekeeperTest, WhatIsDecidedAfterTheFinalCardDoesNotCount) {
    game(0).record.score = 3;
    act(0, [&](Commands& peer) { game(0).score.finish(peer, game(0).record); });
    game(0).record.score = 9;
    act(1, [](Commands& peer) { send(peer, forged(1, 50)); });
    for (PeerIndex i = 0; i < 3; ++i) {
        const Card* card = game(i).score.standings().find(PeerId::from_number(1));
        EXPECT_TRUE(card->is_final) << i;
        EXPECT_EQ(card->record.score, 3) << i;
    }
    EXPECT_FALSE(game(1).score.has_final({PeerId::from_number(1)})) << "its own is missing";
    act(1, [&](Commands& peer) { game(1).score.finish(peer, {}); });
    EXPECT_TRUE(game(1).score.has_final({PeerId::from_number(1)}));
    EXPECT_EQ(game(2).score.finals(), 2U);
}

}  // namespace
}  // namespace fray::panzer
