#pragma once
// Compression of recordings: all that needs zlib. A build with FRAY_ZLIB=OFF leaves out zlib_pack.cpp; a
// program that writes or reads recordings then fails to link.

#include <cstdint>
#include <span>
#include <vector>

namespace fray::sim {

[[nodiscard]] std::vector<std::uint8_t> zlib_pack(std::span<const std::uint8_t> plain);
/// Fills `plain`, which has the expected size. Returns false if `packed` is invalid or has another size
/// unpacked.
[[nodiscard]] bool zlib_unpack(std::span<const std::uint8_t> packed, std::span<std::uint8_t> plain);

}  // namespace fray::sim
