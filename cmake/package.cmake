# The installed package: find_package(fray CONFIG) gives fray::fray (a peer without I/O), fray::net (UDP)
# and fray::sim (the simulator); pkg-config knows the same three as fray, fray-net and fray-sim.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY FRAY_MODULES)

add_library(fray_fray INTERFACE)  # the target `fray` is the command-line program
add_library(fray::fray ALIAS fray_fray)
set_target_properties(fray_fray PROPERTIES EXPORT_NAME fray)
set(peer_modules ${modules})
list(REMOVE_ITEM peer_modules net sim)
list(REVERSE peer_modules)  # a static library stands before what it needs
list(TRANSFORM peer_modules PREPEND fray_ OUTPUT_VARIABLE peer_targets)
target_link_libraries(fray_fray INTERFACE ${peer_targets})
install(TARGETS fray_fray EXPORT fray-targets)

file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")

# fray_pkg_config(<file name> <description> MODULES ... REQUIRES ...)
function(fray_pkg_config name description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "MODULES;REQUIRES")
  set(libs "")
  set(private_packages "")
  foreach(module IN LISTS arg_MODULES)
    get_target_property(type fray_${module} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      string(APPEND libs " -lfray_${module}")
    endif()
    get_property(packages GLOBAL PROPERTY FRAY_PACKAGES_OF_${module})
    foreach(package IN LISTS packages)
      list(GET FRAY_PACKAGE_${package} 1 pkg_config_name)
      list(APPEND private_packages ${pkg_config_name})
    endforeach()
  endforeach()
  # Static libraries only, so what they need is always needed: Requires, not Requires.private.
  list(JOIN arg_REQUIRES " " requires)
  list(JOIN private_packages " " packages)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/fray.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

fray_pkg_config(fray "${PROJECT_DESCRIPTION}" MODULES ${peer_modules})
# As pkg-config says it: the parts with I/O bring all of fray::fray, also what a peer itself does not use (trade, chat).
foreach(part IN ITEMS net sim)
  if(TARGET fray_${part})
    target_link_libraries(fray_${part} INTERFACE fray_fray)
  endif()
endforeach()
if(TARGET fray_net)
  fray_pkg_config(fray-net "Fray over UDP" MODULES net REQUIRES fray)
endif()
if(TARGET fray_sim)
  fray_pkg_config(fray-sim "Fray in a simulated network" MODULES sim REQUIRES fray)
endif()

set(fray_dependencies "")
foreach(module IN LISTS modules)
  get_property(packages GLOBAL PROPERTY FRAY_PACKAGES_OF_${module})
  foreach(package IN LISTS packages)
    string(APPEND fray_dependencies "find_dependency(${package})\n")
  endforeach()
endforeach()
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/fray")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/fray-config.cmake.in"
  "${PROJECT_BINARY_DIR}/fray-config.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/fray-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(EXPORT fray-targets NAMESPACE fray:: DESTINATION "${package_folder}")
install(FILES "${PROJECT_BINARY_DIR}/fray-config.cmake" "${PROJECT_BINARY_DIR}/fray-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSodium.cmake"
        DESTINATION "${package_folder}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/fray" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
