#include "support/patrol.hpp"

#include "core/math.hpp"

#include <gtest/gtest.h>

namespace fray::test {

State Patrol::state_at(PeerIndex index, std::uint32_t frame) {
    const double angle = 0.05 * frame + index;
    Pose pose;
    pose.position = {static_cast<float>(200 * math::cos(angle)), static_cast<float>(200 * math::sin(angle)),
                     0};
    pose.velocity = {static_cast<float>(-200 * math::sin(angle)), static_cast<float>(200 * math::cos(angle)),
                     0};
    return state_of(pose);
}

void Patrol::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    if (peers_.size() <= index) peers_.resize(index + std::size_t{1});
    const Result<EntityId> made = swarm.publish(index, state_at(index, 0));
    ASSERT_TRUE(made) << made.error().message;
    peers_[index] = Player{.entity = *made, .frames = 0};
}

void Patrol::frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    Player& player = peers_[index];
    ++player.frames;
    if (swarm.update(index, player.entity, state_at(index, player.frames))) ++updates_;
    if (frames_per_message == 0 || player.frames % frames_per_message != 0) return;
    Outgoing message;
    const std::uint64_t number = ++messages_;
    for (unsigned i = 0; i < 8; ++i) message.bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
    message.audience.within = linked_within;
    message.delivery = number % 2 == 0 ? Delivery::reliable : Delivery::ordered;
    EXPECT_TRUE(swarm.send(index, message));
}

void Patrol::event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) {
    if (std::holds_alternative<Message>(event)) ++heard_;
    if (const auto* left = std::get_if<PeerLeft>(&event)) ++left_[left->reason];
    const auto* refused = std::get_if<Refused>(&event);
    if (refused != nullptr && refused->reason == Reason::timed_out) {
        EXPECT_TRUE(swarm.join(index, swarm.index_of(refused->address)));
    }
}

}  // namespace fray::test
