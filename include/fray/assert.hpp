#pragma once
// FRAY_ASSERT guards our own bugs and stays on in every build. What other peers send, and what the
// environment does, is never asserted: see result.hpp and the rejection counters in stats.hpp.

namespace fray {

/// Ends the process after handing the text to the platform's abort message.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace fray

#define FRAY_ASSERT(expression) \
    ((expression) ? static_cast<void>(0) : ::fray::assertion_failed(#expression, __FILE__, __LINE__))
