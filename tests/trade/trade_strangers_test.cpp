// What any peer can send to a desk in its own name, about invented trades.

#include "support/three_desks.hpp"
#include "trade/trade_journal.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace fray::test {
namespace {

constexpr PeerId kXia = PeerId::from_number(9);
constexpr PeerId kNobody = PeerId::from_number(1000);

TradePacket vote(const TradeName& name) {
    return {.kind = TradeKind::vote, .name = name, .give = {{kSword, 1}}};
}

class Strangers : public Desks {
protected:
    /// As many votes as that peer finds room for at Cem's, for trades with a peer that does not exist.
    void crowd(const PeerId& stranger) {
        for (std::uint64_t i = 1; i <= 2 * kMostPerPeer; ++i) {
            tell(kCem, stranger, vote({{stranger, i}, i, kNobody, kCem}));
        }
    }
};

TEST_F(Strangers, MayCallTradesAlikeAndTheJournalCanStillBeRead) {
    for (const PeerId& partner : {kAda, kBen, kNobody}) {
        tell(kCem, kXia, vote({{kXia, 8}, 5, partner, kCem}));
    }
    ASSERT_EQ(cem().remembered(), 3U);
    const auto journal = cem().poll_journal();
    ASSERT_TRUE(journal);
    auto back = TradeDesk::reopen(now_, kCem, *journal);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->remembered(), 3U);
    auto twice = decode_journal(*journal, kCem).value();
    twice.trades.push_back(twice.trades.front());
    EXPECT_FALSE(TradeDesk::reopen(now_, kCem, encode(twice))) << "but none can be there twice";
}

TEST_F(Strangers, LeaveRoomForOwnTradesAndDoNotKeepAWitnessFromLeaving) {
    for (std::uint64_t i = 0; i < 2 * kMostTrades / kMostPerPeer; ++i) crowd(PeerId::from_number(100 + i));
    EXPECT_EQ(cem().remembered(), kMostWitnessed);
    pass(60s);
    EXPECT_EQ(cem().undecided(), 0U) << "none of it is Cem's own";
    EXPECT_EQ(cem().witnessing(), kMostOneSided) << "the rest is free again";
    ASSERT_TRUE(cem().add({{kSword, 1}}));
    const auto own = cem().propose(now_, {kBen, kAda, {{kSword, 1}}, {}});
    ASSERT_TRUE(own) << own.error().message;
    settle();
    ASSERT_TRUE(ben().accept(now_, *own));
    settle();
    EXPECT_EQ(commits(), 3U);
}

/// Ten peers that send votes for invented trades all the time do not keep a witness from its work.
TEST_F(Strangers, CannotFillTheWitnessHoweverLongTheyGoOn) {
    const auto crowd_all = [&] {
        for (std::uint64_t i = 0; i < 10; ++i) crowd(PeerId::from_number(100 + i));
    };
    crowd_all();
    ASSERT_EQ(cem().witnessing(), kMostWitnessed) << "or there is no crowd";
    for (int minute = 0; minute < 120; ++minute) {
        pass(60s);
        crowd_all();
    }
    ASSERT_EQ(cem().witnessing(), kMostWitnessed);
    const TradeId id = propose();
    ASSERT_TRUE(ben().accept(now_, id));
    settle();
    EXPECT_EQ(commits(), 3U);
    EXPECT_LE(cem().witnessing(), kMostWitnessed);
    pass(60s);
    EXPECT_EQ(cem().witnessing(), 10 * kMostOneSidedPerPeer);
}

/// A ballot is recorded as well as a vote that was not answered.
TEST_F(Strangers, CannotHaveMorePromisesRecordedThanTheirShare) {
    for (std::uint64_t i = 1; i <= kMostPerPeer; ++i) {
        const TradeName name{{kXia, i}, i, kNobody, kCem};
        tell(kCem, kXia, {.kind = TradeKind::prepare, .name = name, .ballot = 1});
    }
    EXPECT_EQ(cem().remembered(), kMostPerPeer);
    pass(10s);
    EXPECT_EQ(cem().remembered(), kMostOneSidedPerPeer);
}

