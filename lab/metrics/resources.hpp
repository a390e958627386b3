#pragma once
// What a run costs this machine. Unlike everything else that is measured, it does not follow from the seed.

#include <cstddef>

namespace fray::lab {

/// Processor time of the calling thread.
[[nodiscard]] double thread_cpu_seconds();
/// Memory of the whole process that is really there; 0 if the system does not tell.
[[nodiscard]] std::size_t resident_bytes();
/// Gives back what earlier runs no longer use, so that it does not hide how much the next one takes.
void return_free_memory();

}  // namespace fray::lab
