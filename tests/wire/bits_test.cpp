#include <fray/bits.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace fray {
namespace {

struct Chunk {
    std::uint64_t value;
    unsigned count;
};

std::vector<Chunk> chunks() {
    const auto pairs = *rc::gen::container<std::vector<std::pair<std::uint64_t, unsigned>>>(
        rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0U, 65U)));
    std::vector<Chunk> result;
    for (const auto& [value, count] : pairs) result.push_back({value, count});
    return result;
}

std::size_t total_bits(const std::vector<Chunk>& all) {
    std::size_t bits = 0;
    for (const Chunk& chunk : all) bits += chunk.count;
    return bits;
}

RC_GTEST_PROP(Bits, WhatWasWrittenIsRead, ()) {
    const std::vector<Chunk> all = chunks();
    // Exactly as much memory as needed, so that the path near the end is used as well, and dirty memory.
    std::vector<std::uint8_t> memory((total_bits(all) + 7) / 8, 0xA5);
    BitWriter out{memory};
    for (const Chunk& chunk : all) out.bits(chunk.value, chunk.count);
    RC_ASSERT(out.bit_count() == total_bits(all));
    RC_ASSERT(out.finish().size() == memory.size());
    RC_ASSERT(!out.overflowed());
    BitReader in{memory};
    for (const Chunk& chunk : all) RC_ASSERT(in.bits(chunk.count) == (chunk.value & low_mask(chunk.count)));
    RC_ASSERT(in.ok());
}

RC_GTEST_PROP(Bits, MemoryDoesNotDependOnHowBitsAreGrouped, (std::uint64_t value, std::uint64_t more)) {
    const unsigned cut = *rc::gen::inRange(0U, 65U);
    std::array<std::uint8_t, 32> one{};
    std::array<std::uint8_t, 32> two{};
    BitWriter a{one};
    a.bits(5, 3);
    a.bits(value, 64);
    a.bits(more, 64);
    BitWriter b{two};
    b.bits(5, 3);
    b.bits(value, cut);
    b.bits(cut < 64 ? value >> cut : 0, 64 - cut);
    for (unsigned i = 0; i < 64; ++i) b.bits(more >> i, 1);
    a.finish();
    b.finish();
    RC_ASSERT(one == two);
}

RC_GTEST_PROP(Bits, NothingIsWrittenBehindTheMemory, ()) {
    const std::vector<Chunk> all = chunks();
    std::vector<std::uint8_t> memory(64, 0xEE);
    const auto size = *rc::gen::inRange<std::size_t>(0, 33);
    BitWriter out{std::span{memory}.first(size)};
    for (const Chunk& chunk : all) out.bits(chunk.value, chunk.count);
    out.finish();
    for (std::size_t i = size; i < memory.size(); ++i) RC_ASSERT(memory[i] == 0xEE);
    RC_ASSERT(out.overflowed() || total_bits(all) <= size * 8);
}

TEST(BitWriter, LowestBitComesFirst) {
    std::array<std::uint8_t, 2> memory{0xFF, 0xFF};
    BitWriter out{memory};
    out.boolean(true);
    out.bits(0b010, 3);
    out.bits(0b11, 2);
    EXPECT_EQ(out.finish().size(), 1U);
    EXPECT_EQ(memory[0], 0b00110101);
    EXPECT_EQ(memory[1], 0xFF);
}

TEST(BitWriter, AnOverflowSetsTheFlagAndWritesNothing) {
    std::array<std::uint8_t, 2> memory{};
    BitWriter out{memory};
    out.bits(0x7F, 7);
    out.bits(0xFFFF, 10);
    EXPECT_TRUE(out.overflowed());
    EXPECT_EQ(out.bit_count(), 7U);
    EXPECT_EQ(out.bits_left(), 9U);
    EXPECT_EQ(memory[1], 0);
}

