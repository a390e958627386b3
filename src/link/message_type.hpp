#pragma once
// The messages inside a data datagram. Each starts with its type; `end` or the end of the body closes.

#include <cstdint>

namespace fray {

enum class MessageType : std::uint8_t {
    end = 0,
    state = 1,     ///< updates of the sender's entities
    reliable = 2,  ///< see reliable_sender.hpp
    fragment = 3,  ///< a piece of unreliable messages too long for one datagram
    event = 4,     ///< an unreliable message of the game
    clock_ping = 5,
    clock_pong = 6,
    overlay = 7,  ///< an unreliable overlay message
    goodbye = 8,
    keep_alive = 9,   ///< nothing to say, but an acknowledgement is wanted
    forward = 10,     ///< another peer's state, passed on
    serialized = 11,  ///< a state that its owner sent through us
};
inline constexpr unsigned kMessageTypeBits = 4;

}  // namespace fray
