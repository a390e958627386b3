// What holds for every update policy. A new one adds its line at the end.

#include <fray/random.hpp>

#include "interest/broadcast.hpp"
#include "interest/focus_set.hpp"
#include "interest/nearest.hpp"
#include "interest/random_choice.hpp"
#include "support/allocations.hpp"
#include "support/lone_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fray {
namespace {

struct PolicyCase {
    std::string name;
    /// What to do with an update that is longer than the budget of a frame: send it alone, or, as published
    /// for pSense, never exceed the budget.
    enum class TooLong : std::uint8_t { alone, never } too_long;
    std::function<std::unique_ptr<UpdatePolicy>(Seed seed)> make;
};

using TooLong = PolicyCase::TooLong;

/// What identifies a candidate within a frame.
using Key = std::pair<LinkNumber, std::uint16_t>;
Key key_of(const Candidate& c) { return {c.link, c.primary}; }

/// By definition: each copy of an update carries the names of all its named receivers.
std::size_t cost(std::span<const Candidate> chosen) {
    std::map<std::uint16_t, std::size_t> named;
    for (const Candidate& c : chosen) named[c.update] += c.named ? 1 : 0;
    std::size_t sum = 0;
    for (const Candidate& c : chosen) sum += c.bytes + c.per_copy * named[c.update];
    return sum;
}

/// Grouped by link, as overlays offer them; then forwards.
std::vector<Candidate> any_candidates(RandomStream& random, bool with_names) {
    std::vector<Candidate> all;
    const std::uint16_t links = static_cast<std::uint16_t>(random.below(20));
    const std::uint16_t primaries = static_cast<std::uint16_t>(1 + random.below(4));
    const auto add = [&](LinkNumber link, std::uint16_t primary, std::uint16_t update) {
        all.push_back(
            {.link = link,
             .primary = primary,
             .distance = random.chance(0.2) ? kDistanceUnknown : static_cast<float>(random.uniform() * 3),
             .bytes = static_cast<std::uint16_t>(20 + random.below(200)),
             .update = update,
             .per_copy = static_cast<std::uint16_t>(with_names ? 4 : 0),
             .named = random.chance(0.8),
             .is_help = primary >= kForwards && random.chance(0.5)});
    };
    for (LinkNumber link = 0; link < links; ++link) {
        for (std::uint16_t p = 0; p < primaries; ++p) add(link, p, p);
    }
    const std::uint32_t forwards = random.below(30);
    for (std::uint16_t f = 0; links != 0 && f < forwards; ++f) {
        add(static_cast<LinkNumber>(random.below(links)), static_cast<std::uint16_t>(kForwards + f),
            static_cast<std::uint16_t>(kForwards + f / 3));
    }
    return all;
}

/// `links` links with `primaries` entities each, the first ones nearest.
std::vector<Candidate> grid(LinkNumber links, std::uint16_t primaries, std::uint16_t bytes) {
    std::vector<Candidate> all;
    for (LinkNumber link = 0; link < links; ++link) {
        for (std::uint16_t p = 0; p < primaries; ++p) {
            all.push_back({.link = link,
                           .primary = p,
                           .distance = 0.1F * static_cast<float>(link + p),
                           .bytes = bytes,
                           .update = p});
        }
    }
    return all;
}

class AnyPolicy : public testing::TestWithParam<PolicyCase> {
protected:
    std::unique_ptr<UpdatePolicy> policy_ = GetParam().make(Seed{3});

