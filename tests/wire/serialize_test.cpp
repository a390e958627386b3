#include <fray/encode.hpp>
#include <fray/serialize.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace fray {
namespace {

enum class Gear : std::uint8_t { park, drive, reverse };

struct Waypoint {
    std::uint16_t tile = 0;
    float height = 0;
    friend bool operator==(const Waypoint&, const Waypoint&) = default;
};
template <class Stream>
void serialize(Stream& stream, Waypoint& value) {
    stream.integer(value.tile, 0, 999);
    stream.real(value.height);
}

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
    std::vector<std::uint8_t> name{};
    std::string title{};
    float exact = 0;
    double precise = 0;
    std::vector<Waypoint> path{};
    std::vector<std::uint8_t> dice{};

    friend bool operator==(const Everything&, const Everything&) = default;
};

constexpr Range kPlace{-100, 100, 0.25F};
constexpr std::size_t kMostName = 20;
constexpr std::size_t kMostPath = 5;

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
    stream.text(value.title, kMostName);
    stream.real(value.exact);
    stream.real(value.precise);
    stream.list(value.path, kMostPath);
    stream.list(value.dice, kMostPath, [](auto& s, std::uint8_t& eyes) { s.integer(eyes, 1, 6); });
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
    value.title = *rc::gen::arbitrary<std::string>();
    value.title.resize(std::min(value.title.size(), kMostName));
    value.exact = static_cast<float>(*rc::gen::arbitrary<std::int32_t>()) / 7;
    value.precise = static_cast<double>(*rc::gen::arbitrary<std::int32_t>()) / 7;
    value.path.resize(*rc::gen::inRange<std::size_t>(0, kMostPath + 1));
    for (Waypoint& point : value.path)
        point = {*rc::gen::inRange<std::uint16_t>(0, 1000), static_cast<float>(*rc::gen::inRange(0, 9))};
    value.dice.resize(*rc::gen::inRange<std::size_t>(0, kMostPath + 1));
    for (std::uint8_t& eyes : value.dice) eyes = *rc::gen::inRange<std::uint8_t>(1, 7);
    return value;
}

RC_GTEST_PROP(Serialize, WhatWasWrittenIsReadAndMeasuredAlike, ()) {
    const Everything value = any_value();
    std::array<std::uint8_t, 256> memory{};
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
    RC_ASSERT(value.title.size() <= kMostName);
    RC_ASSERT(std::isfinite(value.exact));
    RC_ASSERT(std::isfinite(value.precise));
    RC_ASSERT(value.path.size() <= kMostPath);
    for (const std::uint8_t eyes : value.dice) RC_ASSERT(eyes >= 1 && eyes <= 6);
    RC_ASSERT(measure(value) == in.position());
}

TEST(Serialize, ObjectsNestAndConstantsCostNothing) {
    Nested value;
    value.inner.number = -17;
    std::array<std::uint8_t, 256> memory{};
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
    value.title.assign(100, 'x');
    value.exact = std::numeric_limits<float>::quiet_NaN();
    value.path.resize(9);
    value.dice = {0, 7};
    std::array<std::uint8_t, 256> memory{};
    BitWriter out{memory};
    write(out, value);
    BitReader in{memory};
    Everything back;
    ASSERT_TRUE(read(in, back));
    EXPECT_EQ(back.number, 50);
    EXPECT_EQ(back.place, 100);
    EXPECT_EQ(back.name.size(), kMostName);
    EXPECT_EQ(back.title.size(), kMostName);
    EXPECT_EQ(back.exact, 0);
    EXPECT_EQ(back.path.size(), kMostPath);
    EXPECT_EQ(back.dice, (std::vector<std::uint8_t>{1, 6}));
}

/// The number of the field that bytes_of() complains about; 0 if it does not.
std::uint32_t wrong_field(const Everything& value) {
    std::vector<std::uint8_t> bytes;
    const std::uint32_t field = detail::encode_value(value, bytes);
    EXPECT_EQ(bytes_of(value).has_value(), field == 0);
    EXPECT_EQ(bytes.empty(), field != 0);
    return field;
}

TEST(Serialize, AValueOutsideItsRangeIsNamedByItsField) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    const Everything fine{.number = 50, .place = 100.1F, .heading = -720, .dice = {6}};
    EXPECT_EQ(wrong_field(fine), 0U) << "half a step outside is as exact as promised";
    const auto with = [&](auto change) {
        Everything value = fine;
        change(value);
        return wrong_field(value);
    };
    EXPECT_EQ(with([](Everything& v) { v.number = 51; }), 2U);
    EXPECT_EQ(with([](Everything& v) { v.number = -1001; }), 2U);
    EXPECT_EQ(with([](Everything& v) { v.gear = Gear{3}; }), 4U);
    EXPECT_EQ(with([](Everything& v) { v.place = 100.2F; }), 7U);
    EXPECT_EQ(with([](Everything& v) { v.place = kNaN; }), 7U);
    EXPECT_EQ(with([](Everything& v) { v.heading = kNaN; }), 8U);
    EXPECT_EQ(with([](Everything& v) { v.name.resize(21); }), 10U);
    EXPECT_EQ(with([](Everything& v) { v.title.resize(21); }), 11U);
    EXPECT_EQ(with([](Everything& v) { v.exact = kNaN; }), 12U);
    EXPECT_EQ(with([](Everything& v) { v.precise = std::numeric_limits<double>::infinity(); }), 13U);
    EXPECT_EQ(with([](Everything& v) { v.path.resize(6); }), 14U);
    EXPECT_EQ(with([](Everything& v) { v.path = {{1, 0}, {1000, 0}}; }), 17U) << "the second tile";
    EXPECT_EQ(with([](Everything& v) { v.dice = {1, 7}; }), 17U);
}

TEST(Serialize, OnlyTheExactBytesOfAValueAreRead) {
    const Waypoint value{.tile = 17, .height = 2.5F};
    auto bytes = *bytes_of(value);
    EXPECT_EQ(bytes.size(), 6U);  // 10 and 32 bits
    EXPECT_EQ(value_of<Waypoint>(bytes), value);
    bytes.back() |= 0x80;  // padding
    EXPECT_EQ(value_of<Waypoint>(bytes), std::nullopt);
    bytes.back() &= 0x7F;
    bytes.push_back(0);
    EXPECT_EQ(value_of<Waypoint>(bytes), std::nullopt);
    bytes.resize(5);
    EXPECT_EQ(value_of<Waypoint>(bytes), std::nullopt);
}

TEST(Serialize, ReadersRefuseNumbersThatAreNotFiniteAndListsThatAreTooLong) {
    std::array<std::uint8_t, 16> memory{};
    const float infinity = std::numeric_limits<float>::infinity();
    std::memcpy(memory.data(), &infinity, sizeof infinity);
    BitReader reals{memory};
    ReadStream real{reals};
    float number = 1;
    real.real(number);
    EXPECT_FALSE(real.ok());
    EXPECT_EQ(number, 1);

    BitWriter out{memory};
    write_varint(out, 1'000'000);
    BitReader lists{memory, out.bit_count()};
    ReadStream list{lists};
    std::vector<Waypoint> path;
    list.list(path, 2'000'000);  // a length that so few bits cannot follow
    EXPECT_FALSE(list.ok());
    EXPECT_LT(path.capacity(), 10U);
    BitReader again{memory};
    ReadStream bounded{again};
    bounded.list(path, 999'999);
    EXPECT_FALSE(bounded.ok());
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
