#pragma once
// Runs a Peer over a real UDP socket. Only this part of Fray has a socket and a clock. Most games use UdpPeer
// (udp_peer.hpp), which owns both.
//
//     auto peer = fray::Peer::create({}, fray::system_key());
//     if (!peer) return fail(peer.error());
//     auto driver = fray::UdpDriver::open(*peer, {.port = 7000});
//     if (!driver) return fail(driver.error());
//     if (auto joined = driver->join("192.0.2.7:7000"); !joined) return fail(joined.error());
//     while (playing) {
//         const fray::Instant now = driver->pump();
//         ... peer.update(now, ...), peer.replicas(now), peer.poll_event() ...
//     }
//
// One plain socket serves all links. There are no threads: all work happens inside the calls below, on the
// caller's thread. Only wait() and join() block. The system may lose datagrams; the peer handles that.
//
// Link-local IPv6 addresses (fe80::1%eth0) are refused: an Address holds no interface.

#include <fray/ids.hpp>
#include <fray/peer.hpp>
#include <fray/random.hpp>
#include <fray/result.hpp>
#include <fray/secret_key.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fray {

struct UdpOptions {
    /// The port that other peers join through. 0: any free port, see local_address().
    std::uint16_t port = 0;
    /// A numeric address of this machine, without port: "0.0.0.0" is every IPv4 address, "::" every address,
    /// "127.0.0.1" and "::1" this machine only. Empty: every address, IPv6 and IPv4, or IPv4 alone if the
    /// machine has no IPv6.
    std::string bind_address{};
    /// Requested size of the system's send and receive buffers in bytes; the system may grant less. The
    /// default is about one second of a busy session.
    std::uint32_t buffer_bytes = 1U << 20U;
};

/// What happens to every datagram of a socket, in each direction, besides what the network does to it: for
/// experiments and tests over real sockets. A round trip takes twice the lag longer.
struct UdpConditions {
    Duration lag{};     ///< 0 to kMostAddedDelay
    Duration jitter{};  ///< at most; drawn evenly from 0 to this, so datagrams overtake each other
    double loss = 0;    ///< share of datagrams lost, 0 to 1
    friend constexpr bool operator==(const UdpConditions&, const UdpConditions&) = default;
};
inline constexpr Duration kMostAddedDelay{5s};

/// Traffic through the socket, without UDP and IP headers. Peer::stats() tells what the peer did with it.
struct UdpCounters {
    std::uint64_t datagrams_in = 0;
    std::uint64_t bytes_in = 0;  ///< of an oversized datagram, only the bytes read
    std::uint64_t datagrams_out = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t send_failures = 0;     ///< datagrams that the system refused (no route, ...): lost
    std::uint64_t receive_failures = 0;  ///< errors reported by the network, such as "port unreachable"
    std::uint64_t would_block = 0;       ///< the send buffer was full: the datagram waits, nothing is lost
};

/// Movable, not thread-safe. The peer may move while the driver lives. Once it is destroyed or assigned to,
/// the driver reads and drops what arrives, and join() returns an error.
class UdpDriver {
public:
    /// Opens and binds the socket. The error is one line: the peer was created with a Seed instead of a
    /// SecretKey, the port is taken, or the bind address is invalid or not one of this machine.
    [[nodiscard]] static Result<UdpDriver> open(Peer& peer, const UdpOptions& options = {});

    UdpDriver(UdpDriver&&) noexcept;
    UdpDriver& operator=(UdpDriver&&) noexcept;
    /// Closes the socket without a goodbye. Unless the peer left before, others see it time out.
    ~UdpDriver();

    /// The bound address, with the assigned port if 0 was asked for. The IP is all zero if the socket listens
    /// on every address.
    [[nodiscard]] Address local_address() const;
    [[nodiscard]] const UdpCounters& counters() const;

    /// Adds delay and loss to the datagrams from now on; values out of range are clamped. Datagrams that are
    /// under way keep their delay.
    void set_conditions(const UdpConditions& conditions);

    /// Hands received datagrams to the peer, runs what is due, and sends the peer's datagrams. Call it at
    /// least once per frame. Never blocks; its work is bounded however much arrives. Returns the time that
    /// the peer was given: use it as `now` for calls on the peer until the next pump.
    Instant pump();

    /// Sleeps until a datagram arrives or the peer is due, but not longer than `most`, then pumps. For
    /// programs that wait for nothing else. A signal ends the sleep early.
    Instant wait(Duration most);

    /// Joins the session of the peer at "127.0.0.1:7000", "[::1]:7000" or "host.example:7000". A host name is
    /// resolved at once, which may block for seconds; of several addresses, the first that this socket can
    /// reach is used. Returns an error if the text gives no address, or as Peer::join() does. A Joined or
    /// Refused event follows.
    [[nodiscard]] Result<void> join(std::string_view address);

private:
    friend class UdpPeer;
    class Loop;  // the socket and the peer it serves
    explicit UdpDriver(std::unique_ptr<Loop> loop);
    std::unique_ptr<Loop> loop_;
};

/// A key from the system's random source, for Peer::create().
[[nodiscard]] SecretKey system_key();

/// A seed from the system's random source, for what must differ but need not be secret:
/// TradeDesk::open_new().
[[nodiscard]] Seed system_seed();

}  // namespace fray
