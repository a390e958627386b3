#pragma once
// Sets of ids, as sorted numbers without repetition: the count, the first, the last, and the gaps between
// them in a Rice code whose parameter follows from those. Runs are free. A dense set costs one bit per
// number, like a bitmap; a sparse one little more than the logarithm of the mean gap per id. WIRE_FORMAT.md
// has the table.

#include <fray/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

/// ids: ascending, each once.
void write_id_set(BitWriter& out, std::span<const std::uint32_t> ids);

/// Reads a set into `ids`. False, and `ids` empty, if the bits are no valid set or it has more than `most`
/// ids. Every set has one encoding; others are rejected.
[[nodiscard]] bool read_id_set(BitReader& in, std::vector<std::uint32_t>& ids, std::size_t most);

}  // namespace fray
