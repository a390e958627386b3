#pragma once
// The socket of a driver and the session it serves. The session belongs to a Peer, which may move, and may be
// destroyed before the driver: then nothing is served.

#include <fray/udp_driver.hpp>

#include "net/conditioner.hpp"
#include "net/udp_socket.hpp"
#include "session/session.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace fray {

class UdpDriver::Loop {
public:
    Loop(std::weak_ptr<Session> session, UdpSocket socket)
        : session_{std::move(session)}, socket_{std::move(socket)} {}

    [[nodiscard]] const UdpSocket& socket() const { return socket_; }
    [[nodiscard]] const UdpCounters& counters() const { return counters_; }
    /// nullptr: the peer is destroyed.
    [[nodiscard]] std::shared_ptr<Session> session() const { return session_.lock(); }

    void set_conditions(const UdpConditions& conditions) {
        arriving_.set(conditions);
        leaving_.set(conditions);
    }

    [[nodiscard]] static Instant clock_now();
    /// Sends what is pending, then sleeps until a datagram arrives or the session is due.
    void sleep(Duration most);
    /// Hands received datagrams to the session.
    void receive(Instant now);
    /// Runs what is due, and sends the session's datagrams.
    void run(Instant now);

private:
    void hand_in(Instant now, Session& session);
    [[nodiscard]] Instant due(const Session& session) const;
    void send_all(Instant now, Session& session);
    void send_delayed(Instant now);
    [[nodiscard]] bool send(const Datagram& datagram);
    [[nodiscard]] bool send_held();

    std::weak_ptr<Session> session_;
    UdpSocket socket_;
    UdpCounters counters_;
    // One more byte, to detect datagrams that are too long.
    std::array<std::uint8_t, kMaxDatagramBytes + 1> in_{};
    std::array<std::uint8_t, kMaxDatagramBytes> out_{};
    std::optional<Datagram> held_;  // its bytes are in out_
    Conditioner arriving_{derive(system_seed(), "arriving")};
    Conditioner leaving_{derive(system_seed(), "leaving")};
};

}  // namespace fray
