#include "ownership/decisions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace fray::test {
namespace {

constexpr PeerId kAda = PeerId::from_number(1);
constexpr PeerId kBen = PeerId::from_number(2);

Decision decision(const PeerId& asker, std::uint32_t number, std::uint32_t previous, std::size_t bytes = 1) {
    return {.asker = asker,
            .incarnation = 7,
            .number = number,
            .previous = previous,
            .by = {asker, 0},
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
    EXPECT_TRUE(decisions.contains(kAda, 7, 100));
    EXPECT_FALSE(decisions.contains(kAda, 8, 100)) << "another stay of the asker";
    EXPECT_FALSE(decisions.contains(kBen, 7, 100));
    ASSERT_NE(decisions.find(kAda, 7, 100), nullptr);
    EXPECT_EQ(decisions.open_of(kAda, 7), 1U);
    decisions.close(kAda, 7, 101);
    EXPECT_EQ(decisions.open_of(kAda, 7), 0U);
    EXPECT_TRUE(decisions.contains(kAda, 7, 100)) << "it stays decided";
}

TEST(Decisions, KeepAnyNumberOfThemInBoundedMemory) {
    Decisions decisions;
    for (std::uint32_t n = 1; n <= 1000; ++n) {
        decisions.add(decision(kAda, n, n - 1, kMaxRequestBytes));
        decisions.close(kAda, 7, n + 1);
    }
    EXPECT_LT(decisions.heap_bytes(), 3 * Decisions::kHistoryBytes);
    EXPECT_TRUE(decisions.contains(kAda, 7, 1));
    EXPECT_EQ(decisions.find(kAda, 7, 1), nullptr) << "only that it was decided is still known";
    EXPECT_NE(decisions.find(kAda, 7, 1000), nullptr);
}

TEST(Decisions, AcceptNoMoreRequestsWhenAskersDoNotConfirm) {
    Decisions decisions;
    std::uint32_t n = 1;
    for (; decisions.has_room(kAda, 7) && n < 1000; ++n)
        decisions.add(decision(kAda, n, n - 1, kMaxRequestBytes));
    EXPECT_GT(n, 40U);
    EXPECT_LT(n, 80U);
    EXPECT_NE(decisions.find(kAda, 7, 1), nullptr) << "an unconfirmed reply is never dropped";
    decisions.close(kAda, 7, n);
    EXPECT_TRUE(decisions.has_room(kAda, 7));
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
    EXPECT_EQ(merged.added[1].asker, kBen);
    EXPECT_TRUE(merged.complete);
    EXPECT_TRUE(ours.contains(kAda, 7, 3)) << "nobody decides it again";
    EXPECT_TRUE(ours.merge(theirs).added.empty());
}

TEST(Decisions, MergeSaysWhenDetailsWereDropped) {
    Decisions ours;
    Decisions theirs;
    for (std::uint32_t n = 1; n <= 100; ++n) {
        theirs.add(decision(kAda, n, n - 1, kMaxRequestBytes));
        theirs.close(kAda, 7, n + 1);
    }
    const auto merged = ours.merge(theirs);
    EXPECT_FALSE(merged.added.empty());
    EXPECT_FALSE(merged.complete);
    EXPECT_TRUE(ours.contains(kAda, 7, 1));
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
    EXPECT_TRUE(read_back.contains(kBen, 7, 4)) << "numbers between two requests were never asked";
    EXPECT_FALSE(read_back.contains(kBen, 7, 3));
}

}  // namespace
}  // namespace fray::test
