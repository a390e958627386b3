# Recast and Detour come without a CMake package. Makes Recast::Recast and Recast::Detour.
find_path(RECAST_INCLUDE_DIR recastnavigation/Recast.h)
find_library(RECAST_LIBRARY Recast)
find_library(DETOUR_LIBRARY Detour)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Recast REQUIRED_VARS RECAST_LIBRARY DETOUR_LIBRARY RECAST_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Debian: librecast-dev")
mark_as_advanced(RECAST_INCLUDE_DIR RECAST_LIBRARY DETOUR_LIBRARY)
if(Recast_FOUND AND NOT TARGET Recast::Recast)
  foreach(part IN ITEMS Recast Detour)
    string(TOUPPER ${part} prefix)
    add_library(Recast::${part} UNKNOWN IMPORTED)
    set_target_properties(Recast::${part} PROPERTIES
      IMPORTED_LOCATION "${${prefix}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${RECAST_INCLUDE_DIR}")
  endforeach()
endif()
