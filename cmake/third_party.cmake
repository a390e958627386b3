# Dependencies of the lab and the command line. The library itself needs none of them.
find_package(CLI11 CONFIG REQUIRED)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(zstd CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

# fray_mpi is always there; it carries MPI and FRAY_WITH_MPI only where MPI was found.
add_library(fray_mpi INTERFACE)
if(NOT FRAY_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    target_link_libraries(fray_mpi INTERFACE MPI::MPI_CXX)
    # The C interface alone: the C++ one is deprecated and full of warnings.
    target_compile_definitions(fray_mpi INTERFACE FRAY_WITH_MPI=1 OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
  elseif(FRAY_MPI STREQUAL "ON")
    message(FATAL_ERROR "FRAY_MPI=ON, but MPI was not found (Debian: libopenmpi-dev openmpi-bin)")
  endif()
endif()
