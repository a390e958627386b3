// What holds for every consistency algorithm. A new one adds its line at the end.

#include <fray/random.hpp>

#include "consistency/showing.hpp"
#include "core/space.hpp"
#include "support/allocations.hpp"
#include "support/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace fray::test {
namespace {

constexpr PeerId kThird = PeerId::from_number(3);
/// The moments to ask for, relative to now; some lie in the future.
constexpr std::array<Duration, 6> kAgo{-5s, -300ms, 0ms, 100ms, 2s, 60s};

struct AlgorithmCase {
    std::string name;
    ConsistencyAlgorithmOptions options;
};

/// A player in a world that wraps: walks and stops by its keys, and sometimes jumps. Its updates arrive a
/// little late, out of order, and some never.
class Player {
public:
    Player(const World& world, std::uint64_t seed) : world_{world}, random_{Seed{seed}, "player"} {}

    /// The update of this moment, as its owner sets it.
    Moment act(Duration when) {
        if (random_.chance(0.2)) keys_ = static_cast<std::uint8_t>(random_.below(4));
        const std::vector<std::uint8_t> input{keys_};
        pose_ = walk(pose_, {}, input, 1);
        if (random_.chance(0.02)) pose_.position.x += 40;
        pose_.position = inside(world_, pose_.position);
        return update(when, pose_, input);
    }
    [[nodiscard]] bool is_lost() { return random_.chance(0.1); }
    [[nodiscard]] Duration delay() { return Duration{20'000 + random_.below(150'000)}; }

private:
    const World& world_;
    RandomStream random_;
    Pose pose_ = moving({95, 5, 0});
    std::uint8_t keys_ = 0;
};

struct Update {
    Duration arrives{};
    Moment moment;
};

/// In order of arrival.
std::vector<Update> play(const World& world, std::uint64_t seed, Duration from, Duration until) {
    Player player{world, seed};
    std::vector<Update> updates;
    for (Duration t = from; t <= until; t += 50ms) {
        Moment moment = player.act(t);
        if (!player.is_lost()) updates.push_back({t + player.delay(), std::move(moment)});
    }
    std::ranges::stable_sort(updates, {}, &Update::arrives);
    return updates;
}

class AnyAlgorithm : public testing::TestWithParam<AlgorithmCase> {
protected:
    AnyAlgorithm() { world_.wrap_x = true; }
    [[nodiscard]] Consistency consistency(Duration horizon = 1s) const {
        return {.algorithm = GetParam().options, .interval = {}, .horizon = horizon};
    }
    [[nodiscard]] std::unique_ptr<ConsistencyAlgorithm> make() const { return make_algorithm(consistency()); }
    [[nodiscard]] Subject subject(Duration horizon = 1s) const {
        return {.world = &world_, .type = {}, .horizon = horizon, .interval = 50ms};
    }
    [[nodiscard]] bool is_inside(const Vec3& p) const {
        const auto within = [](float v, float low, float high) { return v >= low && v <= high; };
        return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) &&
               within(p.x, world_.low.x, world_.high.x) && within(p.y, world_.low.y, world_.high.y) &&
               within(p.z, world_.low.z, world_.high.z);
    }
    [[nodiscard]] static bool has_word_of(const Timeline& timeline, SessionInstant when) {
        for (std::size_t i = 0; i < timeline.size(); ++i) {
            if (timeline[i].when == when) return true;
        }
        return false;
    }
    /// Feeds a player's updates; `after` is called with the timeline after each.
    template <class After>
    void teach(ConsistencyAlgorithm& algorithm, Timeline& timeline, std::uint64_t seed, Duration until,
               const After& after) const {
        for (const Update& update : play(world_, seed, 1s, until)) {
            timeline.add(update.moment);
            algorithm.learn(subject(), timeline, at(update.arrives) - algorithm.remote_lag());
            after(update.arrives);
        }
    }

    World world_ = walkers_world();
};

TEST_P(AnyAlgorithm, IsAValidChoiceWithBoundedLags) {
    ASSERT_TRUE(consistency().check()) << consistency().check().error().message;
    const auto algorithm = make();
    for (const Duration lag : {algorithm->own_lag(), algorithm->remote_lag(), algorithm->blend()}) {
        EXPECT_GE(lag, 0ms);
        EXPECT_LE(lag, kMostLag);
    }
    EXPECT_LE(algorithm->own_lag(), algorithm->remote_lag()) << "the owner never sees it later than others";
    if (!algorithm->optimistic()) {
        EXPECT_TRUE(algorithm->through().has_value()) << "there is no peer to wait for";
    }
}

