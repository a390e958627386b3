// What players experience, measured in a running game: real sockets, real time, the same logs and figures as
// in the lab. Tests only what holds on a machine of any speed.

#include "lab/metrics/felt.hpp"

#include "net/loopback.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fray {
namespace {

using namespace loopback;

constexpr float kSpeed = 10;  // units per second
constexpr Duration kTick{16'667};
constexpr Duration kLeg{400ms};  // then the entity turns

/// One player moves an entity, the other watches; both write their logs, frame by frame.
struct Watched {
    lab::OwnerLog owner;
    lab::ViewerLog viewer;
    lab::SessionSpan span;
    Corrections before{};  // counted before the span
};

/// Zigzag along x: extrapolation at constant velocity is wrong after each turn.
Pose zigzag(Duration since) {
    const auto legs = static_cast<std::int64_t>(since / kLeg);
    const double along = seconds(since - legs * kLeg);
    const double up = legs % 2 == 0 ? along : seconds(kLeg) - along;
    return {.position = {kSpeed * static_cast<float>(seconds(since)), kSpeed * static_cast<float>(up), 0},
            .velocity = {kSpeed, legs % 2 == 0 ? kSpeed : -kSpeed, 0}};
}

/// Adds one frame to both logs.
void log_frame(Watched& log, Player& mover, Player& looker, const EntityId& id, SessionInstant begin) {
    const Instant now = mover.driver->pump();
    const SessionInstant polled = mover.peer->session_time(now);
    const Pose pose = zigzag(polled - begin);
    EXPECT_TRUE(mover.peer->update(now, id, state_of(pose)));
    log.owner.simulated.push_back({polled, pose.position});
    const LocalView own = *mover.peer->local_view(now, id);
    log.owner.screen.push_back({polled, own.pose.position, own.told, own.moment});
    const Instant there = looker.driver->pump();
    const auto seen = looker.peer->replica(there, id);
    if (!seen) return;
    const SessionInstant shown = looker.peer->session_time(there);
    log.viewer.screen.push_back({shown, seen->pose.position, seen->told, seen->moment});
    const Corrections& all = seen->corrections;
    if (shown < log.span.from) log.before = all;
    if (log.span.contains(shown))
        log.viewer.corrections = {all.count - log.before.count, all.sum - log.before.sum, all.most};
}

Watched watch(const Consistency& consistency, Duration length) {
    PeerOptions options{.count_corrections = true, .consistency = consistency};
    options.world.tick = kTick;
    Player mover = make_player(1, options);
    Player looker = make_player(2, options);
    EXPECT_TRUE(looker.driver->join(mover.address()));
    EXPECT_TRUE(run_until({&mover, &looker}, [&] { return mover.sees(looker) && looker.sees(mover); }));
    Instant now = mover.driver->pump();
    const SessionInstant begin = mover.peer->session_time(now);
    const EntityId id = *mover.peer->publish(now, state_of(zigzag({})));
    Watched log{.owner = {}, .viewer = {}, .span = {begin + 1s, begin + length}};
    Instant next = now;
    EXPECT_TRUE(run_until({&mover, &looker}, [&] {
        now = mover.driver->pump();
        if (now < next) return false;
        next = now + kTick;
        log_frame(log, mover, looker, id, begin);
        return mover.peer->session_time(now) > begin + length + 1s;
    }));
    return log;
}

lab::Felt feel(const ConsistencyAlgorithmOptions& algorithm) {
    const Watched log = watch({.algorithm = algorithm, .interval = 50ms}, 2500ms);
    const lab::Felt felt = lab::felt(log.owner, log.viewer, log.span);
    EXPECT_GT(felt.inputs, 10U);
    EXPECT_LT(felt.inputs_unseen, felt.inputs);
    // Frames are at least a tick apart, and so are changes on the screen.
    EXPECT_GE(felt.animation_ms, millis(kTick) * 0.8);
    return felt;
}

TEST(ARunningGame, IsMeasuredAsTheLabMeasures) {
    const lab::Felt fast = feel(EverQuest{.motion_model = false});
    const lab::Felt late = feel(HalfLife{.remote_lag = 300ms});
    // Independent of the machine's load: 300 ms of lag are three units and 300 ms, less an interval.
    EXPECT_GT(late.state_divergence, 2.5);
    EXPECT_GT(late.propagation_ms, 200);
    EXPECT_GT(late.propagation_ms, fast.propagation_ms);
    EXPECT_GT(late.state_divergence, fast.state_divergence);
    // Extrapolation at constant velocity must be corrected after a turn, and there are three.
    EXPECT_GT(fast.corrections_per_s, 0);
    EXPECT_GT(fast.corrections, 0);
    // The owner sees its action in the same frame, the viewer not before it came over the network.
    for (const lab::Felt& felt : {fast, late}) EXPECT_LT(felt.response_ms, felt.propagation_ms);
}

TEST(ARunningGame, LocalLagIsFeltByWhoActs) {
    const lab::Felt felt = feel(LocalLag{.lag = 300ms});
    EXPECT_GT(felt.response_ms, 200);
    EXPECT_EQ(felt.inputs_unanswered, 0U);
}

}  // namespace
}  // namespace fray
