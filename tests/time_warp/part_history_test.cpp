// The undo log of a game of parts against a naive one: a vector of full copies.

#include <fray/random.hpp>
#include <fray/time_warp/part_history.hpp>

#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace fray {
namespace {

struct Value {
    std::uint64_t number = 0;
    friend bool operator==(const Value&, const Value&) = default;
};

/// states[i] is state number first + i; the last one is the present.
struct NaiveHistory {
    Tick first = 0;
    std::vector<std::vector<Value>> states;
    [[nodiscard]] Tick present() const { return first + static_cast<Tick>(states.size()) - 1; }
    std::vector<Value>& at(Tick tick) { return states[static_cast<std::size_t>(tick - first)]; }
};

class BesideNaive {
public:
    BesideNaive(std::uint64_t seed, std::size_t parts, Store store)
        : random_{Seed{seed}, "history"}, history_{std::vector<Value>(parts), 0, kRows, store} {
        naive_.states.emplace_back(parts);
    }
    void act() {
        const std::uint32_t action = random_.below(20);
        const Tick rows = naive_.present() - naive_.first;
        if (action < 2 && rows > 0)
            rewind(naive_.first + random_.below(static_cast<std::uint32_t>(rows) + 1));
        if (action == 2) forget(naive_.first + random_.below(static_cast<std::uint32_t>(rows) + 1));
        if (action > 2 && action < 6 && rows > 0) patch();
        if (action >= 6 && rows < static_cast<Tick>(kRows)) step();
    }
    void expect_equal() {
        ASSERT_EQ(history_.oldest(), naive_.first);
        ASSERT_EQ(history_.next(), naive_.present());
        for (Tick tick = naive_.first; tick <= naive_.present(); ++tick)
            for (PartNumber part = 0; part < naive_.states[0].size(); ++part)
                ASSERT_EQ(history_.at(tick, part), naive_.at(tick)[part]) << tick << " " << part;
    }
    int rewinds = 0;
    int patches = 0;

private:
    static constexpr std::size_t kRows = 16;

    PartNumber any_part() { return random_.below(static_cast<std::uint32_t>(naive_.states[0].size())); }
    /// Sometimes nearly all parts of the first block change, sometimes few, so that it is kept in both ways.
    void step() {
        if (random_.chance(0.05)) changes_ = random_.below(3) == 0 ? 150 : random_.below(6);
        naive_.states.push_back(naive_.states.back());
        auto row = history_.begin();
        for (std::uint32_t i = 0; i < changes_; ++i) {
            const PartNumber part = i == 0 ? any_part() : any_part() % 64;
            const Value value{random_.next()};
            row.change(part) = value;
            naive_.states.back()[part] = value;
        }
    }
    void rewind(Tick tick) {
        history_.rewind(tick);
        naive_.states.resize(static_cast<std::size_t>(tick - naive_.first) + 1);
        ++rewinds;
    }
    void forget(Tick tick) {
        history_.forget_before(tick);
        naive_.states.erase(naive_.states.begin(), naive_.states.begin() + (tick - naive_.first));
        naive_.first = tick;
    }
    /// As a repair does: a part gets another value from some tick up to another, or up to the present.
    void patch() {
        const PartNumber part = any_part();
        const auto rows = static_cast<std::uint32_t>(naive_.present() - naive_.first);
        const Tick from = naive_.first + random_.below(rows);
        const Tick to = from + random_.below(static_cast<std::uint32_t>(naive_.present() - from) + 1);
        history_.keep(from, part, naive_.at(from)[part]);
        for (Tick tick = from + 1; tick <= to; ++tick) {
            const Value value{random_.next()};
            naive_.at(tick)[part] = value;
            if (tick < naive_.present())
                history_.keep(tick, part, value);
            else
                history_.set_present(part, value);
        }
        ++patches;
    }

    RandomStream random_;
    std::uint32_t changes_ = 3;
    PartHistory<Value> history_;
    NaiveHistory naive_;
};

TEST(PartHistory, AValueIsFoundAtTheTickBeforeItChanged) {
    PartHistory<Value> history{std::vector<Value>(100), 5, 8};
    for (const std::uint64_t number : {10U, 11U, 12U}) {
        auto row = history.begin();
        if (number != 11) row.change(70).number = number;
    }
    EXPECT_EQ(history.next(), 8);
    EXPECT_EQ(history.at(5, 70).number, 0U);
    EXPECT_EQ(history.at(6, 70).number, 10U);
    EXPECT_EQ(history.at(7, 70).number, 10U) << "did not change in tick 6";
    EXPECT_EQ(history.at(8, 70).number, 12U) << "the present";
    EXPECT_EQ(history.at(5, 71).number, 0U);
}

TEST(PartHistory, APartThatChangesTwiceInATickKeepsItsFirstValue) {
    PartHistory<Value> history{std::vector<Value>(3), 0, 8};
    auto row = history.begin();
    row.change(1).number = 1;
    row.change(1).number = 2;
    EXPECT_EQ(history.at(0, 1).number, 0U);
    history.rewind(0);
    EXPECT_EQ(history.present()[1].number, 0U);
}

TEST(PartHistory, AnswersLikeAVectorOfFullCopies) {
    int rewinds = 0;
    int patches = 0;
    for (const Store store : {Store::undo_log, Store::full_copy})
        for (const std::size_t parts : {1U, 40U, 64U, 128U, 200U})
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                BesideNaive both{seed, parts, store};
                for (int i = 0; i < 6000; ++i) {
                    both.act();
                    if (i % 8 != 0) continue;
                    ASSERT_NO_FATAL_FAILURE(both.expect_equal()) << "seed " << seed << ", action " << i;
                }
                rewinds += both.rewinds;
                patches += both.patches;
            }
    EXPECT_GT(rewinds, 500);
    EXPECT_GT(patches, 500);
}

TEST(PartHistory, AllocatesNothingAfterWarmUp) {
    if (!test::kCountsAllocations) GTEST_SKIP();
    constexpr PartNumber kParts = 1000;
    PartHistory<Value> history{std::vector<Value>(kParts), 0, 16};
    RandomStream random{Seed{1}, "allocations"};
    std::uint64_t before = 0;
    for (int i = 0; i < 400; ++i) {
        if (i == 200) before = test::allocations();
        if (i >= 8) history.rewind(history.next() - 7);
        for (int row = 0; row < 8; ++row) {
            auto newest = history.begin();
            for (int n = 0; n < 16; ++n) ++newest.change(random.below(kParts)).number;
            for (PartNumber part = 0; part < 60; ++part) ++newest.change(part).number;
        }
        history.forget_before(history.next() - 8);
    }
    EXPECT_EQ(test::allocations(), before);
    EXPECT_EQ(history.next(), 8 * 8 + 392);
}

}  // namespace
}  // namespace fray
