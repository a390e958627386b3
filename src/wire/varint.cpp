#include <fray/serialize.hpp>

namespace fray {

namespace {

constexpr unsigned kGroupBits = 4;
constexpr unsigned kMostGroups = 16;  // 64 bits

}  // namespace

void write_long_varint(BitWriter& out, std::uint64_t value) {
    while (value >> kGroupBits != 0) {
        out.bits((value & low_mask(kGroupBits)) | (1U << kGroupBits), kGroupBits + 1);
        value >>= kGroupBits;
    }
    out.bits(value, kGroupBits + 1);
}

std::uint64_t read_long_varint(BitReader& in) {
    std::uint64_t value = 0;
    for (unsigned group = 0; group < kMostGroups; ++group) {
        const std::uint64_t next = in.bits(kGroupBits + 1);
        value |= (next & low_mask(kGroupBits)) << (group * kGroupBits);
        if (next >> kGroupBits != 0) continue;
        if (next != 0 || group == 0) return value;
        break;  // a needless last group
    }
    in.fail();
    return 0;
}

unsigned varint_bits(std::uint64_t value) {
    const unsigned groups = (bits_for(value | 1) + kGroupBits - 1) / kGroupBits;
    return groups * (kGroupBits + 1);
}

}  // namespace fray