TEST(BitWriter, RewindTakesBackAnOverflow) {
    std::array<std::uint8_t, 2> memory{};
    BitWriter out{memory};
    out.bits(5, 3);
    const std::size_t mark = out.bit_count();
    out.bits(0x3FF, 10);
    out.bits(0, 10);
    ASSERT_TRUE(out.overflowed());
    out.rewind(mark);
    EXPECT_FALSE(out.overflowed());
    out.bits(0, 13);
    out.finish();
    EXPECT_EQ(memory[0], 5);
    EXPECT_EQ(memory[1], 0);
}

RC_GTEST_PROP(BitWriter, CopyAppendsBitsFromElsewhere, (std::vector<std::uint8_t> source)) {
    const auto count = *rc::gen::inRange<std::size_t>(0, source.size() * 8 + 1);
    const auto before = *rc::gen::inRange(0U, 9U);
    constexpr std::uint8_t kBehind = 0xA5;
    const std::size_t size = (before + count + 7) / 8;  // just enough
    std::vector<std::uint8_t> memory(size + 8, kBehind);
    BitWriter out{std::span{memory}.first(size)};
    out.bits(~std::uint64_t{0}, before);
    out.copy(source, count);
    RC_ASSERT(!out.overflowed());
    RC_ASSERT(out.bit_count() == before + count);
    RC_ASSERT(std::ranges::count(std::span{memory}.subspan(size), kBehind) == 8);
    BitReader a{source};
    BitReader b{memory};
    for (unsigned i = 0; i < before; ++i) RC_ASSERT(b.boolean());
    for (std::size_t i = 0; i < count; ++i) RC_ASSERT(a.boolean() == b.boolean());
}

TEST(BitWriter, CopyOfMoreThanThereIsIsAnOverflow) {
    const std::array<std::uint8_t, 1> source{};
    std::array<std::uint8_t, 4> memory{};
    BitWriter out{memory};
    out.copy(source, 9);
    EXPECT_TRUE(out.overflowed());
    EXPECT_EQ(out.bit_count(), 0U);
}

TEST(BitReader, ReadingPastTheEndFailsForGood) {
    const std::array<std::uint8_t, 2> memory{0xFF, 0xFF};
    BitReader in{memory, 10};
    EXPECT_EQ(in.bits(8), 0xFFU);
    EXPECT_EQ(in.bits_left(), 2U);
    EXPECT_EQ(in.bits(3), 0U);
    EXPECT_FALSE(in.ok());
    EXPECT_EQ(in.bits(1), 0U);
    EXPECT_EQ(in.bits_left(), 0U);
}

TEST(BitReader, PeekMovesNothingAndShowsZerosBehindTheEnd) {
    const std::vector<std::uint8_t> memory(20, 0xFF);
    BitReader in{memory, 100};
    in.skip(30);
    EXPECT_EQ(in.peek(), ~std::uint64_t{0});
    EXPECT_EQ(in.position(), 30U);
    in.skip(60);
    EXPECT_EQ(in.peek(), low_mask(10));
    in.skip(11);
    EXPECT_FALSE(in.ok());
    EXPECT_EQ(in.peek(), 0U);
}

TEST(BitReader, NeverGoesBehindItsMemoryWhateverTheBitCountSays) {
    const std::array<std::uint8_t, 1> memory{0x5A};
    BitReader in{memory, 1000};
    EXPECT_EQ(in.bits_left(), 8U);
    EXPECT_EQ(in.bits(8), 0x5AU);
}

TEST(BitsFor, CountsTheBitsOfTheLargestValue) {
    EXPECT_EQ(bits_for(0), 0U);
    EXPECT_EQ(bits_for(1), 1U);
    EXPECT_EQ(bits_for(255), 8U);
    EXPECT_EQ(bits_for(256), 9U);
    EXPECT_EQ(bits_for(~std::uint64_t{0}), 64U);
}

}  // namespace
}  // namespace fray
