#pragma once
// What a run costs on this machine. Unlike all other measurements, it does not follow from the seed.

#include <cstddef>

namespace fray::lab {

/// Processor time of the calling thread.
[[nodiscard]] double thread_cpu_seconds();
/// Resident memory of the whole process, in bytes; 0 if the system does not report it.
[[nodiscard]] std::size_t resident_bytes();
/// Returns unused memory of earlier runs to the system, so that the next run's use becomes visible.
void return_free_memory();

}  // namespace fray::lab
