#pragma once
// The exchange behind session time: a ping, and a pong with session time when it left.

#include <fray/serialize.hpp>

#include "wire/session_time.hpp"

#include <cstdint>

namespace fray {

struct ClockPing {
    std::uint8_t id = 0;  ///< the sender records when it sent this one
};

template <class Stream>
void serialize(Stream& s, ClockPing& p) {
    s.whole(p.id);
}

struct ClockPong {
    std::uint8_t id = 0;
    std::uint64_t session_us = 0;  ///< session time when this pong left
    std::uint32_t hold_us = 0;     ///< how long the ping waited for this pong
    std::uint8_t hops = 0;         ///< of the sender
};

template <class Stream>
void serialize(Stream& s, ClockPong& p) {
    s.whole(p.id);
    s.integer(p.session_us, 0, kMaxWireTime);
    s.integer(p.hold_us, 0, (1U << 24U) - 1);
    s.integer(p.hops, 0, 15);
}

}  // namespace fray
