// Late copies of what was said in a trade that is over, to desks that no longer know of it.

#include "consistency/trade_journal.hpp"
#include "support/three_desks.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

namespace fray::test {
namespace {

/// A trade, and then so many others that no desk remembers its name. Its messages are in old_.
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

/// The worst that can come together: Ben agrees to the old offer anew while Ada is away and cannot object,
/// and her old vote reaches the witness.
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

}  // namespace
}  // namespace fray::test
