// Two peers in one process, without a socket, a clock or a thread.
//
// A fray::Peer does no I/O. Time and datagrams go in as arguments; datagrams, events and the next wake-up
// time come out as values. This program is the network: it carries every datagram by hand, with a latency of
// 30 ms, in simulated time. Two simulated seconds take a moment, and every run is the same.

#include <fray/fray.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <utility>
#include <variant>
#include <vector>

using namespace std::chrono_literals;

namespace {

struct Player {
    const char* name;
    fray::Peer peer;
    fray::Address address;
    fray::EntityId tank{};
    int saw_others = 0;  // replicas seen, over all frames
};

struct Parcel {
    fray::Instant arrives;
    fray::Address from, to;
    std::vector<std::uint8_t> bytes;
};

constexpr fray::Duration kLatency = 30ms;

/// Puts all datagrams that the peer wants to send on the network.
void post(fray::Instant now, Player& sender, std::deque<Parcel>& network) {
    std::array<std::uint8_t, fray::kMaxDatagramBytes> buffer;
    while (const auto datagram = sender.peer.poll_datagram(now, buffer)) {
        network.push_back(
            {now + kLatency, sender.address, datagram->to, {datagram->bytes.begin(), datagram->bytes.end()}});
    }
}

/// Delivers what has arrived by now. The latency is constant, so datagrams arrive in the order of sending.
void deliver(fray::Instant now, std::deque<Parcel>& network, std::array<Player, 2>& players) {
    while (!network.empty() && network.front().arrives <= now) {
        const Parcel parcel = std::move(network.front());
        network.pop_front();
        for (Player& player : players) {
            if (player.address == parcel.to) player.peer.handle_datagram(now, parcel.from, parcel.bytes);
        }
    }
}

/// One frame of the game: read events, move the own tank, draw the others.
void play(fray::Instant now, Player& me) {
    while (const auto event = me.peer.poll_event()) {
        if (std::get_if<fray::Joined>(&*event) != nullptr) std::printf("%s is in the session\n", me.name);
        if (std::get_if<fray::EntityAppeared>(&*event) != nullptr) std::printf("%s sees a tank\n", me.name);
    }
    const auto elapsed = static_cast<float>(fray::seconds(now.time_since_epoch()));
    const fray::Pose pose{.position = {10 * elapsed, 0, 0}, .velocity = {10, 0, 0}};
    if (!me.peer.update(now, me.tank, fray::state_of(pose))) std::printf("%s lost its tank\n", me.name);
    for (const fray::Replica& other : me.peer.replicas(now)) {
        // The newest state is at least 30 ms old; the replica is extrapolated to now.
        if (me.saw_others++ % 20 == 0) {
            std::printf("%s at x = %.2f sees the other at x = %.2f, from news %.0f ms old\n", me.name,
                        static_cast<double>(pose.position.x), static_cast<double>(other.pose.position.x),
                        fray::millis(other.age));
        }
    }
}

}  // namespace

int main() {
    auto alice = fray::Peer::create({}, fray::Seed{1});
    auto bob = fray::Peer::create({}, fray::Seed{2});
    if (!alice || !bob) return 1;
    std::array<Player, 2> players{Player{"Alice", std::move(*alice), fray::Address::from_number(1)},
                                  Player{"Bob", std::move(*bob), fray::Address::from_number(2)}};

    fray::Instant now{};
    for (Player& player : players) {
        const auto tank = player.peer.publish(now, fray::state_of(fray::Pose{}));
        if (!tank) return 1;
        player.tank = *tank;
    }
    if (!players[1].peer.join(now, players[0].address)) return 1;  // one known address is enough

    std::deque<Parcel> network;
    while (now < fray::Instant{2s}) {
        deliver(now, network, players);
        for (Player& player : players) {
            if (player.peer.next_frame() <= now) play(now, player);
            player.peer.handle_time(now);
            post(now, player, network);
        }
        // Nothing happens before the next arrival or wake-up: advance the time to it.
        fray::Instant next = network.empty() ? fray::kNever : network.front().arrives;
        for (const Player& player : players) next = std::min(next, player.peer.poll_wakeup());
        now = std::max(next, now + 1us);
    }
    return players[0].saw_others > 0 && players[1].saw_others > 0 ? 0 : 1;
}
