#pragma once
// Ctrl-C: the first asks the lab to stop, the second ends the process.

#include <atomic>

namespace fray::lab {

class InterruptGuard {
public:
    /// While this object exists, SIGINT and SIGTERM set the flag instead of ending the process.
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    [[nodiscard]] static std::atomic<bool>& stop();
    /// The exit code that a shell expects: 130 after SIGINT, 143 after SIGTERM, 0 if there was none.
    [[nodiscard]] static int exit_code();
};

}  // namespace fray::lab
