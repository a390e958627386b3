#include "link/reassembly.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fray {
namespace {

using Outcome = Reassembly::Outcome;
using Bytes = std::vector<std::uint8_t>;

Bytes piece(std::uint8_t value, std::size_t size = kFragmentBytes) { return Bytes(size, value); }

TEST(Reassembly, PiecesInAnyOrderGiveTheMessage) {
    Reassembly pieces{kMaxPartials};
    EXPECT_EQ(pieces.add(7, {2, 2}, piece(3, 10)), Outcome::incomplete);
    EXPECT_EQ(pieces.add(7, {0, 2}, piece(1)), Outcome::incomplete);
    EXPECT_EQ(pieces.add(7, {0, 2}, piece(1)), Outcome::incomplete);  // a duplicate
    ASSERT_EQ(pieces.add(7, {1, 2}, piece(2)), Outcome::complete);
    const Bytes whole(pieces.bytes().begin(), pieces.bytes().end());
    ASSERT_EQ(whole.size(), 2 * kFragmentBytes + 10);
    EXPECT_EQ(std::ranges::count(whole, 1), static_cast<std::ptrdiff_t>(kFragmentBytes));
    EXPECT_EQ(whole.back(), 3);
}

TEST(Reassembly, ImpossiblePiecesAreRefused) {
    Reassembly pieces{kMaxPartials};
    EXPECT_EQ(pieces.add(1, {3, 2}, piece(0)), Outcome::impossible);
    EXPECT_EQ(pieces.add(1, {0, kMaxFragments}, piece(0)), Outcome::impossible);
    EXPECT_EQ(pieces.add(1, {0, 1}, piece(0, 5)), Outcome::impossible);  // only the last may be short
    EXPECT_EQ(pieces.add(1, {1, 1}, piece(0, kFragmentBytes + 1)), Outcome::impossible);
    ASSERT_EQ(pieces.add(1, {0, 1}, piece(0)), Outcome::incomplete);
    EXPECT_EQ(pieces.add(1, {2, 2}, piece(0)), Outcome::impossible);  // another length than before
}

TEST(Reassembly, SixtyFourPiecesAreTheMost) {
    Reassembly pieces{kMaxPartials};
    for (std::uint8_t i = 0; i < 63; ++i) ASSERT_EQ(pieces.add(1, {i, 63}, piece(i)), Outcome::incomplete);
    ASSERT_EQ(pieces.add(1, {63, 63}, piece(63)), Outcome::complete);
    EXPECT_EQ(pieces.bytes().size(), kMaxFragments * kFragmentBytes);
}

TEST(Reassembly, AStrangerCannotMakeItGrow) {
    Reassembly pieces{kMaxPartials};
    for (std::uint32_t key = 0; key < 5000; ++key)
        ASSERT_EQ(pieces.add(key, {63, 63}, piece(1)), Outcome::incomplete);
    EXPECT_LE(pieces.heap_bytes(), (kMaxPartials + 1) * (kMaxFragments * kFragmentBytes + 256));
    EXPECT_GT(pieces.heap_bytes(), kMaxFragments * kFragmentBytes);
}

}  // namespace
}  // namespace fray
