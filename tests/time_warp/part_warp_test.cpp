// Input mode on a small game of parts, against a sequential oracle that keeps a copy of every state.

#include <fray/random.hpp>
#include <fray/time_warp/part_warp.hpp>

#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace fray {
namespace {

/// Walkers on a line. They bump into each other and shoot the next one ahead.
class Walkers {
public:
    struct Part {
        std::int32_t x = 0;
        std::int32_t speed = 0;
        std::int32_t health = 3;
        std::int32_t hits = 0;
        friend bool operator==(const Part&, const Part&) = default;
    };
    struct Message {
        PartNumber walker = 0;
        std::int32_t speed = 0;
        bool shoots = false;
    };
    struct Outcome {
        PartNumber part = 0;
        PartNumber by = 0;
        bool is_death = false;
        friend bool operator==(const Outcome&, const Outcome&) = default;
    };
    using Messages = std::span<const Stamped<Message>>;
    static constexpr std::int32_t kFastest = 3;
    static constexpr std::int32_t kRange = 12;

    explicit Walkers(std::size_t walkers) : parts_(walkers) {
        for (PartNumber i = 0; i < walkers; ++i) parts_[i].x = home(i);
    }
    [[nodiscard]] std::size_t parts() const { return parts_.size(); }
    [[nodiscard]] Part get(PartNumber part) const { return parts_[part]; }
    void set(PartNumber part, const Part& value) { parts_[part] = value; }
    static PartNumber part_of(const Message& message) { return message.walker; }

    template <class At>
    void reach(Tick /*tick*/, Messages /*messages*/, At&& at, PartSet& set) const {
        for (std::size_t i = 0; i < set.size(); ++i) {
            const std::int32_t x = at(set.members()[i]).x;
            for (PartNumber other = 0; other < parts(); ++other)
                if (std::abs(at(other).x - x) <= kRange + 2 * kFastest) set.add(other);
        }
    }
    void step(Tick tick, Messages messages, const PartSet& set) {
        outcomes_.clear();
        for (const auto& message : messages)
            if (set.contains(message.body.walker)) parts_[message.body.walker].speed = message.body.speed;
        // Some walkers stand still for most of the time: parts that do not change.
        for (const PartNumber i : set.members())
            if (i % 3 != 0 || tick % 16 == 0) parts_[i].x += parts_[i].speed;
        for (const PartNumber i : set.members())
            for (const PartNumber other : set.members())
                if (i < other && parts_[i].x == parts_[other].x) bump(i, other);
        for (const auto& message : messages)
            if (message.body.shoots && set.contains(message.body.walker)) shoot(message.body.walker, set);
    }
    [[nodiscard]] std::span<const Outcome> outcomes() const { return outcomes_; }

private:
    static std::int32_t home(PartNumber part) { return static_cast<std::int32_t>(part) * 25; }
    void bump(PartNumber a, PartNumber b) {
        std::swap(parts_[a].speed, parts_[b].speed);
        outcomes_.push_back({a, b, false});
    }
    void shoot(PartNumber shooter, const PartSet& set) {
        const std::int32_t x = parts_[shooter].x;
        const PartNumber* target = nullptr;
        for (const PartNumber& other : set.members())
            if (other != shooter && std::abs(parts_[other].x - x) <= kRange &&
                (target == nullptr || std::abs(parts_[other].x - x) < std::abs(parts_[*target].x - x)))
                target = &other;
        if (target == nullptr) return;
        ++parts_[shooter].hits;
        Part& hit = parts_[*target];
        if (--hit.health == 0) hit = {home(*target), 0, 3, hit.hits};
        outcomes_.push_back({*target, shooter, hit.health == 3});
    }

    std::vector<Part> parts_;
    std::vector<Outcome> outcomes_;
};

using Warp = PartWarp<Walkers>;

constexpr Duration kStep = 10ms;
constexpr std::size_t kWalkers = 40;

std::vector<Walkers::Part> parts_of(const Walkers& game) {
    std::vector<Walkers::Part> parts;
    for (PartNumber i = 0; i < game.parts(); ++i) parts.push_back(game.get(i));
    return parts;
}

/// Executes everything in order, from the tick of a late message on.
class Oracle {
public:
    explicit Oracle(std::size_t walkers) : all_{walkers}, states_{Walkers{walkers}} { all_.add_all(); }
    void add(const Stamp& stamp, const Walkers::Message& message) {
        const auto tick = static_cast<std::size_t>((stamp.at - SessionInstant{}) / kStep);
        messages_[tick].emplace(stamp, message);
        states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(std::min(tick + 1, states_.size())),
                      states_.end());
    }
    const Walkers& at(Tick tick) {
        const auto wanted = static_cast<std::size_t>(tick);
        while (states_.size() <= wanted) {
            std::vector<Stamped<Walkers::Message>> messages;
            for (const auto& [stamp, body] : messages_[states_.size() - 1]) messages.push_back({stamp, body});
            states_.push_back(states_.back());
            states_.back().step(static_cast<Tick>(states_.size()) - 2, messages, all_);
        }
        return states_[wanted];
    }
    /// Outcomes of this tick by part.
    std::vector<Walkers::Outcome> outcomes(Tick tick) {
        const auto of_step = at(tick + 1).outcomes();
        std::vector<Walkers::Outcome> sorted{of_step.begin(), of_step.end()};
        std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) { return a.part < b.part; });
        return sorted;
    }

