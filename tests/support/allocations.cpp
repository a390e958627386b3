#include "support/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {
std::atomic<std::uint64_t> count{0};
std::atomic<std::int64_t> held{0};
constexpr std::size_t kNote = alignof(std::max_align_t);  // in front of each block: its size
}  // namespace

#if !FRAY_THREAD_SANITIZER
[[gnu::noinline]] void* operator new(std::size_t size) {
    count.fetch_add(1, std::memory_order_relaxed);
    held.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
    auto* memory = static_cast<std::byte*>(std::malloc(size + kNote));
    if (memory == nullptr) std::abort();
    std::memcpy(memory, &size, sizeof(size));
    return memory + kNote;
}
// std::stable_sort allocates with this one and frees with the ordinary operator delete.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return operator new(size);
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
    if (block == nullptr) return;
    auto* memory = static_cast<std::byte*>(block) - kNote;
    std::size_t size = 0;
    std::memcpy(&size, memory, sizeof(size));
    held.fetch_sub(static_cast<std::int64_t>(size), std::memory_order_relaxed);
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
#endif

namespace fray::test {

std::uint64_t allocations() { return count.load(); }
std::int64_t bytes_held() { return held.load(); }

}  // namespace fray::test
