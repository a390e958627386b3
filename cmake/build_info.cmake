# Target fray_build_info: #include "build_info.hpp" says which version and commit this is.
#
# The header is looked at on every build and written only when something in it changed. The same file is
# the script that does so: cmake -D OUTPUT=... -D VERSION=... -D SOURCE=... -P cmake/build_info.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit "unknown")
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit "${described}")
  endif()
  file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#pragma once
// Written by cmake/build_info.cmake.

namespace fray {

inline constexpr const char* kBuildVersion = "@VERSION@";
/// Ends in -dirty where files differ from the commit; "unknown" outside a git repository.
inline constexpr const char* kBuildCommit = "@commit@";
/// Where lab/plans is looked for; meaningful on the machine that built the program.
inline constexpr const char* kBuildSourceDirectory = "@SOURCE@";

}  // namespace fray
]])
  return()
endif()

set(build_info_header "${PROJECT_BINARY_DIR}/generated/build_info.hpp")
set(build_info_command "${CMAKE_COMMAND}" -D "OUTPUT=${build_info_header}" -D "VERSION=${PROJECT_VERSION}"
    -D "SOURCE=${PROJECT_SOURCE_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/build_info.cmake")
execute_process(COMMAND ${build_info_command})  # once now, so that linters find it before the first build
add_custom_target(fray_build_info_header COMMAND ${build_info_command} BYPRODUCTS "${build_info_header}"
                  COMMENT "Looking at the commit" VERBATIM)
add_library(fray_build_info INTERFACE)
add_dependencies(fray_build_info fray_build_info_header)
target_include_directories(fray_build_info INTERFACE "${PROJECT_BINARY_DIR}/generated")
