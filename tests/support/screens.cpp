#include "support/screens.hpp"

#include <gtest/gtest.h>

namespace fray::test {

World Screens::world() {
    World world;
    world.low = {0, 0, 0};
    world.high = {100, 100, 0};
    world.position_precision = 1.0F / 128;
    world.velocity_limit = 64;
    world.velocity_precision = 1.0F / 128;
    world.tick = Duration{16'667};
    return world;
}

Screens::Screens(const NetworkModel& network, Path path, const Consistency& consistency, Seed seed)
    : Screens{network, std::move(path), consistency, world(), seed} {}

Screens::Screens(const NetworkModel& network, Path path, const Consistency& consistency, const World& world,
                 Seed seed, bool count_corrections)
    : swarm_{std::move(*Swarm::create({.network = network, .stagger = false}, seed))},
      path_{std::move(path)} {
    swarm_.set_workload(this);
    const PeerOptions options{
        .world = world, .count_corrections = count_corrections, .consistency = consistency};
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(swarm_.add_peer(options));
}

void Screens::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    if (index != kOwner) return;
    pose_ = path_(seconds(swarm.now()));
    entity_ = *swarm.publish(index, state_of(pose_));
}

void Screens::frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    if (index != kOwner || !updates) return;
    pose_ = path_(seconds(swarm.now()));
    EXPECT_TRUE(swarm.update(index, entity_, state_of(pose_)));
    owner_.simulated.push_back({swarm.session_time(swarm.now()), pose_.position});
}

void Screens::event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) {
    events_[index].push_back(event);
    const auto* asked = std::get_if<Asked>(&event);
    if (asked == nullptr || !judge) return;
    EXPECT_TRUE(swarm.answer(index, asked->request, judge(*asked)));
}

Replica Screens::seen() const {
    const auto replica = swarm_.peer(kViewer).replica(swarm_.local_now(kViewer), entity_);
    return replica ? *replica : Replica{};
}

LocalView Screens::own() const { return *swarm_.peer(kOwner).local_view(swarm_.local_now(kOwner), entity_); }

void Screens::look() {
    const LocalView mine = own();
    owner_.screen.push_back({time(), mine.pose.position, mine.told, mine.moment});
    if (!swarm_.peer(kViewer).replica(swarm_.local_now(kViewer), entity_)) return;
    const Replica theirs = seen();
    viewer_.screen.push_back({time(), theirs.pose.position, theirs.told, theirs.moment});
    viewer_.corrections = theirs.corrections;
}

void Screens::run_until(Duration t) {
    const Duration tick = swarm_.options_of(kOwner).world.tick;
    for (; next_look_ <= t; next_look_ += tick) {
        swarm_.run_until(next_look_);
        look();
    }
    swarm_.run_until(t);
}

}  // namespace fray::test
