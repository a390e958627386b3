// Late copies of messages of a finished trade, to desks that no longer know it.

#include "support/three_desks.hpp"
#include "trade/trade_journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace fray::test {
namespace {

/// A trade, and then so many others that no desk remembers it. Its messages are in old_.
class LateCopies : public Desks {
protected:
    LateCopies() {
        EXPECT_TRUE(ben().accept(now_, propose()));
        settle();
        EXPECT_EQ(commits(), 3U);
        copies_ = old_;
        for (std::size_t i = 0; i < kMostClosed + 1; ++i) {
            EXPECT_TRUE(ada().add({{kSword, 1}}));
            EXPECT_TRUE(ben().accept(now_, propose(sword_for_gold(0)))) << "a gift";
            settle();
        }
        EXPECT_TRUE(ada().add({{kSword, 1}}));
        settle();
        adas_ = ada().items();
        bens_ = ben().items();
        decided_.clear();
        offers_.clear();
    }
    void deliver(const std::function<bool(const Mail&)>& which) {
        for (const Mail& copy : copies_) {
            if (which(copy)) desk(copy.to).handle_message(now_, copy.from, copy.bytes);
        }
        settle();
        for (const TradeOffered& ghost : std::exchange(offers_, {})) (void)ben().accept(now_, ghost.trade);
        settle();
    }
    void expect_nothing_happened() {
        EXPECT_EQ(ada().items(), adas_);
        EXPECT_EQ(ben().items(), bens_);
        for (const auto& [who, decided] : decided_) {
            EXPECT_TRUE(who == kCem || !decided.committed) << "a witness may note an old outcome, a side not";
        }
        EXPECT_EQ(ada().undecided() + ben().undecided() + cem().witnessing(), 0U);
        EXPECT_EQ(ben().free(kGold), ben().owned(kGold));
    }

    std::vector<Mail> copies_;
    Items adas_, bens_;
};

TEST_F(LateCopies, OfEverythingMakeNothingHappenAgain) {
    for (int round = 0; round < 3; ++round) {
        deliver([](const Mail&) { return true; });
        pass(5s);
    }
    pass(60s);
    expect_nothing_happened();
}

/// The worst combination: Ben accepts the old offer again while Ada is away and cannot object, and her old
/// vote reaches the witness.
TEST_F(LateCopies, OfAnOfferAndAVoteMakeNothingHappenAgain) {
    lost_ = [](const Mail& mail) { return mail.to == kAda; };
    deliver([](const Mail& mail) { return kind(mail) == TradeKind::offer; });
    ASSERT_EQ(ben().undecided(), 1U) << "he agreed";
    deliver([](const Mail& mail) { return kind(mail) == TradeKind::vote && mail.from == kAda; });
    pass(60s);
    expect_nothing_happened();
    lost_ = nullptr;
    pass(60s);
    expect_nothing_happened();
}

/// Neither the witness nor the sides know the trade any more, and one side may be away. Whatever the witness
/// concludes from the copy, it must not report a committed trade as aborted.
TEST_F(LateCopies, DoNotMakeAWitnessShowAnOutcomeThatWasNot) {
    for (const TradeKind which : {TradeKind::vote, TradeKind::decided}) {
        for (const PeerId& away : {PeerId{}, kAda, kBen}) {
            for (const PeerId& author : {kAda, kBen}) {
                lost_ = [=](const Mail& mail) { return mail.to == away || mail.from == away; };
                deliver([=](const Mail& mail) {
                    return kind(mail) == which && mail.from == author && mail.to == kCem;
                });
                pass(60s);
                EXPECT_TRUE(
                    std::ranges::all_of(decided_, [](const auto& entry) { return entry.second.committed; }))
                    << static_cast<int>(which) << ", " << away.number() << " is away, by " << author.number();
                lost_ = nullptr;
                pass(60s);
                EXPECT_EQ(cem().remembered(), 0U);
                expect_nothing_happened();
                decided_.clear();
            }
        }
    }
}

/// To a witness that has forgotten the trade, an accept of a ballot that lost looks like a decision.
TEST_F(LateCopies, OfABallotThatWasOvertakenAreNoOutcome) {
    TradePacket stale = *decode(copies_.back().bytes);
    stale.kind = TradeKind::accept;
    stale.ballot = 1;
    stale.commit = false;
    tell(kCem, kAda, stale);
    pass(60s);
    EXPECT_TRUE(decided_.empty());
    expect_nothing_happened();
    EXPECT_EQ(cem().remembered(), 0U);
}

TEST_F(Desks, AWitnessIsToldWhatTheSidesDecidedThoughOneNeverVoted) {
    const TradeId trade = propose();
    lost_ = [](const Mail& mail) { return mail.from == kBen && mail.to == kAda; };
    ASSERT_TRUE(ben().accept(now_, trade));
    settle();
    ASSERT_TRUE(ada().refuse(trade));
    lost_ = nullptr;
    pass(60s);
    EXPECT_EQ(decided_.size(), 3U);
    EXPECT_EQ(commits(), 0U);
    EXPECT_EQ(ada().remembered() + ben().remembered() + cem().remembered(), 0U);
}

}  // namespace
}  // namespace fray::test