/// Two peers of one player vote for each other's trades and never acknowledge a decision.
TEST_F(Strangers, ThatVoteForEachOtherUseTheSharesOfBoth) {
    std::uint64_t number = 0;
    for (std::uint64_t i = 0; i < 10; i += 2) {
        const PeerId one = PeerId::from_number(100 + i);
        const PeerId two = PeerId::from_number(101 + i);
        for (std::uint64_t k = 0; k < 2 * kMostPerPeer; ++k) {
            const TradeName name{{k % 2 == 0 ? one : two, ++number}, number, k % 2 == 0 ? two : one, kCem};
            tell(kCem, one, vote(name));
            tell(kCem, two, vote(name));
        }
    }
    pass(600s);
    EXPECT_GT(cem().witnessing(), 0U);
    EXPECT_LE(cem().witnessing(), 5 * kMostPerPeer);
}

TEST_F(Strangers, WriteNoJournalWithOffersThatTheyWithdraw) {
    std::size_t sent = 0;
    std::size_t written = 0;
    for (std::uint64_t i = 1; i <= 200; ++i) {
        TradePacket packet{
            .kind = TradeKind::offer, .name = {{kXia, i}, 0, kBen, kCem}, .give = {{kSword, 1}}};
        tell(kBen, kXia, packet);
        sent += encode(packet).size();
        packet = {.kind = TradeKind::unknown, .name = packet.name};
        tell(kBen, kXia, packet);
        sent += encode(packet).size();
        if (const auto journal = ben().poll_journal()) written += journal->size();
        while (ben().poll_event()) {
        }
    }
    EXPECT_LE(written, 4 * sent);
    EXPECT_EQ(ben().remembered(), 0U);
}

TEST_F(Strangers, CanBeSeenAndForgottenWithAllThatWasKeptForThem) {
    crowd(kXia);
    ASSERT_EQ(cem().remembered(), kMostPerPeer);
    pass(10s);
    const std::vector<TradeState> kept = cem().trades();
    ASSERT_EQ(kept.size(), kMostOneSidedPerPeer);
    for (const TradeState& trade : kept) {
        EXPECT_EQ(trade.trade.proposer, kXia);
        EXPECT_EQ(trade.partner, kNobody);
        EXPECT_EQ(trade.witness, kCem);
        EXPECT_EQ(trade.role, TradeRole::witness);
        EXPECT_FALSE(trade.decided);
        EXPECT_GE(now_ - trade.since, 10s);
    }
    ASSERT_TRUE(cem().forget(kXia));
    EXPECT_EQ(cem().remembered(), kMostOneSidedPerPeer) << "the partner may still come";
    ASSERT_TRUE(cem().forget(kNobody));
    EXPECT_EQ(cem().remembered(), 0U);
    EXPECT_EQ(cem().poll_wakeup(), kNever);
    decided_.clear();
    settle();
    EXPECT_TRUE(decided_.empty()) << "nobody is left to whom it matters";
}

TEST_F(Strangers, WhoWasForgottenIsNotWaitedForInLaterTrades) {
    ASSERT_TRUE(cem().forget(kBen));
    tell(kCem, kAda, vote({{kAda, 77}, 5, kBen, kCem}));
    tell(kCem, kAda, {.kind = TradeKind::decided, .name = {{kAda, 77}, 5, kBen, kCem}});
    EXPECT_EQ(cem().remembered(), 0U);
}

