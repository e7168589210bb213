# Decides whether `--mpi` is built: AGPUSIM_WITH_MPI.
set(AGPUSIM_WITH_MPI OFF)
if(AGPUSIM_MPI AND NOT EMSCRIPTEN) # ON or AUTO
  set(MPI_CXX_SKIP_MPICXX ON) # the C API alone
  if(AGPUSIM_MPI STREQUAL "AUTO")
    find_package(MPI COMPONENTS CXX QUIET)
  else()
    find_package(MPI COMPONENTS CXX REQUIRED)
  endif()
  if(MPI_CXX_FOUND)
    set(AGPUSIM_WITH_MPI ON)
  endif()
endif()
message(STATUS "agpusim: MPI ${AGPUSIM_WITH_MPI}")