    static bool sends_too_long() { return GetParam().too_long == TooLong::alone; }
    /// How often each candidate was chosen.
    std::map<Key, int> serve(const std::vector<Candidate>& offered, std::size_t budget, int frames) {
        std::map<Key, int> served;
        for (int frame = 0; frame < frames; ++frame) {
            std::vector<Candidate> all = offered;
            policy_->begin_frame(Instant{frame * 50ms});
            const std::size_t chosen = policy_->choose(all, budget);
            for (const Candidate& c : std::span{all}.first(chosen)) ++served[key_of(c)];
        }
        return served;
    }
};

TEST_P(AnyPolicy, ChoosesAmongTheOfferedAndKeepsToTheBudget) {
    RandomStream random{Seed{5}, "offers"};
    int cut = 0;
    for (int frame = 0; frame < 2000; ++frame) {
        std::vector<Candidate> all = any_candidates(random, frame % 2 == 0);
        std::vector<Key> offered;
        for (const Candidate& c : all) offered.push_back(key_of(c));
        const std::size_t budget = random.below(6000);
        const std::size_t total = cost(all);
        const std::size_t chosen = policy_->choose(all, budget);
        ASSERT_LE(chosen, all.size());
        std::vector<Key> after;
        for (const Candidate& c : all) after.push_back(key_of(c));
        ASSERT_TRUE(std::ranges::is_permutation(offered, after));
        if (total <= budget) {
            ASSERT_EQ(chosen, all.size()) << "there is room for all";
        } else if (chosen != 1 || !sends_too_long()) {
            ASSERT_LE(cost(std::span{all}.first(chosen)), budget) << frame;
        }
        if (sends_too_long() && budget != 0 && !all.empty()) {
            ASSERT_GE(chosen, 1U);
        }
        cut += chosen < all.size() ? 1 : 0;
    }
    EXPECT_GT(cut, 500);
}

TEST_P(AnyPolicy, ChoosesNothingWhereNothingIsOfferedOrAllowed) {
    std::vector<Candidate> none;
    EXPECT_EQ(policy_->choose(none, 1000), 0U);
    std::vector<Candidate> some = grid(3, 2, 50);
    EXPECT_EQ(policy_->choose(some, 0), 0U);
    EXPECT_EQ(policy_->choose(some, 1000), 6U);
}

TEST_P(AnyPolicy, StarvesNoLinkAndNoEntity) {
    for (const auto& [links, primaries] : {std::pair{20, 1}, {1, 20}, {5, 4}}) {
        policy_ = GetParam().make(Seed{3});
        const auto offered = grid(static_cast<LinkNumber>(links), static_cast<std::uint16_t>(primaries), 100);
        const auto served = serve(offered, 350, 600);  // three of twenty per frame
        EXPECT_EQ(served.size(), 20U) << links << " links with " << primaries << " entities each";
        for (const auto& [key, times] : served)
            EXPECT_GT(times, 20) << "link " << key.first << ", entity " << key.second;
    }
}

TEST_P(AnyPolicy, SendsWhatIsLongerThanAnyFrameWherePromisedAndTheOthersAnyway) {
    for (const LinkNumber links : {LinkNumber{1}, LinkNumber{4}}) {
        policy_ = GetParam().make(Seed{3});
        std::vector<Candidate> offered = grid(links, 4, 50);
        for (Candidate& c : offered) c.bytes = c.primary == 2 ? 4000 : 50;
        const auto served = serve(offered, 500, 2000);
        const auto too_long = std::ranges::count(offered, 4000, &Candidate::bytes);
        EXPECT_EQ(served.size(),
                  offered.size() - (sends_too_long() ? 0 : static_cast<std::size_t>(too_long)));
        for (const auto& [key, times] : served)
            EXPECT_GT(times, 10) << "link " << key.first << ", entity " << key.second;
    }
}

TEST_P(AnyPolicy, CountsAnUpdateThatDidNotLeaveAsNotSent) {
    for (const std::uint16_t primaries : {std::uint16_t{1}, std::uint16_t{3}}) {
        policy_ = GetParam().make(Seed{3});
        std::map<Key, int> sent;
        for (int frame = 0; frame < 1000; ++frame) {
            std::vector<Candidate> all = grid(10, primaries, 100);
            const std::size_t chosen = policy_->choose(all, 600);
            ASSERT_EQ(chosen, 6U);
            // The upload reached the first two links. As in the session: resume() is called once for each
            // other link, with the first of its updates, last link first.
            std::vector<LinkNumber> order;
            for (const Candidate& c : std::span{all}.first(chosen)) {
                if (std::ranges::find(order, c.link) == order.end()) order.push_back(c.link);
                if (std::ranges::find(order, c.link) - order.begin() < 2) ++sent[key_of(c)];
            }
            for (std::size_t i = order.size(); i > 2; --i) {
                const auto first = std::ranges::find(all, order[i - 1], &Candidate::link);
                policy_->resume(first->link, first->primary);
            }
        }
        EXPECT_EQ(sent.size(), 10U * primaries) << "an update that always came late would wait for ever";
    }
}

TEST_P(AnyPolicy, GoesOnWhenLinksComeAndGo) {
    RandomStream random{Seed{6}, "links"};
    std::map<LinkNumber, int> served;
    std::vector<bool> up(12, true);
    for (int frame = 0; frame < 3000; ++frame) {
        const LinkNumber changed = static_cast<LinkNumber>(random.below(12));
        up[changed] = !up[changed];
        if (up[changed])
            policy_->handle_link_up(Instant{}, {.link = changed, .contact = {}});
        else
            policy_->handle_link_down(Instant{}, {.link = changed, .contact = {}, .reason = Reason::left});
        if (!up[changed]) policy_->forget_link(changed);
        std::vector<Candidate> all = grid(12, 2, 100);
        std::erase_if(all, [&](const Candidate& c) { return !up[c.link]; });
        const std::size_t chosen = policy_->choose(all, 400);
        for (const Candidate& c : std::span{all}.first(chosen)) ++served[c.link];
    }
    EXPECT_EQ(served.size(), 12U);
    for (const auto& [link, times] : served) EXPECT_GT(times, 200) << link;
    policy_->reset();
    std::vector<Candidate> all = grid(12, 1, 100);
    EXPECT_EQ(policy_->choose(all, 400), 4U);
}

TEST_P(AnyPolicy, TheSameSeedChoosesTheSame) {
    const auto run = [&] {
        const auto policy = GetParam().make(Seed{8});
        RandomStream random{Seed{9}, "offers"};
        std::vector<Key> log;
        for (int frame = 0; frame < 300; ++frame) {
            std::vector<Candidate> all = any_candidates(random, true);
            const std::size_t chosen = policy->choose(all, random.below(3000));
            for (const Candidate& c : std::span{all}.first(chosen)) log.push_back(key_of(c));
        }
        return log;
    };
    const auto first = run();
    EXPECT_GT(first.size(), 1000U);
    EXPECT_EQ(first, run());
}

TEST_P(AnyPolicy, AllocatesNothingOnceWarmAndTellsWhatItHolds) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    policy_.reset();
    const std::int64_t held = test::bytes_held();
    policy_ = GetParam().make(Seed{3});
    const std::vector<Candidate> offered = grid(100, 3, 60);
    std::vector<Candidate> all = offered;
    const auto frames = [&](int count) {
        for (int frame = 0; frame < count; ++frame) {
            std::ranges::copy(offered, all.begin());
            policy_->begin_frame(Instant{});
            const std::size_t chosen = policy_->choose(all, 2000);
            ASSERT_GT(chosen, 0U);
            policy_->resume(all[chosen - 1].link, all[chosen - 1].primary);
        }
    };
    frames(50);
    const std::uint64_t before = test::allocations();
    ASSERT_GT(before, 0U) << "nothing is counted";
    frames(200);
    EXPECT_EQ(test::allocations(), before);
    const std::int64_t others =
        static_cast<std::int64_t>((offered.capacity() + all.capacity()) * sizeof(Candidate));
    EXPECT_NEAR(static_cast<double>(policy_->memory_bytes()),
                static_cast<double>(test::bytes_held() - held - others), 256);
}

