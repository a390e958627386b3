// What players feel, measured in a running game: real sockets, real time, the same logs and figures as in the
// lab.

#include "lab/metrics/felt.hpp"

#include "net/loopback.hpp"

#include <gtest/gtest.h>

namespace fray {
namespace {

using namespace loopback;

constexpr float kSpeed = 10;  // units per second

/// One player moves an entity, the other looks on; both write their logs, frame by frame.
struct Watched {
    lab::OwnerLog owner;
    lab::ViewerLog viewer;
    lab::SessionSpan span;
};

Watched watch(const Consistency& consistency, Duration length) {
    PeerOptions options{.consistency = consistency};
    options.world.tick = Duration{16'667};
    Player mover = make_player(1, options);
    Player looker = make_player(2, options);
    EXPECT_TRUE(looker.driver->join(mover.address()));
    EXPECT_TRUE(run_until({&mover, &looker}, [&] { return mover.sees(looker) && looker.sees(mover); }));
    const auto pose = [](SessionInstant t, SessionInstant begin) {
        return Pose{.position = {kSpeed * static_cast<float>(seconds(t - begin)), 0, 0},
                    .velocity = {kSpeed, 0, 0}};
    };
    Instant now = mover.driver->pump();
    const SessionInstant begin = mover.peer->session_time(now);
    const EntityId id = *mover.peer->publish(now, state_of(pose(begin, begin)));
    Watched log{.owner = {}, .viewer = {}, .span = {begin + 1s, begin + length}};
    Instant next = now;
    EXPECT_TRUE(run_until({&mover, &looker}, [&] {
        now = mover.driver->pump();
        if (now < next) return false;
        next = now + options.world.tick;
        const SessionInstant polled = mover.peer->session_time(now);
        EXPECT_TRUE(mover.peer->update(now, id, state_of(pose(polled, begin))));
        log.owner.simulated.push_back({polled, pose(polled, begin).position});
        const LocalView own = *mover.peer->local_view(now, id);
        log.owner.screen.push_back({polled, own.pose.position, own.told, own.moment});
        const Instant there = looker.driver->pump();
        if (const auto seen = looker.peer->replica(there, id)) {
            const SessionInstant shown = looker.peer->session_time(there);
            log.viewer.screen.push_back({shown, seen->pose.position, seen->told, seen->moment});
        }
        return polled > begin + length + 1s;
    }));
    return log;
}

TEST(ARunningGame, IsMeasuredAsTheLabMeasures) {
    const Watched prompt = watch({.algorithm = EverQuest{}, .interval = 50ms}, 2500ms);
    const Watched lagging = watch({.algorithm = HalfLife{.remote_lag = 300ms}, .interval = 50ms}, 2500ms);
    const lab::Felt fast = lab::felt(prompt.owner, prompt.viewer, prompt.span);
    const lab::Felt late = lab::felt(lagging.owner, lagging.viewer, lagging.span);
    ASSERT_GT(fast.inputs, 10U);
    ASSERT_GT(late.inputs, 10U);
    EXPECT_LT(late.inputs_unseen, late.inputs);
    // Whatever this machine does besides: 300 ms of lag are three units and 300 ms, less an interval.
    EXPECT_GT(late.state_divergence, 2.5);
    EXPECT_GT(late.propagation_ms, 200);
    EXPECT_GT(late.propagation_ms, fast.propagation_ms);
    EXPECT_GT(late.state_divergence, fast.state_divergence);
}

}  // namespace
}  // namespace fray