private:
    PartSet all_;
    std::vector<Walkers> states_;
    std::map<std::size_t, std::map<Stamp, Walkers::Message>> messages_;
};

struct Posted {
    Tick due;  ///< when it arrives
    Stamp stamp;
    Walkers::Message message;
};

/// Messages of all walkers that arrive 0 to 80 ticks late, out of order, some of them twice.
std::vector<Posted> random_messages(std::uint64_t seed, Tick ticks, double rate) {
    RandomStream random{Seed{seed}, "messages"};
    std::vector<Posted> posted;
    std::uint32_t number = 0;
    for (Tick tick = 0; tick < ticks; ++tick)
        for (PartNumber walker = 0; walker < kWalkers; ++walker) {
            if (!random.chance(rate)) continue;
            const Duration within{random.below(10'000)};
            const Stamp stamp{SessionInstant{tick * kStep + within}, {PeerId::from_number(walker), ++number}};
            const Walkers::Message message{walker, static_cast<std::int32_t>(random.below(7)) - 3,
                                           random.chance(0.5)};
            posted.push_back({tick + random.below(81), stamp, message});
            if (random.chance(0.1)) posted.push_back({tick + random.below(81), stamp, message});
        }
    std::stable_sort(posted.begin(), posted.end(), [](auto& a, auto& b) { return a.due < b.due; });
    return posted;
}

/// Runs several engines over the same arrivals and compares each with the oracle.
class Beside {
public:
    explicit Beside(std::vector<PartWarpOptions> options) : oracle_{kWalkers} {
        for (PartWarpOptions& o : options) {
            o.step = kStep;
            warps.emplace_back(Walkers{kWalkers}, o);
        }
        finals.resize(warps.size());
    }
    void play(const std::vector<Posted>& posted, Tick ticks) {
        auto next = posted.begin();
        for (Tick now = 0; now < ticks; ++now) {
            for (; next != posted.end() && next->due <= now; ++next) {
                oracle_.add(next->stamp, next->message);
                for (Warp& warp : warps) ASSERT_NE(warp.add(next->stamp, next->message), Arrival::too_old);
            }
            for (std::size_t i = 0; i < warps.size(); ++i) ASSERT_NO_FATAL_FAILURE(run(i, now));
        }
    }
    /// Final outcomes of each, up to its horizon.
    void expect_final(std::size_t i) {
        std::vector<Warp::Recorded> expected;
        for (Tick tick = 0; tick < warps[i].horizon(); ++tick)
            for (const Walkers::Outcome& outcome : oracle_.outcomes(tick))
                expected.push_back({tick, outcome});
        ASSERT_EQ(finals[i].size(), expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n) {
            EXPECT_EQ(finals[i][n].tick, expected[n].tick);
            EXPECT_EQ(finals[i][n].outcome, expected[n].outcome);
        }
    }
    std::vector<Warp> warps;
    std::vector<std::vector<Warp::Recorded>> finals;
    int compared = 0;

private:
    void run(std::size_t i, Tick now) {
        Warp& warp = warps[i];
        warp.run(now);
        ASSERT_EQ(warp.present(), now);
        if (!warp.is_repairing()) {
            ++compared;
            for (const Tick tick : {now, std::max(warp.horizon(), now - 40), warp.horizon()})
                ASSERT_EQ(warp.state_at(tick), parts_of(oracle_.at(tick)))
                    << "run " << now << ", tick " << tick;
            ASSERT_EQ(parts_of(warp.game()), warp.state_at(now));
        }
        warp.commit(now - 80);
        for (const auto& recorded : warp.take_final()) finals[i].push_back(recorded);
    }
    Oracle oracle_;
};

constexpr auto kCausal = Reexecution::causal;
constexpr auto kWhole = Reexecution::whole;

TEST(PartWarp, CausalAndWholeReexecutionAreEqualToExecutingInOrder) {
    std::size_t deaths = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Beside beside{{{.reexecution = kCausal, .store = Store::undo_log},
                       {.reexecution = kCausal, .store = Store::full_copy},
                       {.reexecution = kWhole, .store = Store::undo_log},
                       {.reexecution = kWhole, .store = Store::full_copy}}};
        ASSERT_NO_FATAL_FAILURE(beside.play(random_messages(seed, 300, 0.001 * (1 + double(seed) * 2)), 300));
        EXPECT_EQ(beside.compared, 4 * 300) << "without a budget every run repairs all";
        for (std::size_t i = 0; i < 4; ++i) {
            ASSERT_NO_FATAL_FAILURE(beside.expect_final(i));
            EXPECT_GT(beside.warps[i].counts().rollbacks, 5U);
            EXPECT_EQ(beside.warps[i].counts().stragglers, beside.warps[0].counts().stragglers);
        }
        EXPECT_LT(beside.warps[0].counts().part_ticks_reexecuted,
                  beside.warps[2].counts().part_ticks_reexecuted);
        EXPECT_EQ(beside.warps[0].counts().part_ticks_reexecuted,
                  beside.warps[1].counts().part_ticks_reexecuted);
        for (const auto& recorded : beside.finals[0]) deaths += recorded.outcome.is_death ? 1 : 0;
    }
    EXPECT_GT(deaths, 10U);
}

TEST(PartWarp, ABudgetChangesWhenARepairIsDoneAndNotItsResult) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Beside beside{{{.reexecution = kCausal, .budget = 120},
                       {.reexecution = kCausal, .budget = 1},
                       {.reexecution = kWhole, .budget = 400}}};
        ASSERT_NO_FATAL_FAILURE(beside.play(random_messages(seed, 300, 0.0005 * (1 + double(seed))), 500));
        EXPECT_GT(beside.compared, 100);
        EXPECT_LT(beside.compared, 3 * 500) << "some repairs took more than one run";
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_FALSE(beside.warps[i].is_repairing()) << "200 ticks after the last message";
            EXPECT_EQ(beside.warps[i].counts().stalled_ticks, 0U);
            ASSERT_NO_FATAL_FAILURE(beside.expect_final(i));
        }
    }
}

