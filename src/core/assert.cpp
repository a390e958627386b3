#include <fray/assert.hpp>

#include <cstdio>
#include <cstdlib>

namespace fray {

void assertion_failed(const char* expression, const char* file, int line) noexcept {
    // The only place of the library that prints: the process ends here.
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
    std::abort();
}

}  // namespace fray
