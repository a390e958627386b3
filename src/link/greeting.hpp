#pragma once
// What the handshake remembers of one link.

#include <fray/time.hpp>

#include <cstdint>

namespace fray {

struct Greeting {
    Instant next_hello{};
    Instant hello_heard{};  ///< when the hello arrived that ours answers
    std::uint8_t attempts = 0;
    std::uint8_t unheard = 0;  ///< hellos since our call began; the interval grows with it
    std::uint8_t answered_attempt = 0;
    std::uint16_t most_bytes = 0;  ///< of the next answer: those of the call that it answers
    bool called = false;           ///< we sent the first hello
    bool newcomer = false;         ///< the other side asks to be introduced
    bool crossing = false;         ///< the other side called us while we joined through it
    bool hello_due = false;
    bool answer_due = false;      ///< the other side has called, and got no answer yet
    bool waits_for_join = false;  ///< the other side called before we had joined: answered once we have
};

}  // namespace fray
