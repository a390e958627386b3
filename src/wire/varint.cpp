#include <fray/serialize.hpp>

#include <bit>

namespace fray {

namespace {

constexpr unsigned kGroupBits = 4;
constexpr unsigned kMostGroups = 16;  // 64 bits
constexpr unsigned kGroupsInWord = 64 / (kGroupBits + 1);
constexpr std::uint64_t kMoreInWord = 0x0842'1084'2108'4210;  // each group's bit "more follows"

/// Group by group: for a number longer than a word, or near the end of the bytes.
std::uint64_t read_groups(BitReader& in) {
    std::uint64_t value = 0;
    for (unsigned group = 0; group < kMostGroups; ++group) {
        const std::uint64_t next = in.bits(kGroupBits + 1);
        value |= (next & low_mask(kGroupBits)) << (group * kGroupBits);
        if (next >> kGroupBits != 0) continue;
        if (next != 0 || group == 0) return value;
        break;  // a superfluous last group
    }
    in.fail();
    return 0;
}

}  // namespace

void write_long_varint(BitWriter& out, std::uint64_t value) {
    while (value >> kGroupBits != 0) {
        out.bits((value & low_mask(kGroupBits)) | (1U << kGroupBits), kGroupBits + 1);
        value >>= kGroupBits;
    }
    out.bits(value, kGroupBits + 1);
}

std::uint64_t read_long_varint(BitReader& in) {
    // Nearly always one word holds the whole number.
    const std::uint64_t word = in.peek();
    const unsigned last = static_cast<unsigned>(std::countr_zero(~word & kMoreInWord)) / (kGroupBits + 1);
    const unsigned bits = (last + 1) * (kGroupBits + 1);
    if (last >= kGroupsInWord || bits > in.bits_left()) return read_groups(in);
    std::uint64_t value = 0;
    for (unsigned group = 0; group <= last; ++group) {
        value |= (word >> (group * (kGroupBits + 1)) & low_mask(kGroupBits)) << (group * kGroupBits);
    }
    if (last != 0 && value >> (last * kGroupBits) == 0) {  // a superfluous last group
        in.fail();
        return 0;
    }
    in.skip(bits);
    return value;
}

unsigned varint_bits(std::uint64_t value) {
    const unsigned groups = (bits_for(value | 1) + kGroupBits - 1) / kGroupBits;
    return groups * (kGroupBits + 1);
}

}  // namespace fray
