#pragma once
// What stress() (stress.hpp) is asked for, and what it found.

#include <fray/random.hpp>
#include <fray/time_warp/parts.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace fray {

enum class StressFault : std::uint8_t {
    none,
    idle,      ///< no message was drawn, or no part ever changed: nothing is proved
    repeated,  ///< two new games differ: uninitialised memory, or an order that follows addresses
    restored,  ///< a field is in no part, or an order follows the past, as in an unordered container
    copied,    ///< copies share something, or lack something
    reached,   ///< reach() names too few parts, or step() touches others than those
    part_bytes,
    message_bytes,
    rewound,  ///< late messages give another result
};

struct StressOptions {
    Tick ticks = 600;
    std::size_t seats = 2;  ///< players
    Seed seed{1};
    Tick most_late = 60;  ///< ticks
};

struct StressReport {
    bool ok = false;
    StressFault fault{};
    Tick tick = 0;        ///< after which the difference was found
    PartNumber part = 0;  ///< in which
    std::string text;     ///< all of it, with the field if the game has a difference()
    // What was done:
    std::uint64_t messages = 0;
    std::uint64_t outcomes = 0;
    std::uint64_t subsets = 0;  ///< steps of some of the parts
    std::uint64_t rollbacks = 0;
};

namespace detail {

inline std::string meaning_of(StressFault fault) {
    switch (fault) {
        case StressFault::none:
        case StressFault::idle:
            return "nothing was tested";
        case StressFault::repeated:
            return "two games that got the same messages differ: uninitialised memory, or an order that "
                   "follows addresses";
        case StressFault::restored:
            return "restored from its parts, the game continues differently: a field is in no part, or "
                   "an order follows the past";
        case StressFault::copied:
            return "a copy of the game continues differently, or changes the original";
        case StressFault::reached:
            return "a step of the parts that reach() names differs from a step of all";
        case StressFault::part_bytes:
            return "the part is not read as it was written";
        case StressFault::message_bytes:
            return "the message is not read as it was written";
        case StressFault::rewound:
            return "with messages that come late, the game ends differently";
    }
    return {};
}

}  // namespace detail

}  // namespace fray
