#pragma once
// Bit streams in memory, least significant bit first. Writers and readers check every bound: a write or read
// past the end sets a flag and touches no memory, so a length in a received datagram can be used unchecked.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fray {

static_assert(std::endian::native == std::endian::little,
              "bits are moved in words whose first byte is the lowest");

class BitWriter {
public:
    explicit BitWriter(std::span<std::uint8_t> memory) : memory_{memory} {}

    /// Appends the low `count` bits of value; count is 0 to 64. Higher bits of value are ignored. Memory
    /// after the last bit is unspecified until finish().
    void bits(std::uint64_t value, unsigned count);
    void boolean(bool value) { bits(value ? 1 : 0, 1); }
    /// Appends the first `bit_count` bits of source. Overflows if source holds fewer.
    void copy(std::span<const std::uint8_t> source, std::size_t bit_count);

    [[nodiscard]] std::size_t bit_count() const { return position_; }
    [[nodiscard]] std::size_t bits_left() const { return memory_.size() * 8 - position_; }
    [[nodiscard]] bool overflowed() const { return overflowed_; }
    /// Discards everything written after the mark (an earlier bit_count()) and clears the overflow flag.
    void rewind(std::size_t mark);
    /// Pads the last byte with zero bits and returns all bytes written.
    std::span<const std::uint8_t> finish();

private:
    /// The same where fewer than nine bytes are left: only there can it overflow.
    void bits_near_end(std::uint64_t value, unsigned count);

    std::span<std::uint8_t> memory_;
    std::size_t position_ = 0;
    bool overflowed_ = false;
};

class BitReader {
public:
    explicit BitReader(std::span<const std::uint8_t> memory) : memory_{memory}, end_{memory.size() * 8} {}
    /// Reads at most the first bit_count bits of memory. The reader may load bytes behind them for speed but
    /// never returns them. Reading is fastest if at least eight bytes follow.
    BitReader(std::span<const std::uint8_t> memory, std::size_t bit_count)
        : memory_{memory}, end_{bit_count < memory.size() * 8 ? bit_count : memory.size() * 8} {}

    /// Returns the next `count` bits, 0 to 64; zero if fewer are left, and ok() is then false.
    std::uint64_t bits(unsigned count);
    /// Returns the next 64 bits without advancing; bits behind the end are zero.
    [[nodiscard]] std::uint64_t peek() const;
    bool boolean() { return bits(1) != 0; }
    void skip(std::size_t count);
    /// Fills target with the next bytes. If too few are left, ok() is false and missing bytes are zero.
    void copy_to(std::span<std::uint8_t> target);

    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] std::size_t bits_left() const { return end_ - position_; }
    /// False after a read past the end or a call of fail().
    [[nodiscard]] bool ok() const { return ok_; }
    /// Marks the input as invalid: every later read returns zero.
    void fail() {
        ok_ = false;
        position_ = end_;
    }
    [[nodiscard]] std::span<const std::uint8_t> memory() const { return memory_; }

private:
    /// Returns 64 bits of memory from the position on, ignoring end_; zeros behind the memory.
    [[nodiscard]] std::uint64_t word() const;
    /// The same, but only kShortBits of them are valid.
    [[nodiscard]] std::uint64_t short_word() const;
    [[nodiscard]] std::uint64_t word_near_end() const;
    static constexpr unsigned kShortBits = 57;  // of eight bytes, from any bit of the first one on

    std::span<const std::uint8_t> memory_;
    std::size_t end_;
    std::size_t position_ = 0;
    bool ok_ = true;
};

/// Number of bits for the values 0..largest; 0 if largest is 0.
[[nodiscard]] constexpr unsigned bits_for(std::uint64_t largest) {
    return static_cast<unsigned>(std::bit_width(largest));
}

/// A mask with the low `count` bits set; count is 0 to 64.
[[nodiscard]] constexpr std::uint64_t low_mask(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The functions below run for every field of every update. They move whole words while nine bytes are left;
// bits.cpp handles the last bytes one by one.

// Compilers stop inlining in large units; a call costs more than the bits.
[[gnu::always_inline]] inline void BitWriter::bits(std::uint64_t value, unsigned count) {
    const std::size_t byte = position_ / 8;
    if (byte + 9 > memory_.size()) return bits_near_end(value, count);
    const auto shift = static_cast<unsigned>(position_ % 8);
    value &= low_mask(count);
    const std::uint64_t word = (memory_[byte] & low_mask(shift)) | (value << shift);
    std::memcpy(&memory_[byte], &word, 8);
    if (shift + count > 64) memory_[byte + 8] = static_cast<std::uint8_t>(value >> (64 - shift));
    position_ += count;
}

inline std::uint64_t BitReader::word() const {
    const std::size_t byte = position_ / 8;
    if (byte + 9 > memory_.size()) return word_near_end();
    const auto shift = static_cast<unsigned>(position_ % 8);
    std::uint64_t low = 0;
    std::memcpy(&low, &memory_[byte], 8);
    return (low >> shift) | ((std::uint64_t{memory_[byte + 8]} << 1U) << (63 - shift));
}

inline std::uint64_t BitReader::short_word() const {
    const std::size_t byte = position_ / 8;
    if (byte + 8 > memory_.size()) return word_near_end();
    std::uint64_t low = 0;
    std::memcpy(&low, &memory_[byte], 8);
    return low >> (position_ % 8);
}

inline std::uint64_t BitReader::peek() const {
    const std::size_t left = bits_left();
    return left >= 64 ? word() : word() & low_mask(static_cast<unsigned>(left));
}

inline void BitReader::skip(std::size_t count) {
    if (count > bits_left()) return fail();
    position_ += count;
}

inline std::uint64_t BitReader::bits(unsigned count) {
    if (count > bits_left()) {
        fail();
        return 0;
    }
    const std::uint64_t value = (count <= kShortBits ? short_word() : word()) & low_mask(count);
    position_ += count;
    return value;
}

}  // namespace fray
