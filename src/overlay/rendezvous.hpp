#pragma once
// Weighted rendezvous hashing: everybody who knows the same candidates picks the same ones, without a
// message, and if a candidate goes, only its own picks move.

#include <fray/fingerprint.hpp>

#include <algorithm>
#include <cstdint>

namespace fray {

/// The rank of a candidate for this pick; the highest wins, with a probability proportional to the weight:
/// the maximum of `weight` draws. A weight of 0 counts as 1.
[[nodiscard]] inline std::uint64_t rank_of(std::uint32_t pick, std::uint32_t candidate, std::uint8_t weight) {
    Fingerprint print;
    print.add(std::uint64_t{pick} << 32U | candidate);
    std::uint64_t best = 0;
    for (std::uint8_t draw = 0; draw < std::max<std::uint8_t>(1, weight); ++draw)
        best = std::max(best, print.add(std::uint64_t{draw}).value());
    return best;
}

}  // namespace fray
