#include <fray/udp_driver.hpp>

#include "net/udp_socket.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

namespace fray {

namespace {

/// Datagrams read in one call: a flood of them must not keep the game from running.
constexpr int kMostReceivedPerPump = 1024;

/// The machine's steady clock, not one that starts with the driver: a peer may be used with one driver after
/// the other, and its time must not go back.
Instant clock_now() {
    const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
    return Instant{std::chrono::duration_cast<Duration>(since_boot)};
}

}  // namespace

class UdpDriver::Loop {
public:
    Loop(Peer& peer, UdpSocket socket) : peer_{peer}, socket_{std::move(socket)} {}

    [[nodiscard]] const UdpSocket& socket() const { return socket_; }
    [[nodiscard]] const UdpCounters& counters() const { return counters_; }
    [[nodiscard]] Peer& peer() { return peer_; }

    Instant pump() {
        const Instant now = clock_now();
        receive_waiting(now);
        peer_.handle_time(now);
        if (send_held()) send_all(now);
        return now;
    }

    Instant wait(Duration most) {
        const Instant now = clock_now();
        if (send_held()) send_all(now);  // sends the game's commands since the last call first
        const Instant due = peer_.poll_wakeup();
        const Duration sleep = due <= now ? Duration{0} : std::min(most, due - now);
        socket_.wait(sleep, held_.has_value());
        return pump();
    }

private:
    void receive_waiting(Instant now) {
        using What = UdpSocket::Received::What;
        for (int i = 0; i < kMostReceivedPerPump; ++i) {
            const auto received = socket_.receive(in_);
            if (received.what == What::nothing) return;
            if (received.what == What::error) {
                ++counters_.receive_failures;
                continue;
            }
            ++counters_.datagrams_in;
            counters_.bytes_in += received.size;
            peer_.handle_datagram(now, received.from, std::span{in_}.first(received.size));
        }
    }

    void send_all(Instant now) {
        while (const auto datagram = peer_.poll_datagram(now, out_)) {
            if (!send(*datagram)) return;
        }
    }

    /// False if the send buffer is full. The datagram is then kept, and the peer is not polled for more:
    /// updates that stay in the peer are newer when they leave.
    bool send(const Datagram& datagram) {
        held_.reset();
        switch (socket_.send(datagram.to, datagram.bytes)) {
            case UdpSocket::Sent::yes:
                ++counters_.datagrams_out;
                counters_.bytes_out += datagram.bytes.size();
                return true;
            case UdpSocket::Sent::failed:
                ++counters_.send_failures;
                return true;
            case UdpSocket::Sent::would_block:
                ++counters_.would_block;
                held_ = datagram;
                return false;
        }
        return true;
    }

    bool send_held() {
        if (!held_) return true;
        const Datagram again = *held_;
        return send(again);
    }

    Peer& peer_;
    UdpSocket socket_;
    UdpCounters counters_;
    std::array<std::uint8_t, kMaxDatagramBytes + 1>
        in_{};  // one more byte, to detect datagrams that are too long
    std::array<std::uint8_t, kMaxDatagramBytes> out_{};
    std::optional<Datagram> held_;  // its bytes are in out_
};

Result<UdpDriver> UdpDriver::open(Peer& peer, const UdpOptions& options) {
    if (!peer.has_secret_key())
        return Error{"the peer was created with a seed, which others can guess: create it with system_key()"};
    auto socket = UdpSocket::open(options);
    if (!socket) return socket.error();
    return UdpDriver{std::make_unique<Loop>(peer, std::move(*socket))};
}

UdpDriver::UdpDriver(std::unique_ptr<Loop> loop) : loop_{std::move(loop)} {}
UdpDriver::UdpDriver(UdpDriver&&) noexcept = default;
UdpDriver& UdpDriver::operator=(UdpDriver&&) noexcept = default;
UdpDriver::~UdpDriver() = default;

Address UdpDriver::local_address() const { return loop_->socket().local_address(); }
const UdpCounters& UdpDriver::counters() const { return loop_->counters(); }
Instant UdpDriver::pump() { return loop_->pump(); }
Instant UdpDriver::wait(Duration most) { return loop_->wait(most); }

Result<void> UdpDriver::join(std::string_view address) {
    const auto known_peer = resolve(address, loop_->socket().family());
    if (!known_peer) return known_peer.error();
    loop_->peer().join(clock_now(), *known_peer);
    return {};
}

SecretKey system_key() {
    SecretKey key;
    FRAY_ASSERT(getentropy(key.bytes.data(), key.bytes.size()) == 0);  // never fails for so few bytes
    return key;
}

Seed system_seed() {
    Seed seed;
    FRAY_ASSERT(getentropy(&seed.value, sizeof seed.value) == 0);
    return seed;
}

}  // namespace fray
