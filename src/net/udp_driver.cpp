#include <fray/udp_driver.hpp>

#include "net/udp_loop.hpp"

#include <unistd.h>

#include <utility>

namespace fray {

Result<UdpDriver> UdpDriver::open(Peer& peer, const UdpOptions& options) {
    if (!peer.has_secret_key())
        return Error{"the peer was created with a seed, which others can guess: create it with system_key()"};
    auto socket = UdpSocket::open(options);
    if (!socket) return socket.error();
    return UdpDriver{std::make_unique<Loop>(peer.session_, std::move(*socket))};
}

UdpDriver::UdpDriver(std::unique_ptr<Loop> loop) : loop_{std::move(loop)} {}
UdpDriver::UdpDriver(UdpDriver&&) noexcept = default;
UdpDriver& UdpDriver::operator=(UdpDriver&&) noexcept = default;
UdpDriver::~UdpDriver() = default;

Address UdpDriver::local_address() const { return loop_->socket().local_address(); }
const UdpCounters& UdpDriver::counters() const { return loop_->counters(); }

void UdpDriver::set_conditions(const UdpConditions& conditions) { loop_->set_conditions(conditions); }

Instant UdpDriver::pump() {
    const Instant now = Loop::clock_now();
    loop_->receive(now);
    loop_->run(now);
    return now;
}

Instant UdpDriver::wait(Duration most) {
    loop_->sleep(most);
    return pump();
}

Result<void> UdpDriver::join(std::string_view address) {
    const auto session = loop_->session();
    if (!session) return Error{"the peer of this driver was destroyed"};
    const auto known_peer = resolve(address, loop_->socket().family());
    if (!known_peer) return known_peer.error();
    return session->join(Loop::clock_now(), *known_peer);
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
