#include <fray/trade.hpp>

#include "support/three_desks.hpp"
#include "trade/trade_journal.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace fray::test {
namespace {

TEST_F(Desks, AnAcceptedOfferMovesTheItemsOfBothAndIsForgotten) {
    const TradeId trade = propose();
    ASSERT_EQ(offers_.size(), 1U);
    EXPECT_EQ(offers_[0].terms.want, (Items{{kGold, 50}}));
    EXPECT_EQ(ada().free(kSword), 0U) << "locked from the offer on";
    EXPECT_EQ(ada().owned(kSword), 1U);
    ASSERT_TRUE(ben().accept(now_, trade));
    EXPECT_EQ(ben().free(kGold), 50U) << "locked from the answer on";
    settle();
    EXPECT_EQ(commits(), 3U) << "both sides and the witness";
    EXPECT_EQ(ada().items(), (Items{{kGold, 50}}));
    EXPECT_EQ(ben().items(), (Items{{kSword, 1}, {kGold, 50}}));
    EXPECT_EQ(ada().remembered() + ben().remembered() + cem().remembered(), 0U);
}

TEST_F(Desks, ADeclinedOrWithdrawnOfferFreesTheItems) {
    TradeId trade = propose();
    ASSERT_TRUE(ben().refuse(trade));
    settle();
    ASSERT_EQ(decided_.size(), 2U);
    EXPECT_EQ(decided_[1].second.reason, TradeReason::declined);
    EXPECT_EQ(ada().free(kSword), 1U);
    trade = propose();
    ASSERT_TRUE(ada().refuse(trade));
    settle();
    EXPECT_EQ(decided_.back().second.reason, TradeReason::withdrawn);
    EXPECT_FALSE(ben().accept(now_, trade)) << "it is void";
    EXPECT_EQ(commits(), 0U);
}

TEST_F(Desks, AnOfferNobodyAnswersEndsByItself) {
    (void)propose();
    pass(31s);
    EXPECT_EQ(decided_.size(), 2U);
    EXPECT_EQ(decided_[0].second.reason, TradeReason::timed_out);
    EXPECT_EQ(ada().free(kSword), 1U);
    EXPECT_EQ(ada().poll_wakeup(), kNever);
}

TEST_F(Desks, LockedItemsCannotBeOfferedTwiceOrTakenAway) {
    const TradeId trade = propose();
    EXPECT_FALSE(ada().propose(now_, sword_for_gold()));
    EXPECT_FALSE(ada().remove({{kSword, 1}}));
    ASSERT_TRUE(ben().accept(now_, trade));
    EXPECT_FALSE(ben().remove({{kGold, 51}}));
    EXPECT_TRUE(ben().remove({{kGold, 50}}));
    settle();
    EXPECT_EQ(ben().owned(kGold), 0U);
    EXPECT_EQ(ada().owned(kGold), 50U);
}

TEST_F(Desks, WhatCannotBeGivenOrHeldIsRefused) {
    EXPECT_FALSE(ada().propose(now_, {kBen, kBen, {{kSword, 1}}, {}})) << "a witness is a third";
    EXPECT_FALSE(ada().propose(now_, {kBen, kCem, {}, {}}));
    EXPECT_FALSE(ada().propose(now_, {kBen, kCem, {{kGold, 1}}, {}})) << "not hers";
    EXPECT_FALSE(ada().propose(now_, {kBen, kCem, {{kSword, 0xFFFFFFFF}, {kSword, 2}}, {}}));
    EXPECT_FALSE(ben().add({{kGold, 0xFFFFFFFF}})) << "more than can be counted";
    TradeTerms many = sword_for_gold();
    for (std::uint64_t i = 0; i <= kMostStacks; ++i) many.want.push_back({ItemId{1000 + i}, 1});
    EXPECT_FALSE(ada().propose(now_, many));
    const TradeId trade = propose(sword_for_gold(101));
    EXPECT_FALSE(ben().accept(now_, trade)) << "Ben has a hundred";
    EXPECT_TRUE(ben().refuse(trade));
}

TEST_F(Desks, MessagesAndEventsWaitUntilTheJournalWasAskedFor) {
    const TradeId trade = propose();
    ASSERT_TRUE(ben().accept(now_, trade));
    EXPECT_FALSE(ben().poll_message());
    EXPECT_TRUE(ben().poll_journal());
    EXPECT_TRUE(ben().poll_message());
    EXPECT_FALSE(ben().poll_journal()) << "nothing changed since";
}

TEST_F(Desks, TheSidesAbortWithoutAWitnessThatIsGone) {
    lost_ = [](const Mail& mail) { return mail.to == kCem || mail.from == kCem; };
    const TradeId trade = propose();
    ASSERT_TRUE(ben().accept(now_, trade));
    pass(30s);
    ASSERT_EQ(decided_.size(), 2U);
    EXPECT_EQ(commits(), 0U);
    EXPECT_EQ(ada().free(kSword), 1U);
    EXPECT_EQ(ben().free(kGold), 100U);
    lost_ = nullptr;
    pass(30s);
    EXPECT_EQ(decided_.size(), 3U) << "the witness hears of it at last";
    EXPECT_EQ(ada().remembered() + ben().remembered() + cem().remembered(), 0U);
}

TEST_F(Desks, ASideCutOffAfterItsVoteLearnsOfTheCommitFromTheOtherSide) {
    lost_ = [](const Mail& mail) { return mail.from == kCem && mail.to == kBen; };
    const TradeId trade = propose();
    ASSERT_TRUE(ben().accept(now_, trade));
    settle();
    EXPECT_EQ(commits(), 3U);
}

/// Two of three gone is more than the protocol tolerates: the third keeps its lock, and asks when one
/// returns.
TEST_F(Desks, WhoIsAloneKeepsItsLockUntilItHearsFromOne) {
    const TradeId trade = propose();
    lost_ = [](const Mail& mail) { return mail.to == kBen; };
    ASSERT_TRUE(ben().accept(now_, trade));
    settle();
    EXPECT_EQ(ada().owned(kGold), 50U) << "committed by the others";
    pass(300s);
    EXPECT_EQ(ben().free(kGold), 50U);
    EXPECT_EQ(ben().undecided(), 1U);
    lost_ = [](const Mail& mail) { return mail.to == kBen && mail.from == kCem; };
    pass(60s);
    EXPECT_EQ(ben().items(), (Items{{kSword, 1}, {kGold, 50}}));
}

TEST_F(Desks, OnlyTheThreeOfATradeAreHeard) {
    const TradeId trade = propose();
    const auto before = ben().rejected();
    for (const Mail& mail : std::vector{old_}) {
        ben().handle_message(now_, PeerId::from_number(9), mail.bytes);
        ben().handle_message(now_, kBen, mail.bytes);
        ben().handle_message(now_, kCem, mail.bytes);  // the witness makes no offers
    }
    EXPECT_EQ(ben().rejected(), before + 3 * old_.size());
    TradePacket forged{.kind = TradeKind::unknown, .name = decode(old_.back().bytes)->name};
    ben().handle_message(now_, PeerId::from_number(9), encode(forged));
    EXPECT_TRUE(ben().accept(now_, trade)) << "a stranger cannot take it back";
}

TEST_F(Desks, AStrangerCannotFillAWitness) {
    const PeerId stranger = PeerId::from_number(9);
    for (std::uint64_t i = 1; i <= 10'000; ++i) {
        const TradeName name{.id = {stranger, i}, .key = i, .partner = kBen, .witness = kCem};
        cem().handle_message(
            now_, stranger,
            encode(TradePacket{.kind = TradeKind::vote, .name = name, .give = {{kSword, 1}}}));
    }
    EXPECT_EQ(cem().remembered(), kMostPerPeer);
    ASSERT_TRUE(ben().accept(now_, propose()));
    settle();
    EXPECT_EQ(commits(), 3U) << "others are served all the same";
}

/// Every peer starts recovery before an answer can arrive; each promise arrives long after the next request
/// was sent.
TEST_F(Desks, DecideThoughTheyAskAgainFarFasterThanAnswersCome) {
    for (const bool witness_is_there : {true, false}) {
        decided_.clear();
        delay_ = 0s;
        open_all({.vote = 10ms, .doubt = 10ms, .resend = 1ms});
        const TradeId trade = propose();
        delay_ = 700ms;
        lost_ = [=](const Mail& mail) { return !witness_is_there && (mail.to == kCem || mail.from == kCem); };
        ASSERT_TRUE(ben().accept(now_, trade));
        pass(60s, 1ms);
        EXPECT_EQ(ada().undecided() + ben().undecided(), 0U) << witness_is_there;
        EXPECT_EQ(decided_.size(), witness_is_there ? 3U : 2U);
        mail_.clear();
    }
}

TEST_F(Desks, AFullBagTakesMoreOfWhatItHolds) {
    Items all;
    for (std::uint64_t i = 1; i <= kMostItems; ++i) all.push_back({ItemId{i}, 1});
    ASSERT_TRUE(ada().remove({{kSword, 1}}));
    ASSERT_TRUE(ada().add(all));
    EXPECT_FALSE(ada().add({{ItemId{kMostItems + 1}, 1}})) << "full";
    EXPECT_TRUE(ada().add({{kSword, 5}}));
    const TradeId trade = propose({kBen, kCem, {{kSword, 1}}, {{kGold, 50}}});
    ASSERT_TRUE(ben().accept(now_, trade));
    lost_ = [](const Mail& mail) { return mail.to == kCem; };
    settle();
    ASSERT_TRUE(ada().add({{kSword, 1}}));
    EXPECT_TRUE(TradeDesk::reopen(now_, kAda, ada().poll_journal().value())) << "bound and full";
    lost_ = nullptr;
    pass(2s);
    EXPECT_EQ(ada().owned(kGold), 51U);
    ASSERT_TRUE(ada().remove({{ItemId{1}, 1}}));
    const TradeId another = propose({kBen, kCem, {}, {{ItemId{kMostItems + 1}, 1}}});
    EXPECT_FALSE(ada().add({{ItemId{kMostItems + 2}, 1}})) << "the last place is promised";
    EXPECT_TRUE(ada().add({{ItemId{kMostItems + 1}, 1}})) << "to the same";
    EXPECT_TRUE(ada().refuse(another));
}

TEST_F(Desks, WhoNeverReturnsCanBeForgotten) {
    lost_ = [](const Mail& mail) { return mail.to == kCem && kind(mail) == TradeKind::decided; };
    ASSERT_TRUE(ben().accept(now_, propose()));
    lost_ = [](const Mail& mail) { return mail.from == kAda || mail.to == kAda; };
    pass(60s);
    EXPECT_EQ(ben().remembered(), 1U) << "Ada may still want to know";
    ASSERT_TRUE(ben().forget(kAda));
    ASSERT_TRUE(cem().forget(kAda));
    pass(60s);
    EXPECT_EQ(ben().remembered() + cem().remembered(), 0U);
    EXPECT_FALSE(ben().propose(now_, {kAda, kCem, {{kGold, 1}}, {}}));
}

TEST_F(Desks, AJournalThatIsCutDamagedOrAnothersIsRefused) {
    ASSERT_TRUE(ben().accept(now_, propose()));
    const std::vector<std::uint8_t> journal = *ben().poll_journal();
    EXPECT_TRUE(TradeDesk::reopen(now_, kBen, journal));
    EXPECT_FALSE(TradeDesk::reopen(now_, kAda, journal));
    for (std::size_t cut = 0; cut < journal.size(); ++cut) {
        EXPECT_FALSE(TradeDesk::reopen(now_, kBen, std::span{journal}.first(cut))) << cut;
    }
    for (std::size_t i = 0; i < journal.size() * 8; ++i) {
        std::vector<std::uint8_t> flipped = journal;
        flipped[i / 8] = static_cast<std::uint8_t>(flipped[i / 8] ^ (1U << (i % 8)));
        EXPECT_FALSE(TradeDesk::reopen(now_, kBen, flipped)) << i;
    }
    auto impossible = decode_journal(journal, kBen).value();
    impossible.items = {{kGold, 49}};  // less than is locked
    EXPECT_FALSE(TradeDesk::reopen(now_, kBen, encode(impossible)));
}

TEST_F(Desks, OptionsThatCannotBeAreRefused) {
    EXPECT_FALSE(TradeDesk::open_new(now_, kAda, Seed{1}, {.resend = 0s}));
    EXPECT_FALSE(TradeDesk::open_new(now_, kAda, Seed{1}, {.offer = 2h}));
    EXPECT_FALSE(TradeDesk::open_new(now_, kAda, Seed{1}, {.vote = -1s}));
    EXPECT_FALSE(TradeDesk::open_new(now_, kAda, Seed{1}, {.doubt = 1h}));
}

}  // namespace
}  // namespace fray::test
