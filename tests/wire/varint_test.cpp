#include <fray/serialize.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace fray {
namespace {

std::uint64_t any_size() {
    const auto shift = *rc::gen::inRange(0U, 64U);
    return *rc::gen::arbitrary<std::uint64_t>() >> shift;
}

RC_GTEST_PROP(Varint, RoundTripTakesTheBitsItSays, ()) {
    const std::uint64_t value = any_size();
    std::array<std::uint8_t, 16> memory{};
    BitWriter out{memory};
    write_varint(out, value);
    RC_ASSERT(out.bit_count() == varint_bits(value));
    BitReader in{memory};
    RC_ASSERT(read_varint(in) == value);
    RC_ASSERT(in.ok());
    RC_ASSERT(in.position() == varint_bits(value));
}

TEST(Varint, SmallNumbersAreCheap) {
    EXPECT_EQ(varint_bits(0), 5U);
    EXPECT_EQ(varint_bits(15), 5U);
    EXPECT_EQ(varint_bits(16), 10U);
    EXPECT_EQ(varint_bits(255), 10U);
    EXPECT_EQ(varint_bits(~std::uint64_t{0}), 80U);
}

RC_GTEST_PROP(Varint, AnyBitsAreRefusedOrTheOneSpellingOfTheirValue, (std::array<std::uint8_t, 12> bytes)) {
    BitReader in{bytes};
    const std::uint64_t value = read_varint(in);
    if (!in.ok()) {
        RC_ASSERT(value == 0U);
        return;
    }
    std::array<std::uint8_t, 12> again{};
    BitWriter out{again};
    write_varint(out, value);
    RC_ASSERT(out.bit_count() == in.position());
    BitReader a{bytes, in.position()};
    BitReader b{again, in.position()};
    while (a.bits_left() > 0) RC_ASSERT(a.boolean() == b.boolean());
}

TEST(Varint, ANeedlessLastGroupIsRefused) {
    std::array<std::uint8_t, 4> memory{};
    BitWriter out{memory};
    out.bits(0b10011, 5);
    out.bits(0, 5);
    BitReader in{memory};
    EXPECT_EQ(read_varint(in), 0U);
    EXPECT_FALSE(in.ok());
}

TEST(Varint, MoreThanSixteenGroupsAreRefused) {
    std::array<std::uint8_t, 16> memory{};
    memory.fill(0xFF);
    BitReader in{memory};
    EXPECT_EQ(read_varint(in), 0U);
    EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace fray
