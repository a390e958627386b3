# Toolchain file for WebAssembly: clang 16, wasi-libc and libc++ as Debian 12 packages them (tools/setup test).
# Programs come out as WASI commands; tools/run_wasm.mjs runs them. There are no sockets, threads or exceptions.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(llvm /usr/lib/llvm-16)

set(CMAKE_CXX_COMPILER clang++-16)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# The system's ar writes no symbol index for WebAssembly objects, and wasm-ld refuses archives without one.
find_program(CMAKE_AR llvm-ar-16 REQUIRED)
find_program(CMAKE_RANLIB llvm-ranlib-16 REQUIRED)
find_program(wasm_linker wasm-ld-16 REQUIRED)
mark_as_advanced(wasm_linker)

set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -stdlib++-isystem ${llvm}/include/wasm32-wasi/c++/v1")
# The linker's own default of 64 KiB for the stack is too small.
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-fuse-ld=${wasm_linker} -L${llvm}/lib/wasm32-wasi -Wl,-z,stack-size=1048576")
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)

# Programs of this machine serve the build; its libraries and headers do not fit.
set(CMAKE_FIND_ROOT_PATH "${llvm}/lib/wasm32-wasi")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