Stamp stamp_at(Tick tick, std::uint32_t number) {
    return {SessionInstant{tick * kStep}, {PeerId::from_number(1), number}};
}

TEST(PartWarp, ADeepRollbackIsSpreadOverRunsWhileThePresentAdvances) {
    Warp warp{Walkers{kWalkers}, {.step = kStep, .reexecution = kWhole, .budget = 10 * kWalkers}};
    warp.run(100);
    EXPECT_EQ(warp.add(stamp_at(1, 1), {.walker = 7, .speed = 2}), Arrival::late);
    Tick now = 100;
    int runs = 0;
    do {
        const std::uint64_t before = warp.counts().part_ticks_reexecuted;
        warp.run(++now);
        EXPECT_EQ(warp.present(), now);
        EXPECT_LE(warp.counts().part_ticks_reexecuted - before, 10 * kWalkers);
        ++runs;
    } while (warp.is_repairing());
    EXPECT_EQ(runs, 11) << "110 ticks, 10 in each run";
    EXPECT_EQ(warp.counts().rollbacks, 1U);
    EXPECT_EQ(warp.counts().stalled_ticks, 0U);
    const auto rollbacks = warp.take_rollbacks();
    ASSERT_EQ(rollbacks.size(), 1U);
    EXPECT_EQ(rollbacks[0].depth, 99);
    EXPECT_TRUE(warp.take_rollbacks().empty());
    Warp in_time{Walkers{kWalkers}, {.step = kStep}};
    EXPECT_EQ(in_time.add(stamp_at(1, 1), {.walker = 7, .speed = 2}), Arrival::in_time);
    in_time.run(now);
    EXPECT_EQ(warp.state_at(now), in_time.state_at(now));
    EXPECT_NE(warp.state_at(now), warp.state_at(1));
}

TEST(PartWarp, AllStragglersOfOneRunCauseOneRollback) {
    Warp warp{Walkers{kWalkers}, {.step = kStep}};
    warp.run(50);
    for (const Tick tick : {40, 20, 30})
        EXPECT_EQ(warp.add(stamp_at(tick, 1), {.walker = 1, .speed = 1}), Arrival::late);
    EXPECT_EQ(warp.add(stamp_at(50, 1), {.walker = 1, .speed = 2}), Arrival::in_time);
    warp.run(51);
    EXPECT_EQ(warp.counts().rollbacks, 1U);
    EXPECT_EQ(warp.counts().stragglers, 3U);
    EXPECT_EQ(warp.take_rollbacks().at(0).depth, 30);
    EXPECT_LT(warp.counts().part_ticks_reexecuted, 200U) << "one walker and its neighbours over 31 ticks";
}