/// Xia guesses the number of Ada's next trade and takes part in a trade with that name herself.
TEST_F(Strangers, CannotSpoilATradeByTakingPartInOneOfTheSameNumberAndKey) {
    const auto number = propose().number;
    const auto key = 0x100000000U + 1;
    const TradeName fake{{kAda, number}, key, kXia, kCem};
    tell(kCem, kXia, vote(fake));
    tell(kCem, kXia, {.kind = TradeKind::unknown, .name = fake});
    tell(kCem, kAda, {.kind = TradeKind::unknown, .name = fake});
    ASSERT_EQ(cem().remembered(), 0U) << "it is closed";
    // The honest trade with the same number and key.
    const TradeName name{{kAda, number}, key, kBen, kCem};
    tell(kCem, kAda, vote(name));
    tell(kCem, kBen, vote(name));
    (void)cem().poll_journal();
    bool commits = false;
    while (const auto message = cem().poll_message()) {
        const auto packet = decode(message->bytes);
        commits = commits || (packet->kind == TradeKind::accept && packet->name == name && packet->commit);
    }
    EXPECT_TRUE(commits);
}

/// Xia is witness of a trade of Ada's in which Ben is the witness: Ben has witnessed it, and is then offered
/// a trade with the same number himself.
TEST_F(Strangers, CannotSpoilAnOfferByATradeOfItsNumberThatWeWatched) {
    const TradeName watched{{kAda, 55}, 6, kXia, kBen};
    tell(kBen, kXia, vote(watched));
    tell(kBen, kXia, {.kind = TradeKind::decided, .name = watched, .heard = true});
    tell(kBen, kAda, {.kind = TradeKind::unknown, .name = watched});
    ASSERT_EQ(ben().remembered(), 0U) << "it is closed";
    tell(kBen, kAda, {.kind = TradeKind::offer, .name = {{kAda, 55}, 0, kBen, kCem}, .give = {{kSword, 1}}});
    EXPECT_EQ(ben().undecided(), 1U);
}

TEST_F(Strangers, CannotGuessNumbersThoughNoTwoAreAlike) {
    std::set<std::uint64_t> numbers;
    std::set<std::uint64_t> steps;
    std::uint64_t before = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto trade = ada().propose(now_, sword_for_gold());
        ASSERT_TRUE(trade);
        ASSERT_TRUE(ada().refuse(*trade));
        numbers.insert(trade->number);
        steps.insert(trade->number - before);
        before = trade->number;
    }
    EXPECT_EQ(numbers.size(), 2000U);
    EXPECT_GT(steps.size(), 1990U);
    ASSERT_TRUE(ada().add({{kSword, 1}}));
    auto back = TradeDesk::reopen(now_, kAda, ada().poll_journal().value()).value();
    EXPECT_FALSE(numbers.contains(back.propose(now_, sword_for_gold())->number));
    auto other = TradeDesk::open_new(now_, kAda, Seed{99}).value();
    ASSERT_TRUE(other.add({{kSword, 1}}));
    EXPECT_FALSE(numbers.contains(other.propose(now_, sword_for_gold())->number)) << "another seed";
}

/// A message without news must not cause a write to the disk.
TEST_F(Strangers, WhoRepeatWhatIsKnownCauseNoJournal) {
    const TradeName name{{kXia, 8}, 5, kBen, kCem};
    const std::vector<TradePacket> repeated{
        vote(name),
        {.kind = TradeKind::vote, .name = name, .give = {{kSword, 2}}},
        {.kind = TradeKind::prepare, .name = name, .ballot = 1},
    };
    for (const TradePacket& packet : repeated) {
        tell(kCem, kXia, packet);
        (void)cem().poll_journal();
        tell(kCem, kXia, packet);
        EXPECT_FALSE(cem().poll_journal()) << static_cast<int>(packet.kind);
    }
    tell(kCem, kXia, {.kind = TradeKind::decided, .name = name});
    (void)cem().poll_journal();
    for (const TradeKind kind : {TradeKind::decided, TradeKind::unknown}) {
        tell(kCem, kXia, {.kind = kind, .name = name});
        EXPECT_FALSE(cem().poll_journal()) << static_cast<int>(kind);
    }
}

}  // namespace
}  // namespace fray::test
