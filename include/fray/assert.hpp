#pragma once
// FRAY_ASSERT checks invariants of Fray's own code and stays on in every build. Bytes from other peers and
// failures of the environment are never asserted: see result.hpp and the rejection counters in stats.hpp.

namespace fray {

/// Prints the expression, file and line to stderr and aborts the process.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace fray

#define FRAY_ASSERT(expression) \
    ((expression) ? static_cast<void>(0) : ::fray::assertion_failed(#expression, __FILE__, __LINE__))
