#include <fray/assert.hpp>
#include <fray/bits.hpp>

#include <algorithm>

namespace fray {

void BitWriter::bits_near_end(std::uint64_t value, unsigned count) {
    if (count > bits_left()) {
        overflowed_ = true;
        return;
    }
    value &= low_mask(count);
    for (unsigned done = 0; done < count;) {
        const std::size_t byte = position_ / 8;
        const auto shift = static_cast<unsigned>(position_ % 8);
        const unsigned step = std::min(8 - shift, count - done);
        const std::uint64_t kept = memory_[byte] & low_mask(shift);
        memory_[byte] = static_cast<std::uint8_t>(kept | ((value >> done) << shift));
        done += step;
        position_ += step;
    }
}

void BitWriter::copy(std::span<const std::uint8_t> source, std::size_t bit_count) {
    if (bit_count > source.size() * 8 || bit_count > bits_left()) {
        overflowed_ = true;
        return;
    }
    // Whole words first. Each ends within the memory, and what does not fit its eight bytes begins the next.
    const auto shift = static_cast<unsigned>(position_ % 8);
    const std::size_t words = bit_count / 64;
    std::uint64_t word = 0;
    if (words > 0) {
        std::uint8_t* to = &memory_[position_ / 8];
        std::uint64_t begun = *to & low_mask(shift);
        for (std::size_t i = 0; i < words; ++i, to += 8) {
            std::memcpy(&word, source.data() + 8 * i, 8);
            const std::uint64_t whole = word << shift | begun;
            std::memcpy(to, &whole, 8);
            begun = (word >> 1U) >> (63 - shift);
        }
        if (shift != 0) *to = static_cast<std::uint8_t>(begun);
        position_ += words * 64;
    }
    const auto rest = static_cast<unsigned>(bit_count % 64);
    if (rest == 0) return;
    const std::size_t left = source.size() - 8 * words;
    if (left >= 8) {
        std::memcpy(&word, source.data() + 8 * words, 8);
    } else if (words > 0) {  // the last eight bytes, of which the first were copied already
        std::memcpy(&word, source.data() + source.size() - 8, 8);
        word >>= 8 * (8 - left);
    } else {
        std::memcpy(&word, source.data(), left);
    }
    bits(word, rest);
}

void BitWriter::rewind(std::size_t mark) {
    FRAY_ASSERT(mark <= position_);
    position_ = mark;
    overflowed_ = false;
}

std::span<const std::uint8_t> BitWriter::finish() {
    const auto used = static_cast<unsigned>(position_ % 8);
    if (used != 0) {
        memory_[position_ / 8] &= static_cast<std::uint8_t>(low_mask(used));
        position_ += 8 - used;
    }
    return memory_.first(position_ / 8);
}

void BitReader::copy_to(std::span<std::uint8_t> target) {
    for (std::size_t done = 0; done < target.size();) {
        const std::size_t step = std::min<std::size_t>(8, target.size() - done);
        const std::uint64_t word = bits(static_cast<unsigned>(step * 8));
        std::memcpy(&target[done], &word, step);
        done += step;
    }
}

std::uint64_t BitReader::word_near_end() const {
    const std::size_t size = memory_.size();
    const std::size_t byte = position_ / 8;
    if (byte >= size) return 0;
    // A word that was stored byte by byte and is then loaded as a whole makes the processor wait.
    std::uint64_t low = 0;
    if (size >= 8) {
        const std::size_t left = std::min<std::size_t>(8, size - byte);
        std::memcpy(&low, memory_.data() + size - 8, 8);
        low >>= 8 * (8 - left);
    } else {
        for (std::size_t i = size; i > byte; --i) low = low << 8U | memory_[i - 1];
    }
    return low >> static_cast<unsigned>(position_ % 8);
}

}  // namespace fray
