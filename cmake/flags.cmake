# What every file of the project is compiled with. Never add -ffast-math or -march=native: peers with
# different compilers must compute the same bits.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off)
if(FRAY_WERROR)
  add_compile_options(-Werror)
endif()

if(FRAY_FUZZ)
  # Coverage for libFuzzer everywhere; its main() only in the fuzz targets (fuzz/CMakeLists.txt).
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FRAY_FUZZ needs clang; use the preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(FRAY_SANITIZE)
  add_compile_options(-fsanitize=${FRAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FRAY_SANITIZE})
endif()

find_program(FRAY_CCACHE ccache)
find_program(FRAY_MOLD mold)
mark_as_advanced(FRAY_CCACHE FRAY_MOLD)
if(FRAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Depend mode: a file that is not in the cache is not preprocessed twice. The sloppiness is what ccache asks for
  # before it caches files that use a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_DEPEND=true CCACHE_SLOPPINESS=pch_defines,time_macros "${FRAY_CCACHE}")
endif()
if(FRAY_MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()