TEST_P(AnyAlgorithm, ShowsAFinitePoseInsideTheWorldWhateverTheMoment) {
    for (const Duration horizon : {Duration{0}, Duration{300ms}, kMostHorizon}) {
        const auto algorithm = make();
        Timeline timeline;
        int shown = 0;
        teach(*algorithm, timeline, 7, 20s, [&](Duration now) {
            for (const Duration ago : kAgo) {
                const Shown s = algorithm->show(subject(horizon), timeline, at(now - ago));
                ASSERT_TRUE(is_inside(s.pose.position)) << s.pose.position.x << ", " << s.pose.position.y;
                ++shown;
            }
        });
        EXPECT_GT(shown, 1000);
    }
}

TEST_P(AnyAlgorithm, SaysTruthfullyWhichMomentItShowsAndWhichUpdateItRestsOn) {
    for (const Duration horizon : {Duration{0}, Duration{300ms}, kMostHorizon}) {
        const auto algorithm = make();
        Timeline timeline;
        int shown = 0;
        teach(*algorithm, timeline, 8, 20s, [&](Duration now) {
            for (const Duration ago : kAgo) {
                const SessionInstant asked = at(now - ago);
                const Shown s = algorithm->show(subject(horizon), timeline, asked);
                const SessionInstant newest = timeline.newest().when;
                ASSERT_TRUE(has_word_of(timeline, s.told)) << "it rests on an update that came";
                ASSERT_GE(s.moment, timeline[0].when) << "nothing is known from before";
                ASSERT_LE(s.moment, std::max(asked, newest)) << "nothing of the future";
                ASSERT_LE(s.moment, newest + horizon);
                // Between two updates both contribute; after the newest it is extrapolated.
                if (s.moment > newest) {
                    ASSERT_EQ(s.told, newest);
                } else {
                    ASSERT_GE(s.told, s.moment);
                }
                ++shown;
            }
        });
        EXPECT_GT(shown, 1000);
    }
}

TEST_P(AnyAlgorithm, ShowsTheNewestUpdateAsItIs) {
    const auto algorithm = make();
    Timeline timeline;
    int shown = 0;
    teach(*algorithm, timeline, 9, 20s, [&](Duration) {
        const Shown s = algorithm->show(subject(), timeline, timeline.newest().when);
        ASSERT_EQ(s.pose, timeline.newest().pose);
        ASSERT_EQ(s.moment, timeline.newest().when);
        ++shown;
    });
    EXPECT_GT(shown, 200);
}

TEST_P(AnyAlgorithm, ShowsWhatStandsStillWhereItStands) {
    Showing showing{Showing::Whose::others, world_, {}, consistency()};
    const Pose still = moving({50, 50, 0});
    for (Duration t = 1s; t <= 30s; t += 50ms) {
        showing.add_update(at(t), update(t, still, {0}));
        ASSERT_EQ(showing.shown(at(t)).pose.position, still.position);
    }
    EXPECT_EQ(showing.shown(at(40s)).pose.position, still.position);
    EXPECT_EQ(showing.corrections().count, 0U);
}

TEST_P(AnyAlgorithm, TheSameUpdatesShowTheSame) {
    const auto run = [&] {
        const auto algorithm = make();
        Timeline timeline;
        std::vector<Shown> log;
        teach(*algorithm, timeline, 10, 20s, [&](Duration now) {
            log.push_back(algorithm->show(subject(), timeline, at(now)));
            const Shown again = algorithm->show(subject(), timeline, at(now));
            ASSERT_EQ(again.pose, log.back().pose) << "to be shown changes nothing";
        });
        return log;
    };
    const auto first = run();
    const auto second = run();
    ASSERT_GT(first.size(), 200U);
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        ASSERT_EQ(first[i].pose, second[i].pose);
        ASSERT_EQ(first[i].moment, second[i].moment);
        ASSERT_EQ(first[i].told, second[i].told);
    }
}

