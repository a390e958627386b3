#include "net/udp_loop.hpp"

#include <algorithm>
#include <chrono>
#include <span>

namespace fray {

namespace {
/// Datagrams read in one call: a flood of them must not keep the game from running.
constexpr int kMostReceivedPerPump = 1024;
}  // namespace

/// The machine's steady clock, not one that starts with the driver: a peer may be used with one driver after
/// the other, and its time must not go back.
Instant UdpDriver::Loop::clock_now() {
    const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
    return Instant{std::chrono::duration_cast<Duration>(since_boot)};
}

void UdpDriver::Loop::sleep(Duration most) {
    const Instant now = clock_now();
    const auto session = session_.lock();
    if (!session) return socket_.wait(most, false);
    if (send_held()) send_all(now, *session);  // the game's commands since the last call
    send_delayed(now);
    const Instant next = due(*session);
    socket_.wait(next <= now ? Duration{0} : std::min(most, next - now), held_.has_value());
}

Instant UdpDriver::Loop::due(const Session& session) const {
    return std::min(
        {session.poll_wakeup(), arriving_.next_due().value_or(kNever), leaving_.next_due().value_or(kNever)});
}

void UdpDriver::Loop::receive(Instant now) {
    using What = UdpSocket::Received::What;
    const auto session = session_.lock();
    for (int i = 0; i < kMostReceivedPerPump; ++i) {
        const auto received = socket_.receive(in_);
        if (received.what == What::nothing) break;
        if (received.what == What::error) {
            ++counters_.receive_failures;
            continue;
        }
        ++counters_.datagrams_in;
        counters_.bytes_in += received.size;
        const auto bytes = std::span{in_}.first(received.size);
        if (arriving_.is_active())
            arriving_.push(now, received.from, bytes);
        else if (session)
            session->handle_datagram(now, received.from, bytes);
    }
    if (session) hand_in(now, *session);
}

void UdpDriver::Loop::hand_in(Instant now, Session& session) {
    for (const auto* next = arriving_.due(now); next != nullptr; next = arriving_.due(now)) {
        session.handle_datagram(now, next->end, next->bytes);
        arriving_.pop();
    }
}

void UdpDriver::Loop::run(Instant now) {
    const auto session = session_.lock();
    if (!session) return;
    session->handle_time(now);
    if (send_held()) send_all(now, *session);
    send_delayed(now);
}

void UdpDriver::Loop::send_all(Instant now, Session& session) {
    while (const auto datagram = session.poll_datagram(now, out_)) {
        if (leaving_.is_active())
            leaving_.push(now, datagram->to, datagram->bytes);
        else if (!send(*datagram))
            return;
    }
}

void UdpDriver::Loop::send_delayed(Instant now) {
    for (const auto* next = leaving_.due(now); next != nullptr; next = leaving_.due(now)) {
        // What does not fit the socket's buffer is lost: these conditions lose datagrams anyway.
        if (socket_.send(next->end, next->bytes) == UdpSocket::Sent::yes) {
            ++counters_.datagrams_out;
            counters_.bytes_out += next->bytes.size();
        } else {
            ++counters_.send_failures;
        }
        leaving_.pop();
    }
}

/// False if the send buffer is full. The datagram is then kept, and the session is not polled for more:
/// updates that stay in the session are newer when they leave.
bool UdpDriver::Loop::send(const Datagram& datagram) {
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

bool UdpDriver::Loop::send_held() {
    if (!held_) return true;
    const Datagram again = *held_;
    return send(again);
}

}  // namespace fray