template <class Made, class... Options>
PolicyCase policy_case(const std::string& name, TooLong too_long, const Options&... options) {
    return {name, too_long, [=](Seed seed) {
                if constexpr (sizeof...(Options) == 0)
                    return std::make_unique<Made>();
                else
                    return std::make_unique<Made>(options..., seed);
            }};
}

/// A policy without links of its own: nothing is told to other peers.
PolicyCase focus_case(const std::string& name, const FocusSet& options) {
    return {name, TooLong::alone, [options](Seed) {
                static test::LonePart lone;
                return std::make_unique<FocusSetPolicy>(lone.context, options);
            }};
}

INSTANTIATE_TEST_SUITE_P(
    Policies, AnyPolicy,
    testing::Values(policy_case<BroadcastPolicy>("broadcast", TooLong::alone),
                    policy_case<NearestPolicy>("nearest", TooLong::alone),
                    policy_case<RandomChoicePolicy>("random_choice", TooLong::never, RandomChoice{}),
                    policy_case<RandomChoicePolicy>("random_choice_forwards_first", TooLong::never,
                                                    RandomChoice{RandomChoice::Drop::forwards_first}),
                    policy_case<RandomChoicePolicy>("random_choice_own_first", TooLong::never,
                                                    RandomChoice{RandomChoice::Drop::own_first}),
                    focus_case("focus_set", FocusSet{}), focus_case("focus_set_paper", FocusSet::paper(0.6F)),
                    focus_case("focus_set_for_all", FocusSet::paper(1))),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fray
