#include "lab/metrics/resources.hpp"

#include "support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray::lab {
namespace {

// A sanitizer's own allocator keeps freed memory, to detect its later use.
constexpr bool kSanitized = FRAY_ADDRESS_SANITIZER || FRAY_THREAD_SANITIZER;

TEST(Resources, WorkTakesProcessorTime) {
    const double before = thread_cpu_seconds();
    volatile std::uint64_t sum = 0;
    while (thread_cpu_seconds() - before < 0.01) sum = sum + 1;
    EXPECT_GT(sum, 0U);
}

TEST(Resources, TouchedMemoryIsResidentUntilItIsReturned) {
    constexpr std::size_t kMuch = std::size_t{64} << 20U;
    return_free_memory();
    const std::size_t before = resident_bytes();
    if (before == 0) GTEST_SKIP() << "the system does not tell";
    {
        std::vector<std::vector<char>> blocks;
        for (std::size_t i = 0; i < kMuch / 4096; ++i) blocks.emplace_back(4096, 'x');
        EXPECT_GT(resident_bytes(), before + kMuch * 9 / 10);
    }
    return_free_memory();
    if (!kSanitized) {
        EXPECT_LT(resident_bytes(), before + kMuch / 2);
    }
}

}  // namespace
}  // namespace fray::lab
