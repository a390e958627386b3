#include "ownership/decisions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace fray::test {
namespace {

constexpr Asker kAda{PeerId::from_number(1), 7};
constexpr Asker kBen{PeerId::from_number(2), 7};

Decision decision(const Asker& asker, std::uint32_t number, std::uint32_t previous, std::size_t bytes = 1) {
    return {.asker = asker.peer,
            .incarnation = asker.incarnation,
            .number = number,
            .previous = previous,
            .by = {asker.peer, 0},
            .bytes = std::vector<std::uint8_t>(bytes, 1),
            .reply = {static_cast<std::uint8_t>(number)}};
}

RC_GTEST_PROP(NumberSet, ContainsWhatWasAddedAndNothingElseBelowTheLimit, ()) {
    NumberSet set;
    std::set<std::uint32_t> model;
    const auto ranges = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
        kMaxSpans - 1,
        rc::gen::pair(rc::gen::arbitrary<std::uint8_t>(), rc::gen::inRange<std::uint8_t>(0, 20)));
    for (const auto& [first, more] : ranges) {
        set.add(first, std::uint32_t{first} + more);
        for (std::uint32_t n = first; n <= std::uint32_t{first} + more; ++n) model.insert(n);
    }
    for (std::uint32_t n = 0; n < 300; ++n) RC_ASSERT(set.contains(n) == model.contains(n));
}

TEST(NumberSet, ForgetsTheLowestGapsWhenThereAreTooMany) {
    NumberSet set;
    for (std::uint32_t n = 0; n < 2 * kMaxSpans; ++n) set.add(10 * n, 10 * n);
    EXPECT_EQ(set.spans().size(), kMaxSpans);
    EXPECT_TRUE(set.contains(5)) << "a forgotten gap counts as decided: nothing is decided twice";
    EXPECT_FALSE(set.contains(10 * (2 * kMaxSpans - 1) - 5));
}

TEST(Decisions, AreFoundUntilTheirAskerHasTheReply) {
    Decisions decisions;
    decisions.add(decision(kAda, 100, 99));
    EXPECT_TRUE(decisions.contains(kAda, 100));
    EXPECT_FALSE(decisions.contains({kAda.peer, 8}, 100)) << "another stay of the asker";
    EXPECT_FALSE(decisions.contains(kBen, 100));
    ASSERT_NE(decisions.find(kAda, 100), nullptr);
    EXPECT_EQ(decisions.open_of(kAda), 1U);
    decisions.close(kAda, 101);
    EXPECT_EQ(decisions.open_of(kAda), 0U);
    EXPECT_TRUE(decisions.contains(kAda, 100)) << "it stays decided";
}

TEST(Decisions, KeepAnyNumberOfThemInBoundedMemory) {
    Decisions decisions;
    for (std::uint32_t n = 1; n <= 1000; ++n) {
        decisions.add(decision(kAda, n, n - 1, kMaxRequestBytes));
        decisions.close(kAda, n + 1);
    }
    EXPECT_LT(decisions.heap_bytes(), 3 * Decisions::kHistoryBytes);
    EXPECT_TRUE(decisions.contains(kAda, 1));
    EXPECT_EQ(decisions.find(kAda, 1), nullptr) << "only that it was decided is still known";
    EXPECT_NE(decisions.find(kAda, 1000), nullptr);
}

TEST(Decisions, AcceptNoMoreRequestsOfAnAskerThatDoesNotConfirm) {
    Decisions decisions;
    std::uint32_t n = 1;
    for (; decisions.has_room(kAda) && n < 1000; ++n)
        decisions.add(decision(kAda, n, n - 1, kMaxRequestBytes));
    EXPECT_GT(n, 10U);
    EXPECT_LT(n, 20U);
    EXPECT_TRUE(decisions.has_room(kBen)) << "its share is its own";
    EXPECT_NE(decisions.find(kAda, 1), nullptr) << "an unconfirmed reply is never dropped";
    decisions.close(kAda, n);
    EXPECT_TRUE(decisions.has_room(kAda));
}

TEST(Decisions, AcceptNoMoreRequestsWhenManyAskersDoNotConfirm) {
    Decisions decisions;
    std::uint64_t askers = 1;
    const auto next = [&] { return Asker{PeerId::from_number(askers), 1}; };
    for (; decisions.has_room(next()) && askers < 100; ++askers) {
        for (std::uint32_t n = 1; n <= 4; ++n) decisions.add(decision(next(), n, n - 1, kMaxRequestBytes));
    }
    EXPECT_GT(askers, 10U);
    EXPECT_LT(askers, 20U);
    decisions.close_all({PeerId::from_number(1), 1});
    EXPECT_TRUE(decisions.has_room(next())) << "one of them is gone for good";
}

