#pragma once
// Numbers that are mostly small: a prefix code for how many bits the number has, then those bits.
//
//   class 0        the number 0
//   class 1..14    |number| has this many bits: its sign, then all bits but the leading one
//   class 15       too large: the caller writes the field at full width
//
// A row of sixteen lengths gives the length of each class's prefix; the codes follow from the lengths. No
// length exceeds eight, so one lookup in a table of 256 entries decodes a class.

#include <fray/bits.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace fray {

inline constexpr unsigned kClassCount = 16;
inline constexpr unsigned kLargeClass = kClassCount - 1;

[[nodiscard]] constexpr unsigned class_of(std::int64_t number) {
    const auto size = static_cast<std::uint64_t>(number < 0 ? -number : number);
    const auto width = static_cast<unsigned>(std::bit_width(size));
    return width < kLargeClass ? width : kLargeClass;
}

class ClassCode {
public:
    using Lengths = std::array<std::uint8_t, kClassCount>;

    /// The canonical code of these lengths: shorter codes are smaller, equally long ones are ordered by
    /// class.
    explicit constexpr ClassCode(const Lengths& lengths);

    /// Every class has a code, and the code is complete: any bits decode to exactly one class.
    [[nodiscard]] constexpr bool complete() const { return complete_; }
    [[nodiscard]] constexpr unsigned length(unsigned number_class) const { return length_[number_class]; }
    /// The bits of a class's prefix, first bit lowest.
    [[nodiscard]] constexpr std::uint32_t prefix(unsigned number_class) const {
        return prefix_[number_class];
    }
    /// Bits of a number; of a large one, only those of its class.
    [[nodiscard]] constexpr unsigned bits(unsigned number_class) const {
        return length_[number_class] + (number_class < kLargeClass ? number_class : 0);
    }

    /// Writes the number; of a large one, only the class. Returns the class.
    unsigned write(BitWriter& out, std::int64_t number) const;
    /// Reads a number from the next bits, at most kMostBits of them; of a large one, only the class.
    /// Returns the class.
    unsigned read(std::uint64_t window, unsigned& used, std::int64_t& number) const;
    static constexpr unsigned kMostBits = 8 + kLargeClass - 1;

private:
    static constexpr unsigned kMostLength = 8;

    std::array<std::uint8_t, kClassCount> length_{};
    std::array<std::uint8_t, kClassCount> prefix_{};
    /// By the next eight bits: the class, how long its prefix is (from bit 4), and the whole number (from bit
    /// 8).
    std::array<std::uint16_t, 1U << kMostLength> decoded_{};
    bool complete_ = false;
};

constexpr ClassCode::ClassCode(const Lengths& lengths) : length_{lengths} {
    unsigned next = 0;
    unsigned coded = 0;
    for (unsigned length = 1; length <= kMostLength; ++length) {
        next <<= 1U;
        for (unsigned c = 0; c < kClassCount; ++c) {
            if (lengths[c] != length) continue;
            unsigned reversed = 0;
            for (unsigned i = 0; i < length; ++i) reversed |= ((next >> i) & 1U) << (length - 1 - i);
            prefix_[c] = static_cast<std::uint8_t>(reversed);
            const unsigned entry = c | (length << 4U) | (bits(c) << 8U);
            for (unsigned high = 0; high < (1U << (kMostLength - length)); ++high) {
                decoded_[reversed | (high << length)] = static_cast<std::uint16_t>(entry);
            }
            ++next;
            ++coded;
        }
    }
    complete_ = coded == kClassCount && next == 1U << kMostLength;
}

inline unsigned ClassCode::write(BitWriter& out, std::int64_t number) const {
    const unsigned c = class_of(number);
    if (c == 0 || c == kLargeClass) {
        out.bits(prefix_[c], length_[c]);
        return c;
    }
    const auto size = static_cast<std::uint64_t>(number < 0 ? -number : number);
    const std::uint64_t rest = (size << 1U | (number < 0 ? 1U : 0U)) & low_mask(c);
    out.bits(prefix_[c] | rest << length_[c], length_[c] + c);
    return c;
}

inline unsigned ClassCode::read(std::uint64_t window, unsigned& used, std::int64_t& number) const {
    const unsigned entry = decoded_[window & low_mask(kMostLength)];
    const unsigned c = entry & 15U;
    used = entry >> 8U;
    number = 0;
    if (c == 0 || c == kLargeClass) return c;
    const auto rest = static_cast<std::uint32_t>(window >> ((entry >> 4U) & 15U));
    const std::uint32_t leading = 1U << (c - 1);
    const auto size = static_cast<std::int64_t>(leading | (rest >> 1U & (leading - 1)));
    number = (rest & 1U) != 0 ? -size : size;
    return c;
}

}  // namespace fray
