#pragma once
// Sets of ids, as sorted numbers without repetition: how many, the first, the last, and the gaps in between
// in a Rice code that follows from those. Runs are free; for dense sets the code is the same as a bitmap, one
// bit per number; sparse ones cost little more than the logarithm of the mean gap. WIRE_FORMAT.md has the
// table.

#include <fray/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

/// ids: ascending, each once.
void write_id_set(BitWriter& out, std::span<const std::uint32_t> ids);

/// Replaces `ids` by what is there; false, and `ids` empty, where that is no set or has more than `most` ids.
/// Every set has one spelling: others are refused.
[[nodiscard]] bool read_id_set(BitReader& in, std::vector<std::uint32_t>& ids, std::size_t most);

}  // namespace fray
