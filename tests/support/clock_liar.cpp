#include "support/clock_liar.hpp"

#include "clock/clock_messages.hpp"
#include "core/message.hpp"
#include "link/datagram.hpp"
#include "link/hello.hpp"
#include "link/link.hpp"

#include <array>

namespace fray::test {

namespace {

std::uint64_t shifted(std::uint64_t wire, Duration ahead) { return wire_time(session_instant(wire) + ahead); }

void copy_rest(BitReader& in, BitWriter& out) {
    while (in.bits_left() != 0) out.bits(in.bits(1), 1);
}

std::size_t rewrite_hello(BitReader in, BitWriter& out, Duration ahead) {
    Hello hello;
    if (!read(in, hello)) return 0;
    hello.session_us = shifted(hello.session_us, ahead);
    if (hello.joined_us != kMaxWireTime) hello.joined_us = 0;
    hello.hops = 0;
    write(out, hello);
    copy_rest(in, out);
    return 1;
}

/// Clock messages come first in a datagram.
std::size_t rewrite_data(BitReader in, BitWriter& out, Duration ahead) {
    BitReader probe = in;
    (void)read_varint(probe);
    if (!Link::read_header(0, probe)) return 0;
    const std::size_t header = in.bits_left() - probe.bits_left();
    for (std::size_t i = 0; i < header; ++i) out.bits(in.bits(1), 1);
    std::size_t lies = 0;
    for (;;) {
        probe = in;
        if (in.bits_left() < kMessageKindBits) break;
        const MessageKind kind = read_kind(probe);
        ClockPing ping;
        ClockPong pong;
        if (kind == MessageKind::clock_ping && read(probe, ping)) {
            write_kind(out, kind);
            write(out, ping);
        } else if (kind == MessageKind::clock_pong && read(probe, pong)) {
            pong.session_us = shifted(pong.session_us, ahead);
            pong.hops = 0;
            write_kind(out, kind);
            write(out, pong);
            ++lies;
        } else {
            break;
        }
        in = probe;
    }
    copy_rest(in, out);
    return lies;
}

}  // namespace

std::size_t lie_about_clock(std::vector<std::uint8_t>& datagram, Duration ahead) {
    const auto opened = open_datagram(datagram);
    if (!opened || opened->kind == DatagramKind::refusal) return 0;
    std::array<std::uint8_t, kMaxDatagram> buffer;  // NOLINT(*-member-init): written below
    DatagramBuilder builder{buffer, opened->kind};
    const auto rewrite = opened->kind == DatagramKind::hello ? rewrite_hello : rewrite_data;
    const std::size_t lies = rewrite(opened->body, builder.out(), ahead);
    if (lies == 0) return 0;
    ByteLedger ledger;
    builder.set_counter(opened->counter);
    const auto bytes = builder.finish(opened->token, Address{}, ledger);
    datagram.assign(bytes.begin(), bytes.end());
    return lies;
}

}  // namespace fray::test
