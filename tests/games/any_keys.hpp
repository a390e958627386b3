#pragma once
// Random keys, for properties that hold for any input.

#include "games/snagger/rules/input.hpp"

#include <gtest/gtest.h>  // before RapidCheck, which needs it
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

namespace fray::snagger {

inline Input keys_of(unsigned bits) {
    return {.thrust = (bits & 1U) != 0,
            .left = (bits & 2U) != 0,
            .right = (bits & 4U) != 0,
            .snag = (bits & 8U) != 0};
}

/// Some seconds of play: runs of held keys, so that the ships move.
inline std::vector<Inputs> any_keys() {
    std::vector<Inputs> all;
    const auto runs = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    for (const std::uint8_t run : runs) {
        const auto ticks = *rc::gen::inRange<std::size_t>(1, 120);
        all.insert(all.end(), ticks, Inputs{keys_of(run & 15U), keys_of(run / 16U)});
    }
    return all;
}

}  // namespace fray::snagger
