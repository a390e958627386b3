#include <fray/udp_peer.hpp>

#include "net/udp_loop.hpp"

#include <utility>

namespace fray {

namespace {

constexpr Duration kMostLeaving{1s};
constexpr std::uint64_t kGoodbyes = 2;  // copies for each linked peer, at most

void hand_out(Instant now, Peer& peer, Game& game) {
    while (const auto event = peer.poll_event()) {
        PeerCommands commands{now, peer};
        game.event(commands, *event);
    }
}

}  // namespace

Result<UdpPeer> UdpPeer::open(PeerOptions options, const UdpOptions& udp, const SecretKey& key) {
    auto peer = Peer::create(std::move(options), key);
    if (!peer) return peer.error();
    auto driver = UdpDriver::open(*peer, udp);
    if (!driver) return driver.error();
    return UdpPeer{std::move(*peer), std::move(*driver)};
}

UdpPeer::UdpPeer(Peer peer, UdpDriver driver) : peer_{std::move(peer)}, driver_{std::move(driver)} {}

Instant UdpPeer::play(Game& game, Duration most) {
    UdpDriver::Loop& loop = *driver_.loop_;
    if (!std::exchange(game.has_started_, true)) {
        PeerCommands commands{UdpDriver::Loop::clock_now(), peer_};
        game.started(commands);
    }
    loop.sleep(most);
    const Instant now = UdpDriver::Loop::clock_now();
    loop.receive(now);
    hand_out(now, peer_, game);
    if (now >= peer_.next_frame()) {  // before the peer's own frame, which sends what the game updates
        PeerCommands commands{now, peer_};
        game.frame(commands);
    }
    loop.run(now);
    hand_out(now, peer_, game);
    return now;
}

void UdpPeer::leave() {
    Instant now = pump();
    const auto tried = [this] { return counters().datagrams_out + counters().send_failures; };
    const std::uint64_t enough = tried() + kGoodbyes * peer_.peers().size();
    const Instant end = now + kMostLeaving;
    peer_.leave(now);
    for (now = pump(); tried() < enough && now < end;) now = wait(end - now);
}

}  // namespace fray
