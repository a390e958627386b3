#pragma once
// Counts the allocations of a test program, which is linked with counting operators new and delete.

#include "support/sanitizers.hpp"

#include <cstdint>

namespace fray::test {

/// The thread sanitizer links its own operators: nothing is counted then.
inline constexpr bool kCountsAllocations = FRAY_THREAD_SANITIZER == 0;

/// Calls of operator new so far.
[[nodiscard]] std::uint64_t allocations();
/// Bytes allocated and not released.
[[nodiscard]] std::int64_t bytes_held();

}  // namespace fray::test
