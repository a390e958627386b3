#include "sim/zlib_pack.hpp"

#include <fray/assert.hpp>

#include <zlib.h>

namespace fray::sim {

std::vector<std::uint8_t> zlib_pack(std::span<const std::uint8_t> plain) {
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    std::vector<std::uint8_t> packed(size);
    const int status = compress2(packed.data(), &size, plain.data(), static_cast<uLong>(plain.size()), 6);
    FRAY_ASSERT(status == Z_OK);
    packed.resize(size);
    return packed;
}

bool zlib_unpack(std::span<const std::uint8_t> packed, std::span<std::uint8_t> plain) {
    auto size = static_cast<uLongf>(plain.size());
    return uncompress(plain.data(), &size, packed.data(), static_cast<uLong>(packed.size())) == Z_OK &&
           size == plain.size();
}

}  // namespace fray::sim