TEST_P(AnyAlgorithm, InheritsWhatItsKindLearntAndNothingElse) {
    const auto former = make();
    Timeline timeline;
    teach(*former, timeline, 11, 20s, [](Duration) {});
    const SessionInstant ahead = timeline.newest().when + 800ms;
    const Vec3 learnt = former->show(subject(), timeline, ahead).pose.position;
    const auto next = make();
    const Vec3 unlearnt = next->show(subject(), timeline, ahead).pose.position;
    const Adaptive adaptive{};
    for (const ConsistencyAlgorithmOptions& other :
         {ConsistencyAlgorithmOptions{EverQuest{}}, ConsistencyAlgorithmOptions{LocalLag{}},
          ConsistencyAlgorithmOptions{CentralizedSerialization{kThird}},
          ConsistencyAlgorithmOptions{BucketSync{}}, ConsistencyAlgorithmOptions{HalfLife{}},
          ConsistencyAlgorithmOptions{adaptive}}) {
        if (other.index() == GetParam().options.index()) continue;
        const auto stranger = make_algorithm({.algorithm = other});
        Timeline its;
        teach(*stranger, its, 12, 20s, [](Duration) {});
        next->inherit(*stranger);
        EXPECT_EQ(next->show(subject(), timeline, ahead).pose.position, unlearnt) << name_of(other);
    }
    next->inherit(*former);
    EXPECT_EQ(next->show(subject(), timeline, ahead).pose.position, learnt);
}

TEST_P(AnyAlgorithm, OnTheScreenNeverRunsAheadAndLagsAsItSays) {
    for (const auto whose : {Showing::Whose::own, Showing::Whose::others}) {
        Showing showing{whose, world_, {}, consistency()};
        showing.choose(at(0s), consistency());  // no update arrived yet: the algorithm is not called
        ASSERT_TRUE(showing.empty());
        const Duration lag =
            whose == Showing::Whose::own ? showing.algorithm().own_lag() : showing.algorithm().remote_lag();
        int settled = 0;
        for (const Update& update : play(world_, 13, 5s, 20s)) {
            const SessionInstant now = at(update.arrives);
            showing.add_update(now, update.moment);
            const Shown s = showing.shown(now);
            ASSERT_TRUE(is_inside(s.pose.position));
            ASSERT_LE(s.moment, now);
            if (update.arrives < 10s) continue;
            ASSERT_GE(s.moment, std::min(now - lag, showing.timeline().newest().when))
                << "as late as it says";
            ++settled;
        }
        EXPECT_GT(settled, 100);
        showing.forget();
        EXPECT_TRUE(showing.empty());
    }
}

TEST_P(AnyAlgorithm, ToChooseItAgainMovesNothing) {
    Showing showing{Showing::Whose::others, world_, {}, consistency()};
    int chosen = 0;
    for (const Update& update : play(world_, 14, 5s, 20s)) {
        const SessionInstant now = at(update.arrives);
        showing.add_update(now, update.moment);
        const Vec3 before = showing.shown(now).pose.position;
        showing.choose(now, consistency(500ms));
        ASSERT_LT(length(way(world_, before, showing.shown(now).pose.position)), 1e-3F);
        ++chosen;
    }
    EXPECT_GT(chosen, 200);
}

TEST_P(AnyAlgorithm, TellsWhatItLearntAndLearnsABoundedAmount) {
    if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    const auto algorithm = make();
    const std::size_t told_before = algorithm->heap_bytes();
    Timeline timeline;
    std::int64_t learnt = 0;
    RandomStream random{Seed{15}, "keys"};
    for (Duration t = 1s; t <= 120s; t += 50ms) {
        std::vector<std::uint8_t> input(kMaxInputBytes);
        for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.next());
        timeline.add(update(t, moving({50, 50, 0}), input));
        const std::int64_t before = bytes_held();
        algorithm->learn(subject(), timeline, at(t));
        learnt += bytes_held() - before;
    }
    EXPECT_EQ(static_cast<std::int64_t>(algorithm->heap_bytes() - told_before), learnt);
    EXPECT_LT(algorithm->heap_bytes(), 16'384U) << "whatever the owner's keys do";
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, AnyAlgorithm,
    testing::Values(
        AlgorithmCase{"everquest", EverQuest{}},
        AlgorithmCase{"everquest_straight", EverQuest{.motion_model = false}},
        AlgorithmCase{"everquest_validated", EverQuest{.validator = kThird}},
        AlgorithmCase{"centralized_serialization", CentralizedSerialization{kThird}},
        AlgorithmCase{"local_lag", LocalLag{}}, AlgorithmCase{"local_lag_most", LocalLag{kMostLag}},
        AlgorithmCase{"bucket_sync", BucketSync{}},
        AlgorithmCase{"bucket_sync_most", BucketSync{.bucket = 133ms, .depth = kMostBuckets}},
        AlgorithmCase{"half_life", HalfLife{}}, AlgorithmCase{"half_life_most", HalfLife{kMostLag}},
        AlgorithmCase{"adaptive", Adaptive{}},
        AlgorithmCase{"adaptive_most", Adaptive{.most_lag = kMostLag, .blend = kMostLag, .lag = kMostLag}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fray::test
