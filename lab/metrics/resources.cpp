#include "lab/metrics/resources.hpp"

#include <unistd.h>

#include <ctime>
#include <fstream>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace fray::lab {

double thread_cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::size_t resident_bytes() {
    std::ifstream statm{"/proc/self/statm"};
    std::size_t total_pages = 0;
    std::size_t resident_pages = 0;
    if (!(statm >> total_pages >> resident_pages)) return 0;
    return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void return_free_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace fray::lab
