# fray_module(<name> [DEPENDS <module>...] [PACKAGES <package>...] [WITHOUT <file name>...])
#
# Makes the target fray_<name> from the sources of the calling folder, to be installed as fray::<name>.
# A module without a .cpp is a header-only (INTERFACE) target; targets that link it see no difference.
# DEPENDS names modules and is the CMake side of the include table in tools/tidy.
# PACKAGES names third-party packages of the table below, linked privately.
# WITHOUT names sources to leave out.
#
# Public headers are read as <fray/time.hpp>, a module's own as "wire/bit_writer.hpp".

# Package: CMake target, pkg-config name.
set(FRAY_PACKAGE_ZLIB ZLIB::ZLIB zlib)
set(FRAY_PACKAGE_Sodium Sodium::sodium libsodium)

function(fray_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PACKAGES;WITHOUT")
  set(target fray_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(file IN LISTS arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "/${file}$")
  endforeach()
  list(TRANSFORM arg_DEPENDS PREPEND fray_)

  if(sources)
    set(visibility PUBLIC)
    add_library(${target} STATIC ${sources})
    fray_unity(${target})
    # One batch: functions of a module are inlined wherever they stand, whatever files are added.
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 0)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    # For programs that put it into a shared library; WebAssembly has none, and runs slower with it.
    get_property(has_shared_libraries GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE "${has_shared_libraries}")
    # By default g++ does not inline functions that may end up in a shared library, not even within their
    # file, because the loader might replace them. Ours are never replaced.
    target_compile_options(${target} PRIVATE
      "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-fno-semantic-interposition>")
  else()
    set(visibility INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(fray::${name} ALIAS ${target})
  target_include_directories(${target} ${visibility}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  # Public headers hold inline arithmetic, so programs that include them must compute as the library does.
  target_compile_features(${target} ${visibility} cxx_std_20)
  target_compile_options(${target} ${visibility} -ffp-contract=off)
  target_link_libraries(${target} ${visibility} ${arg_DEPENDS})

  foreach(package IN LISTS arg_PACKAGES)
    list(GET FRAY_PACKAGE_${package} 0 package_target)
    find_package(${package} REQUIRED)
    if(sources)
      target_link_libraries(${target} PRIVATE ${package_target})
    endif()
  endforeach()

  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT fray-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  set_property(GLOBAL APPEND PROPERTY FRAY_MODULES ${name})
  set_property(GLOBAL PROPERTY FRAY_PACKAGES_OF_${name} "${arg_PACKAGES}")
endfunction()

# fray_unity(<target>): compiles the files of the target in batches, if FRAY_UNITY is on. Files of one batch
# share their anonymous namespaces, so two files of a target must not define the same name there.
function(fray_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${FRAY_UNITY}")
endfunction()

# fray_internal(<target>): for programs of this project that may look inside the modules (lab, cli, tests).
function(fray_internal target)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
endfunction()

# fray_all_modules(<variable>): every module target there is, the uppermost first.
function(fray_all_modules variable)
  get_property(modules GLOBAL PROPERTY FRAY_MODULES)
  list(REVERSE modules)
  list(TRANSFORM modules PREPEND fray_)
  foreach(above IN ITEMS fray_feel fray_snagger_rules fray_snagger_pilot fray_snagger_match fray_panzer_rules fray_panzer_bots fray_panzer_match fray_panzer_study fray_lab)
    if(TARGET ${above})
      list(PREPEND modules ${above})
    endif()
  endforeach()
  set(${variable} "${modules}" PARENT_SCOPE)
endfunction()