TEST(Decisions, OfOtherHistoriesAreBoundedAndTakeNoRoomFromAskers) {
    Decisions ours;
    ours.add(decision(kAda, 1, 0));
    Decisions theirs;
    for (std::uint32_t n = 1; n <= 500; ++n) {
        theirs.add(decision({PeerId::from_number(100 + n % 50), 1}, n, n - 1, kMaxRequestBytes));
        theirs.add(decision(kAda, 1000 + n, 999 + n));
    }
    const auto merged = ours.merge(theirs);
    EXPECT_EQ(merged.added.size(), 1000U) << "the game is told of all";
    EXPECT_TRUE(ours.has_room(kAda));
    EXPECT_TRUE(ours.has_room(kBen));
    EXPECT_EQ(ours.open_of(kAda), 1U);
    EXPECT_NE(ours.find(kAda, 1), nullptr) << "what this side decided is kept";
    EXPECT_NE(ours.find(kAda, 1500), nullptr) << "the newest ones, too";
    EXPECT_LT(ours.heap_bytes(), 3 * Decisions::kMaxHeardBytes);
}

/// What a deputy gets from an owner, honest or not.
TEST(Decisions, CostAFewStepsEachHoweverManyThereAre) {
    Decisions decisions;
    std::uint32_t n = 0;
    for (int message = 0; message < 1300; ++message) {
        Record record;
        for (int k = 0; k < 15; ++k, ++n)
            record.decisions.push_back(decision({PeerId::from_number(1 + n % 127), 1}, n + 1, n));
        const std::uint64_t before = decisions.steps();
        decisions.add(record);
        ASSERT_LE(decisions.steps() - before, 15U * 3U) << "message " << message;
    }
    EXPECT_EQ(decisions.list().size(), n) << "all of them are open";
    Record confirmed;
    for (std::uint64_t i = 1; i <= 127; ++i)
        confirmed.askers.push_back({PeerId::from_number(i), 1, n + 1, {}});
    const std::uint64_t before = decisions.steps();
    decisions.add(confirmed);
    EXPECT_LE(decisions.steps() - before, 2U * n) << "each is closed once and dropped once";
    EXPECT_LT(decisions.list().size(), 200U);
}

TEST(Decisions, MergeTellsWhatOnlyTheOtherHistoryDecided) {
    Decisions ours;
    Decisions theirs;
    for (Decisions* both : {&ours, &theirs}) both->add(decision(kAda, 1, 0));
    ours.add(decision(kAda, 2, 1));
    theirs.add(decision(kAda, 2, 1));
    theirs.add(decision(kAda, 3, 2));
    theirs.add(decision(kBen, 50, 49));
    const auto merged = ours.merge(theirs);
    ASSERT_EQ(merged.added.size(), 2U);
    EXPECT_EQ(merged.added[0].number, 3U);
    EXPECT_EQ(merged.added[1].of(), kBen);
    EXPECT_TRUE(merged.complete);
    EXPECT_TRUE(ours.contains(kAda, 3)) << "no owner decides it again";
    EXPECT_TRUE(ours.merge(theirs).added.empty());
}

TEST(Decisions, MergeSaysWhenDetailsWereDropped) {
    Decisions ours;
    Decisions theirs;
    for (std::uint32_t n = 1; n <= 100; ++n) {
        theirs.add(decision(kAda, n, n - 1, kMaxRequestBytes));
        theirs.close(kAda, n + 1);
    }
    const auto merged = ours.merge(theirs);
    EXPECT_FALSE(merged.added.empty());
    EXPECT_FALSE(merged.complete);
    EXPECT_TRUE(ours.contains(kAda, 1));
}

TEST(Records, AreSplitAndReadBackAsTheyWere) {
    Decisions decisions;
    for (std::uint32_t n = 1; n <= 50; ++n) decisions.add(decision(kAda, n, n - 1, kMaxRequestBytes));
    decisions.add(decision(kBen, 9, 3));
    const Record header{.claim = {}, .whole = true, .state = {1, 2, 3}};
    const auto pieces = split_record(header, decisions.askers(), decisions.list());
    ASSERT_GT(pieces.size(), 2U);
    Decisions read_back;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        EXPECT_EQ(pieces[i].whole, i == 0);
        EXPECT_EQ(pieces[i].last, i + 1 == pieces.size());
        std::vector<std::uint8_t> bytes((measure(pieces[i]) + 7) / 8);
        BitWriter out{bytes};
        write(out, pieces[i]);
        ASSERT_LE(out.finish().size(), 64U * 1024U);
        BitReader in{bytes};
        Record record;
        ASSERT_TRUE(read(in, record));
        read_back.add(record);
    }
    EXPECT_EQ(read_back.list().size(), decisions.list().size());
    EXPECT_TRUE(read_back.contains(kBen, 4)) << "numbers between two requests were never asked";
    EXPECT_FALSE(read_back.contains(kBen, 3));
}

}  // namespace
}  // namespace fray::test
