#include "wire/id_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <vector>

namespace fray {
namespace {

using Ids = std::vector<std::uint32_t>;

std::size_t bits_of(const Ids& ids) {
    std::vector<std::uint8_t> memory(ids.size() * 6 + 64);
    BitWriter out{memory};
    write_id_set(out, ids);
    EXPECT_FALSE(out.overflowed());
    BitReader in{memory, out.bit_count()};
    Ids back;
    EXPECT_TRUE(read_id_set(in, back, ids.size()));
    EXPECT_EQ(back, ids);
    EXPECT_EQ(in.bits_left(), 0U);
    return out.bit_count();
}

Ids random_set(std::uint32_t most_id) {
    const auto ids =
        *rc::gen::container<std::set<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, most_id));
    return {ids.begin(), ids.end()};
}

RC_GTEST_PROP(IdSet, ComesBackWhateverItsDensity, ()) {
    const auto most_id = *rc::gen::element<std::uint32_t>(8, 64, 300, 100'000, UINT32_MAX);
    const Ids ids = random_set(most_id);
    const std::size_t bits = bits_of(ids);
    RC_TAG(most_id);
    // Never much worse than the ids one by one.
    RC_ASSERT(bits <= 24 + 80 + ids.size() * 36);
}

TEST(IdSet, EdgesComeBack) {
    EXPECT_EQ(bits_of({}), 5U);
    EXPECT_EQ(bits_of({3}), 10U);
    bits_of({UINT32_MAX});
    bits_of({0, UINT32_MAX});
    bits_of({0, 1, UINT32_MAX - 1, UINT32_MAX});
    bits_of({0, 2, UINT32_MAX});
}

TEST(IdSet, ARunCostsOnlyItsEnds) {
    Ids run(1000);
    std::iota(run.begin(), run.end(), 7U);
    EXPECT_EQ(bits_of(run), 15U + 5U + 5U);
}

TEST(IdSet, DenseSetsCostABitPerNumberAndSparseOnesAFewPerId) {
    Ids dense;
    for (std::uint32_t id = 0; id < 400; ++id) {
        if (id % 5 != 2 && id % 7 != 3) dense.push_back(id);
    }
    EXPECT_LE(bits_of(dense), 400U + 30U);
    Ids sparse;
    for (std::uint32_t i = 0; i < 100; ++i) sparse.push_back(i * 1000 + (i * 7919) % 900);
    EXPECT_LE(bits_of(sparse), 100U * 13U);
}

TEST(IdSet, MoreThanTheMostIsRefused) {
    std::array<std::uint8_t, 64> memory{};
    BitWriter out{memory};
    write_id_set(out, Ids{1, 2, 3, 9});
    BitReader in{memory};
    Ids ids{5};
    EXPECT_FALSE(read_id_set(in, ids, 3));
    EXPECT_TRUE(ids.empty());
    EXPECT_FALSE(in.ok());
}

TEST(IdSet, IdsAboveThirtyTwoBitsAreRefused) {
    std::array<std::uint8_t, 64> memory{};
    BitWriter out{memory};
    for (const unsigned nibble : {2U}) out.bits(nibble, 5);  // two ids
    for (int group = 0; group < 7; ++group) out.bits(0x1F, 5);
    out.bits(0x0F, 5);  // the first is 2^32 - 1
    out.bits(0, 5);     // and so the last would be 2^32
    BitReader in{memory, out.bit_count()};
    Ids ids;
    EXPECT_FALSE(read_id_set(in, ids, 10));
}

RC_GTEST_PROP(IdSet, AnyBytesAreRefusedOrTheOneSpellingOfASet, (std::vector<std::uint8_t> bytes)) {
    BitReader in{bytes};
    Ids ids;
    if (!read_id_set(in, ids, 100)) {
        RC_ASSERT(ids.empty());
        return;
    }
    RC_ASSERT(ids.size() <= 100U);
    std::vector<std::uint8_t> again(bytes.size() + 16);
    BitWriter out{again};
    write_id_set(out, ids);
    RC_ASSERT(out.bit_count() == in.position());
    BitReader a{bytes, in.position()};
    BitReader b{again, in.position()};
    while (a.bits_left() > 0) RC_ASSERT(a.boolean() == b.boolean());
}

}  // namespace
}  // namespace fray
