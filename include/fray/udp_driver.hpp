#pragma once
// Runs a Peer over a real UDP socket: the only part of Fray with a socket and a clock in it.
//
//     auto peer = fray::Peer::create({}, fray::system_seed());
//     if (!peer) return fail(peer.error());
//     auto driver = fray::UdpDriver::open(*peer, {.port = 7000});
//     if (!driver) return fail(driver.error());
//     if (auto joined = driver->join("192.0.2.7:7000"); !joined) return fail(joined.error());
//     while (playing) {
//         const fray::Instant now = driver->pump();
//         ... peer->update(now, ...), peer->replicas(now), peer->poll_event() ...
//     }
//     peer->leave(driver->pump());
//     driver->pump();  // sends the goodbyes
//
// One socket for all links, plain, without threads: everything happens inside the calls below, on the
// caller's thread, and none but wait() and join() blocks. Datagrams are lost where the system loses them;
// the peer below is made for that.
//
// Link-local IPv6 addresses (fe80::1%eth0) are refused: an Address holds no interface.

#include <fray/ids.hpp>
#include <fray/peer.hpp>
#include <fray/random.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fray {

struct UdpOptions {
    /// The port others join through. 0: any free one, see local_address().
    std::uint16_t port = 0;
    /// An address of this machine as a number, without port: "0.0.0.0" is every IPv4 address, "::" every
    /// address, "127.0.0.1" and "::1" this machine only. Empty: every address, IPv6 and IPv4 alike, or IPv4
    /// alone where the machine has no IPv6.
    std::string bind_address{};
    /// What the system is asked to hold while nobody pumps, in bytes each way; it may give less. The default
    /// is about a second of a busy session.
    std::uint32_t buffer_bytes = 1U << 20U;
};

/// What passed the socket, UDP and IP headers not counted. Peer::stats() says what became of it.
struct UdpCounters {
    std::uint64_t datagrams_in = 0;
    std::uint64_t bytes_in = 0;  ///< of a datagram longer than Fray's, only what was read of it
    std::uint64_t datagrams_out = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t send_failures = 0;     ///< datagrams the system refused (no route, ...): lost
    std::uint64_t receive_failures = 0;  ///< errors reported by the network, as "nobody listens there"
    std::uint64_t would_block = 0;  ///< times the send buffer was full: the datagram waits, nothing is lost
};

/// Movable; the peer is neither owned nor may it move or die while the driver lives. Not thread-safe.
class UdpDriver {
public:
    /// Opens the socket and binds it. The error says in one line what is wrong: a taken port, a bind address
    /// that is none, or none of this machine.
    [[nodiscard]] static Result<UdpDriver> open(Peer& peer, const UdpOptions& options = {});

    UdpDriver(UdpDriver&&) noexcept;
    UdpDriver& operator=(UdpDriver&&) noexcept;
    /// Closes the socket without a goodbye: to the others this peer has vanished, unless it left before.
    ~UdpDriver();

    /// Where the socket is bound, with the port that was found where 0 was asked for. The IP is all zero
    /// where it listens on every address.
    [[nodiscard]] Address local_address() const;
    [[nodiscard]] const UdpCounters& counters() const;

    /// Hands the peer what has arrived, lets it run what is due, and sends what it has to say. Call it once
    /// per frame or more often. Never blocks, and its work is bounded however much arrives. Returns the time
    /// that the peer was given: the `now` for calls on the peer until the next pump.
    Instant pump();

    /// Sleeps until a datagram arrives or the peer has something due, `most` at the longest, and pumps. For
    /// programs that have nothing else to wait for. A signal ends the sleep early.
    Instant wait(Duration most);

    /// Enters the session of the peer at "127.0.0.1:7000", "[::1]:7000" or "host.example:7000". A host name
    /// is looked up at once, which may block for seconds; of several addresses the first that this socket can
    /// reach is taken. Only a text that leads to no address is an error here: whether the peer answers, a
    /// Joined or Refused event says later.
    [[nodiscard]] Result<void> join(std::string_view address);

private:
    class Loop;  // the socket, and the peer it serves
    explicit UdpDriver(std::unique_ptr<Loop> loop);
    std::unique_ptr<Loop> loop_;
};

/// A seed from the system's random source. Identity and tokens of a peer follow from its seed, so peers that
/// meet over a real network must not share one.
[[nodiscard]] Seed system_seed();

}  // namespace fray