TEST(PartWarp, MessagesOutsideTheWindowAreRefusedAndCounted) {
    Warp warp{Walkers{kWalkers}, {.step = kStep, .most_messages = 3, .most_ahead = 10}};
    warp.run(20);
    warp.commit(10);
    ASSERT_EQ(warp.horizon(), 10);
    EXPECT_EQ(warp.add(stamp_at(9, 1), {}), Arrival::too_old);
    EXPECT_EQ(warp.add({SessionInstant::min(), {}}, {}), Arrival::too_old);
    EXPECT_EQ(warp.add(stamp_at(31, 1), {}), Arrival::too_far);
    EXPECT_EQ(warp.add({SessionInstant::max(), {}}, {}), Arrival::too_far);
    EXPECT_EQ(warp.add(stamp_at(15, 1), {.walker = kWalkers}), Arrival::no_part);
    EXPECT_EQ(warp.add(stamp_at(10, 1), {}), Arrival::late);
    EXPECT_EQ(warp.add(stamp_at(10, 1), {}), Arrival::duplicate);
    EXPECT_EQ(warp.add(stamp_at(30, 1), {}), Arrival::in_time);
    EXPECT_EQ(warp.add(stamp_at(20, 1), {}), Arrival::in_time);
    EXPECT_EQ(warp.add(stamp_at(20, 2), {}), Arrival::no_room);
    warp.commit(20);
    EXPECT_EQ(warp.horizon(), 10) << "tick 10 has to be repaired first";
    warp.run(25);
    warp.commit(90);
    EXPECT_EQ(warp.horizon(), 25) << "not beyond the present";
    EXPECT_EQ(warp.add(stamp_at(26, 2), {}), Arrival::in_time) << "old messages made room";
    const PartWarpCounts& counts = warp.counts();
    EXPECT_EQ(counts.too_old, 2U);
    EXPECT_EQ(counts.too_far, 2U);
    EXPECT_EQ(counts.no_part, 1U);
    EXPECT_EQ(counts.duplicates, 1U);
    EXPECT_EQ(counts.no_room, 1U);
    EXPECT_EQ(counts.stragglers, 1U);
}

TEST(PartWarp, ThePresentStallsAtTheWindowAndCatchesUp) {
    Warp warp{Walkers{kWalkers}, {.step = kStep, .window = 30}};
    for (Tick now = 0; now <= 40; ++now) warp.run(now);
    EXPECT_EQ(warp.present(), 30);
    EXPECT_EQ(warp.counts().stalled_ticks, 10U);
    warp.run(40);
    EXPECT_EQ(warp.counts().stalled_ticks, 10U) << "each tick counts once";
    warp.commit(20);
    warp.run(41);
    EXPECT_EQ(warp.present(), 41);
    EXPECT_EQ(warp.counts().stalled_ticks, 10U);
}

TEST(PartWarp, AnInstalledStateContinuesAsIfItHadBeenExecuted) {
    Warp old{Walkers{kWalkers}, {.step = kStep}};
    Warp newcomer{Walkers{kWalkers}, {.step = kStep}};
    for (const Posted& posted : random_messages(1, 200, 0.02)) {
        (void)old.add(posted.stamp, posted.message);
        (void)newcomer.add(posted.stamp, posted.message);
    }
    old.run(150);
    newcomer.run(60);
    newcomer.install(100, old.state_at(100));
    EXPECT_EQ(newcomer.horizon(), 100);
    EXPECT_EQ(newcomer.present(), 100);
    newcomer.run(150);
    EXPECT_EQ(newcomer.state_at(150), old.state_at(150));
    EXPECT_NE(old.state_at(150), old.state_at(100));
    EXPECT_EQ(newcomer.outcomes_since(100).size(), old.outcomes_since(100).size());
    EXPECT_GT(old.outcomes_since(100).size(), 0U);
    EXPECT_EQ(newcomer.add(stamp_at(99, 1), {}), Arrival::too_old);
}

TEST(PartWarp, AllocatesNothingAfterWarmUp) {
    if (!test::kCountsAllocations) GTEST_SKIP();
    const auto posted = random_messages(3, 3000, 0.004);
    for (const Reexecution reexecution : {kCausal, kWhole}) {
        Warp warp{Walkers{kWalkers}, {.step = kStep, .reexecution = reexecution}};
        std::uint64_t counted = 0;
        auto next = posted.begin();
        for (Tick now = 0; now < 3000; ++now) {
            const std::uint64_t before = test::allocations();
            for (; next != posted.end() && next->due <= now; ++next)
                (void)warp.add(next->stamp, next->message);
            warp.run(now);
            warp.commit(now - 80);
            if (now >= 1500) counted += test::allocations() - before;
            (void)warp.take_final();
        }
        EXPECT_EQ(counted, 0U);
        EXPECT_GT(warp.counts().rollbacks, 100U);
    }
}

}  // namespace
}  // namespace fray
