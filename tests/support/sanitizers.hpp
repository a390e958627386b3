#pragma once
// Which sanitizer this program is built with: each has its own allocator.

#if defined(__has_feature)
#define FRAY_HAS_FEATURE(name) __has_feature(name)
#else
#define FRAY_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || FRAY_HAS_FEATURE(address_sanitizer)
#define FRAY_ADDRESS_SANITIZER 1
#else
#define FRAY_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || FRAY_HAS_FEATURE(thread_sanitizer)
#define FRAY_THREAD_SANITIZER 1
#else
#define FRAY_THREAD_SANITIZER 0
#endif
