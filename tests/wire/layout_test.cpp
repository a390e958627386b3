// The layout of an entity type: peers with different structs must not join each other.
#include <fray/world.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace fray {
namespace {

enum class Shape : std::uint8_t { circle, box, text };

/// A struct with enough members for all layouts below; `Which` says how they are serialized.
template <int Which>
struct Thing {
    bool flag = false;
    std::uint8_t a = 0;
    std::uint8_t b = 0;
    std::uint32_t number = 0;
    float x = 0;
    double y = 0;
    Shape shape = Shape::circle;
    std::string name{};
    std::vector<std::uint8_t> bytes{};
    std::vector<Thing> parts{};
};

template <class Stream>
auto element(std::uint8_t high) {
    return [high](Stream& stream, std::uint8_t& value) { stream.integer(value, 0, high); };
}

/// Fields that exist only if others have certain values, and a struct that contains itself.
template <class Stream, int Which>
void serialize_dependent(Stream& s, Thing<Which>& t) {
    if constexpr (Which == 22) {
        s.boolean(t.flag);
        if (t.flag) s.integer(t.a, 0, 6);
    }
    if constexpr (Which == 23) {
        s.boolean(t.flag);
        if (t.flag) s.integer(t.a, 1, 7);
    }
    if constexpr (Which == 24) {
        s.enumeration(t.shape, Shape::text);
        if (t.shape == Shape::text && !t.flag) s.text(t.name, 8);
    }
    if constexpr (Which == 25) {
        s.enumeration(t.shape, Shape::text);
        if (t.shape == Shape::text && !t.flag) s.text(t.name, 9);
    }
    if constexpr (Which == 26) s.boolean(t.flag), s.list(t.parts, 4);  // contains itself
    if constexpr (Which == 27) s.boolean(t.flag), s.list(t.parts, 5);
}

template <class Stream, int Which>
void serialize(Stream& s, Thing<Which>& t) {
    if constexpr (Which == 0) s.integer(t.a, 0, 100), s.integer(t.b, 0, 50);
    if constexpr (Which == 1) s.integer(t.a, 0, 50), s.integer(t.b, 0, 100);    // swapped
    if constexpr (Which == 2) s.integer(t.a, 100, 200), s.integer(t.b, 0, 50);  // shifted, the same width
    if constexpr (Which == 3) s.integer(t.a, 0, 101), s.integer(t.b, 0, 50);    // the same width
    if constexpr (Which == 4) s.quantised(t.x, {0, 100, 1});
    if constexpr (Which == 5) s.quantised(t.x, {50, 150, 1});  // shifted
    if constexpr (Which == 6) s.quantised(t.x, {0, 200, 2});   // coarser, the same width
    if constexpr (Which == 7) s.whole(t.a);
    if constexpr (Which == 8) s.integer(t.a, 0, 255);  // another kind
    if constexpr (Which == 9) s.angle(t.x, 8);
    if constexpr (Which == 10) s.whole(t.number);
    if constexpr (Which == 11) s.real(t.x);
    if constexpr (Which == 12) s.real(t.y);
    if constexpr (Which == 13) s.varint(t.number);
    if constexpr (Which == 14) s.varint(t.a);
    if constexpr (Which == 15) s.bytes(t.bytes, 8);
    if constexpr (Which == 16) s.bytes(t.bytes, 9);
    if constexpr (Which == 17) s.text(t.name, 8);
    if constexpr (Which == 18) s.list(t.bytes, 8, element<Stream>(6));
    if constexpr (Which == 19) s.list(t.bytes, 8, element<Stream>(7));  // another element
    if constexpr (Which == 20) s.enumeration(t.shape, Shape::text);
    if constexpr (Which == 21) s.integer(t.a, 0, 2);
    if constexpr (Which >= 22) serialize_dependent(s, t);
}

template <int... Which>
std::vector<std::uint64_t> layouts(std::integer_sequence<int, Which...>) {
    return {EntityType::of<Thing<Which>>("thing").layout...};
}

TEST(Layout, DiffersWithOrderKindRangeAndPrecision) {
    const auto all = layouts(std::make_integer_sequence<int, 28>{});
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]) << i << " and " << j;
    }
}

struct Outer {
    Thing<0> inner;
};
template <class Stream>
void serialize(Stream& stream, Outer& outer) {
    stream.object(outer.inner);
}

struct Signed {
    std::uint32_t a = 0;
    std::int16_t b = 0;
};
template <class Stream>
void serialize(Stream& stream, Signed& value) {
    stream.integer(value.a, 0, 100);
    stream.integer(value.b, 0, 50);
}

TEST(Layout, IsTheSameForTheSameFields) {
    const std::uint64_t layout = EntityType::of<Thing<0>>("a").layout;
    EXPECT_EQ(layout, EntityType::of<Outer>("b").layout) << "nesting takes no bits";
    EXPECT_EQ(layout, EntityType::of<Signed>("c").layout) << "the type in memory does not matter";
}

}  // namespace
}  // namespace fray
