#pragma once
// Shared by fuzz targets: a message that is accepted must be written back to the same bits.

#include <fray/assert.hpp>
#include <fray/serialize.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

template <class T>
void read_and_write(std::span<const std::uint8_t> bytes) {
    BitReader in{bytes};
    T value;
    if (!read(in, value)) return;
    const std::size_t bits = in.position();
    std::vector<std::uint8_t> memory(bytes.size() + 8);
    BitWriter out{memory};
    write(out, value);
    FRAY_ASSERT(out.bit_count() == bits);
    out.finish();
    BitReader again{memory, bits};
    BitReader first{bytes, bits};
    while (first.bits_left() > 0) {
        const auto count = static_cast<unsigned>(std::min<std::size_t>(first.bits_left(), 32));
        FRAY_ASSERT(first.bits(count) == again.bits(count));
    }
}

}  // namespace fray
