#include "lab/workloads/players.hpp"

namespace fray::lab {
namespace {

void append_word(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

}  // namespace

Players::Players(const World& world, const PlayerOptions& options, Seed seed)
    : world_{world}, options_{options}, seed_{seed} {}

Players::Player& Players::player(PeerIndex index) {
    if (index >= players_.size()) players_.resize(index + 1);
    auto& slot = players_[index];
    if (!slot) {
        slot.emplace(Player{.walk = {world_, options_.walk, RandomStream{seed_, "movement", index}},
                            .talk = RandomStream{seed_, "talk", index}});
    }
    return *slot;
}

void Players::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    Player& who = player(index);
    ++who.stay;
    const auto entity = swarm.publish(index, state_of(who.walk.pose()));
    FRAY_ASSERT(entity);
    who.entity = *entity;
}

void Players::frame(Swarm& swarm, PeerIndex index, Instant, const Peer& peer) {
    Player& who = player(index);
    const auto updated = swarm.update(index, who.entity, state_of(who.walk.step(seconds(world_.tick))));
    FRAY_ASSERT(updated);
    if (options_.message_interval <= 0 || swarm.now() >= options_.silent_from) return;
    if (who.talk.chance(seconds(world_.tick) / options_.message_interval))
        say_something(swarm, index, peer, who);
}

void Players::say_something(Swarm& swarm, PeerIndex index, const Peer& peer, Player& who) {
    const auto others = peer.peers();
    if (others.empty()) return;
    Outgoing message;
    append_word(message.bytes, index);
    append_word(message.bytes, who.stay);
    append_word(message.bytes, who.messages);
    message.bytes.resize(std::max(message.bytes.size(), options_.message_bytes));
    message.delivery = who.messages % 4 < 2 ? Delivery::reliable : Delivery::ordered;
    if (who.messages % 2 == 1)
        message.audience = Audience::only(others[who.talk.below(static_cast<std::uint32_t>(others.size()))]);
    ++who.messages;
    // If the queue is full, the message is refused and not counted as sent; observers see it in
    // Command::accepted.
    (void)swarm.send(index, message);
}

}  // namespace fray::lab
