#pragma once
// What a test program allocates. A program that asks is linked with operators new and delete that count.

#include "support/sanitizers.hpp"

#include <cstdint>

namespace fray::test {

/// The thread sanitizer links operators of its own, and does not yield: nothing is counted then.
inline constexpr bool kCountsAllocations = FRAY_THREAD_SANITIZER == 0;

/// Calls of operator new so far.
[[nodiscard]] std::uint64_t allocations();
/// Bytes asked for and not given back.
[[nodiscard]] std::int64_t bytes_held();

}  // namespace fray::test
