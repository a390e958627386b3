#pragma once
// A peer and its socket: what most games need.
//
//     auto me = fray::UdpPeer::open({}, {.port = 7000});
//     if (!me) return fail(me.error());
//     if (auto joined = me->join("192.0.2.7:7000"); !joined) return fail(joined.error());
//     while (playing) {
//         const fray::Instant now = me->pump();
//         ... me->peer().update(now, ...), me->peer().replicas(now), me->peer().poll_event() ...
//     }
//     me->leave();
//
// Movable, not thread-safe. Only wait(), play(), join() and leave() block, as stated there.

#include <fray/game.hpp>
#include <fray/peer.hpp>
#include <fray/udp_driver.hpp>

#include <string_view>

namespace fray {

class UdpPeer {
public:
    /// Returns an error naming the first invalid option, or saying why the socket cannot be opened.
    [[nodiscard]] static Result<UdpPeer> open(PeerOptions options, const UdpOptions& udp = {},
                                              const SecretKey& key = system_key());

    [[nodiscard]] Peer& peer() { return peer_; }
    [[nodiscard]] const Peer& peer() const { return peer_; }
    [[nodiscard]] Address local_address() const { return driver_.local_address(); }
    [[nodiscard]] const UdpCounters& counters() const { return driver_.counters(); }

    /// As in UdpDriver.
    [[nodiscard]] Result<void> join(std::string_view address) { return driver_.join(address); }
    void set_conditions(const UdpConditions& conditions) { driver_.set_conditions(conditions); }
    Instant pump() { return driver_.pump(); }
    Instant wait(Duration most) { return driver_.wait(most); }

    /// One step of a game: waits as wait(most) does, hands the peer's events to the game, and calls frame()
    /// at the beginning of each World::tick. The first call with a game begins with started(). Call it in a
    /// loop; with a `most` of zero it does not block.
    Instant play(Game& game, Duration most);

    /// Leaves the session, and returns when the goodbyes are sent; after one second at the latest, if the
    /// upload limit does not allow it earlier. The peer can join again.
    void leave();

private:
    UdpPeer(Peer peer, UdpDriver driver);

    Peer peer_;
    UdpDriver driver_;
};

}  // namespace fray
