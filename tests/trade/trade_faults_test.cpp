// Trades under loss, duplication, late copies and crashes at counted steps. After each run every item of a
// living player has exactly one owner, all peers that know an outcome know the same one, no commit was shown
// before the witness had it on record, and no lock is held.

#include "support/trade_world.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fray::test {
namespace {

constexpr Instant kEnd{60s};
/// Timeouts prove nothing: in every second run most of them are wrong.
TradeFaults bad(std::uint64_t seed) {
    return {.loss = 0.1,
            .duplication = 0.1,
            .very_late = 0.02,
            .decline = 0.1,
            .hasty = seed % 2 == 0,
            .crashes = {}};
}

struct Totals {
    std::uint64_t proposed = 0, committed = 0, aborted = 0, lost = 0, doubled = 0, crashed = 0, returned = 0;
    void add(const TradeWorld& world) {
        proposed += world.ledger().proposed();
        committed += world.ledger().ended(true);
        aborted += world.ledger().ended(false);
        lost += world.lost();
        doubled += world.doubled();
        crashed += world.crashed();
        returned += world.returned();
    }
};

TEST(TradeFaults, WithoutFaultsEveryTradeCommitsAndIsForgotten) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        TradeWorld world{seed, {}};
        world.propose_all(1);
        world.run_until(kEnd);
        ASSERT_EQ(world.judge(), "") << "seed " << seed;
        ASSERT_EQ(world.ledger().ended(true), 1U) << "seed " << seed;
    }
}

TEST(TradeFaults, LossAndDuplicationAloneCostMessagesAndFewTrades) {
    Totals totals;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        TradeFaults faults = bad(1);
        faults.decline = 0;
        TradeWorld world{seed, faults};
        world.propose_all(1);
        world.run_until(kEnd);
        ASSERT_EQ(world.judge(), "") << "seed " << seed;
        totals.add(world);
    }
    EXPECT_GT(totals.committed, 450U);
    EXPECT_GT(totals.lost, 400U);
    EXPECT_GT(totals.doubled, 400U);
}

/// One trade over one network, crashed at each of its steps in turn, with and without return.
TEST(TradeFaults, ACrashAtEveryStepLeavesOneOwnerAndNoLock) {
    constexpr std::array<std::optional<Duration>, 3> kBack{Duration{20ms}, Duration{5s}, std::nullopt};
    Totals totals;
    std::uint64_t runs = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        TradeWorld clean{seed, bad(seed)};
        clean.propose_all(1);
        clean.run_until(kEnd);
        for (std::uint64_t step = 0; step < clean.steps(); ++step) {
            for (const auto& back : kBack) {
                TradeFaults faults = bad(seed);
                faults.crashes = {{step, back}};
                TradeWorld world{seed, faults};
                world.propose_all(1);
                world.run_until(kEnd);
                ASSERT_EQ(world.judge(), "")
                    << "seed " << seed << ", step " << step << ", " << (back ? millis(*back) : -1);
                EXPECT_EQ(world.crashed(), 1U);
                totals.add(world);
                ++runs;
            }
        }
    }
    EXPECT_EQ(totals.crashed, runs);
    EXPECT_EQ(totals.returned, runs / 3 * 2);
    EXPECT_GT(totals.committed, runs / 4);
    EXPECT_GT(totals.aborted, runs / 20);
}

/// Several trades at once, in which each peer has each role; up to three crashes, one at a time.
TEST(TradeFaults, TenThousandSeedsWithCrashesLeaveOneOwnerAndNoLock) {
    Totals totals;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
        RandomStream random{Seed{seed}, "crashes"};
        TradeFaults faults = bad(seed);
        for (std::uint32_t i = 0, step = 0; i < 1 + seed % 3; ++i) {
            step += random.below(80);
            const bool returns = random.chance(0.6);
            const Duration away = random.chance(0.5) ? Duration{20ms} : Duration{4s};
            faults.crashes.push_back({step, returns ? std::optional{away} : std::nullopt});
        }
        TradeWorld world{seed, faults};
        world.propose_all(1 + seed % 4);
        world.run_until(kEnd);
        ASSERT_EQ(world.judge(), "") << "seed " << seed;
        totals.add(world);
    }
    RecordProperty("proposed", std::to_string(totals.proposed));
    RecordProperty("committed", std::to_string(totals.committed));
    RecordProperty("aborted", std::to_string(totals.aborted));
    RecordProperty("crashed", std::to_string(totals.crashed));
    RecordProperty("returned", std::to_string(totals.returned));
    RecordProperty("lost", std::to_string(totals.lost));
    RecordProperty("doubled", std::to_string(totals.doubled));
    EXPECT_GT(totals.committed, 5000U);
    EXPECT_GT(totals.aborted, 2000U);
    EXPECT_GT(totals.crashed, 9000U);
    EXPECT_GT(totals.returned, 3000U);
    EXPECT_GT(totals.lost, 10'000U);
    EXPECT_GT(totals.doubled, 10'000U);
}

}  // namespace
}  // namespace fray::test
