#include <fray/serialize.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace fray {
namespace {

enum class Gear : std::uint8_t { park, drive, reverse };

/// One field of every kind.
struct Everything {
    bool flag = false;
    std::int32_t number = 0;
    std::int64_t any = 0;
    Gear gear = Gear::park;
    std::uint32_t variable = 0;
    std::uint16_t whole = 0;
    float place = 0;
    float heading = 0;
    std::array<std::uint8_t, 3> tag{};
    std::vector<std::uint8_t> name;

    friend bool operator==(const Everything&, const Everything&) = default;
};

constexpr Range kPlace{-100, 100, 0.25F};
constexpr std::size_t kMostName = 20;

template <class Stream>
void serialize(Stream& stream, Everything& value) {
    stream.boolean(value.flag);
    stream.integer(value.number, -1000, 50);
    stream.integer(value.any, std::numeric_limits<std::int64_t>::min(),
                   std::numeric_limits<std::int64_t>::max());
    stream.enumeration(value.gear, Gear::reverse);
    stream.varint(value.variable);
    stream.whole(value.whole);
    stream.quantised(value.place, kPlace);
    stream.angle(value.heading, 9);
    stream.array(value.tag);
    stream.bytes(value.name, kMostName);
}

struct Nested {
    Everything inner;
    std::uint8_t constant = 7;
};

template <class Stream>
void serialize(Stream& stream, Nested& value) {
    stream.object(value.inner);
    stream.integer(value.constant, 7, 7);
}

Everything any_value() {
    Everything value;
    value.flag = *rc::gen::arbitrary<bool>();
    value.number = *rc::gen::inRange(-1000, 51);
    value.any = *rc::gen::arbitrary<std::int64_t>();
    value.gear = *rc::gen::element(Gear::park, Gear::drive, Gear::reverse);
    value.variable = *rc::gen::arbitrary<std::uint32_t>();
    value.whole = *rc::gen::arbitrary<std::uint16_t>();
    value.place = kPlace.restore(*rc::gen::inRange<std::uint32_t>(0, kPlace.steps() + 1));
    value.heading = restore_angle(*rc::gen::inRange<std::uint32_t>(0, 512), 9);
    value.tag = *rc::gen::arbitrary<std::array<std::uint8_t, 3>>();
    value.name = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
    value.name.resize(std::min(value.name.size(), kMostName));
    return value;
}

RC_GTEST_PROP(Serialize, WhatWasWrittenIsReadAndMeasuredAlike, ()) {
    const Everything value = any_value();
    std::array<std::uint8_t, 128> memory{};
    BitWriter out{memory};
    write(out, value);
    RC_ASSERT(!out.overflowed());
    RC_ASSERT(out.bit_count() == measure(value));
    BitReader in{memory, out.bit_count()};
    Everything back;
    RC_ASSERT(read(in, back));
    RC_ASSERT(back == value);
    RC_ASSERT(in.bits_left() == 0U);
}

RC_GTEST_PROP(Serialize, AnyBytesAreRefusedOrAValueInsideItsRanges, (std::vector<std::uint8_t> bytes)) {
    bytes.resize(bytes.size() + *rc::gen::inRange<std::size_t>(0, 60), 0x11);
    BitReader in{bytes};
    Everything value;
    if (!read(in, value)) return;
    RC_ASSERT(value.number >= -1000);
    RC_ASSERT(value.number <= 50);
    RC_ASSERT(value.gear <= Gear::reverse);
    RC_ASSERT(value.name.size() <= kMostName);
    RC_ASSERT(measure(value) == in.position());
}

TEST(Serialize, ObjectsNestAndConstantsCostNothing) {
    Nested value;
    value.inner.number = -17;
    std::array<std::uint8_t, 128> memory{};
    BitWriter out{memory};
    write(out, value);
    EXPECT_EQ(out.bit_count(), measure(value.inner));
    BitReader in{memory};
    Nested back{.inner = {}, .constant = 0};
    ASSERT_TRUE(read(in, back));
    EXPECT_EQ(back.inner, value.inner);
    EXPECT_EQ(back.constant, 7);
}

TEST(Serialize, WritersClampWhatIsOutOfRange) {
    Everything value;
    value.number = 99'999;
    value.place = 1e9F;
    value.name.assign(100, 'x');
    std::array<std::uint8_t, 128> memory{};
    BitWriter out{memory};
    write(out, value);
    BitReader in{memory};
    Everything back;
    ASSERT_TRUE(read(in, back));
    EXPECT_EQ(back.number, 50);
    EXPECT_EQ(back.place, 100);
    EXPECT_EQ(back.name.size(), kMostName);
}

TEST(Serialize, ReadersRefuseWhatIsOutOfRange) {
    std::array<std::uint8_t, 8> memory{};
    memory.fill(0xFF);
    BitReader numbers{memory};
    ReadStream stream{numbers};
    std::uint8_t small = 0;
    stream.integer(small, 0, 4);
    EXPECT_FALSE(stream.ok());

    BitReader texts{memory};
    ReadStream bytes{texts};
    std::vector<std::uint8_t> name;
    bytes.bytes(name, 1'000'000);
    EXPECT_FALSE(bytes.ok());
    EXPECT_EQ(name.capacity(), 0U);  // a length that cannot be followed by so many bytes allocates nothing
}

TEST(Serialize, AVarintThatDoesNotFitItsTypeIsRefused) {
    std::array<std::uint8_t, 8> memory{};
    BitWriter out{memory};
    write_varint(out, 256);
    BitReader in{memory};
    ReadStream stream{in};
    std::uint8_t value = 9;
    stream.varint(value);
    EXPECT_FALSE(stream.ok());
    EXPECT_EQ(value, 9);
}

}  // namespace
}  // namespace fray
