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
    Reassembly pieces{kMaxPartials, kMaxLoosePieceBytes};
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
    Reassembly pieces{kMaxPartials, kMaxLoosePieceBytes};
    EXPECT_EQ(pieces.add(1, {3, 2}, piece(0)), Outcome::impossible);
    EXPECT_EQ(pieces.add(1, {0, kMaxFragments}, piece(0)), Outcome::impossible);
    EXPECT_EQ(pieces.add(1, {0, 1}, piece(0, 5)), Outcome::impossible);  // only the last may be short
    EXPECT_EQ(pieces.add(1, {1, 1}, piece(0, kFragmentBytes + 1)), Outcome::impossible);
    ASSERT_EQ(pieces.add(1, {0, 1}, piece(0)), Outcome::incomplete);
    EXPECT_EQ(pieces.add(1, {2, 2}, piece(0)), Outcome::impossible);  // another length than before
}

TEST(Reassembly, SixtyFourPiecesAreTheMost) {
    Reassembly pieces{kMaxPartials, kMaxLoosePieceBytes};
    for (std::uint8_t i = 0; i < 63; ++i) ASSERT_EQ(pieces.add(1, {i, 63}, piece(i)), Outcome::incomplete);
    ASSERT_EQ(pieces.add(1, {63, 63}, piece(63)), Outcome::complete);
    EXPECT_EQ(pieces.bytes().size(), kMaxFragments * kFragmentBytes);
}

TEST(Reassembly, AOneByteFragmentDoesNotAllocateTheWholeMessage) {
    Reassembly pieces{kReliableSpan / 2, kMaxReliablePieceBytes};
    for (std::uint32_t key = 0; key < 5000; ++key)
        ASSERT_EQ(pieces.add(key, {63, 63}, piece(1, 1)), Outcome::incomplete);
    EXPECT_LE(pieces.heap_bytes(), std::size_t{16} * 1024);
}

TEST(Reassembly, IncompleteMessagesAreBoundedInBytes) {
    Reassembly pieces{kReliableSpan / 2, kMaxReliablePieceBytes};
    for (std::uint32_t key = 0; key < 200; ++key) {
        for (std::uint8_t i = 1; i < 64; ++i)
            ASSERT_EQ(pieces.add(key, {i, 63}, piece(i)), Outcome::incomplete);
        ASSERT_LE(pieces.heap_bytes(), kMaxReliablePieceBytes + kMaxFragments * kFragmentBytes);
    }
    EXPECT_EQ(pieces.add(199, {0, 63}, piece(0)), Outcome::complete);  // the newest is kept
}

TEST(Reassembly, AMessageThatWasPutBackIsCompleteWithItsFragmentAgain) {
    for (std::uint8_t last_to_come = 0; last_to_come < 3; ++last_to_come) {
        Reassembly pieces{kMaxPartials, kMaxLoosePieceBytes};
        const auto size = [](std::uint8_t i) { return i == 2 ? std::size_t{10} : kFragmentBytes; };
        for (std::uint8_t i = 3; i-- > 0;) {
            if (i != last_to_come) pieces.add(7, {i, 2}, piece(i, size(i)));
        }
        const Bytes missing = piece(last_to_come, size(last_to_come));
        ASSERT_EQ(pieces.add(7, {last_to_come, 2}, missing), Outcome::complete);
        const Bytes before(pieces.bytes().begin(), pieces.bytes().end());
        pieces.put_back(7, {last_to_come, 2});
        ASSERT_EQ(pieces.add(7, {last_to_come, 2}, missing), Outcome::complete);
        EXPECT_TRUE(std::ranges::equal(pieces.bytes(), before));
        EXPECT_EQ(before[kFragmentBytes], 1);
        EXPECT_EQ(before.back(), 2);
    }
}

TEST(Reassembly, AStrangerCannotMakeItGrow) {
    Reassembly pieces{kMaxPartials, kMaxLoosePieceBytes};
    for (std::uint32_t key = 0; key < 5000; ++key)
        ASSERT_EQ(pieces.add(key, {63, 63}, piece(1)), Outcome::incomplete);
    EXPECT_LE(pieces.heap_bytes(), kMaxPartials * (2 * kFragmentBytes + 256));
}

}  // namespace
}  // namespace fray
