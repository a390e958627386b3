#include "sim/datagram_pool.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace fray::sim {
namespace {

std::vector<std::uint8_t> pattern(std::size_t size, std::uint8_t first) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(first + i * 7);
    return bytes;
}

TEST(DatagramPool, GivesBackEverySizeAsItWasPutIn) {
    DatagramPool pool;
    std::vector<DatagramPool::Handle> handles;
    for (std::uint32_t size = 0; size <= 1200; ++size) {
        handles.push_back(
            pool.add({.digest = size, .from = size, .to = size + 1, .size = 0}, pattern(size, 3)));
    }
    for (std::uint32_t size = 0; size <= 1200; ++size) {
        const DatagramHeader& header = pool.header(handles[size]);
        EXPECT_EQ(header.size, size);
        EXPECT_EQ(header.digest, size);
        EXPECT_EQ(header.to, size + 1);
        const auto bytes = pool.bytes(handles[size]);
        EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin(), bytes.end()), pattern(size, 3));
    }
}

TEST(DatagramPool, UsesRemovedSlotsAgain) {
    DatagramPool pool;
    const auto turn = [&pool] {
        std::vector<DatagramPool::Handle> handles;
        for (std::size_t i = 0; i < 2000; ++i) handles.push_back(pool.add({}, pattern(i % 1200, 1)));
        for (const DatagramPool::Handle handle : handles) pool.remove(handle);
    };
    turn();
    const std::size_t warm = pool.memory_bytes();
    for (int i = 0; i < 20; ++i) turn();
    EXPECT_EQ(pool.memory_bytes(), warm);
    EXPECT_EQ(pool.in_use(), 0U);
}

TEST(Digest, TellsApartBytesThatDifferInOneBitAnywhereOrInLength) {
    std::set<std::uint64_t> seen;
    std::size_t made = 0;
    for (const std::size_t size : {0U, 1U, 7U, 8U, 15U, 16U, 17U, 31U, 100U}) {
        std::vector<std::uint8_t> bytes(size);
        seen.insert(digest(bytes));
        ++made;
        for (std::size_t bit = 0; bit < size * 8; ++bit) {
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
            seen.insert(digest(bytes));
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
            ++made;
        }
    }
    EXPECT_EQ(seen.size(), made);
}

}  // namespace
}  // namespace fray::sim
