# All dependencies come from the distribution. dev/install_packages.sh installs them.

if(EMSCRIPTEN)
  include(AgpusimBrowser)
  return()
endif()

# agpusim_find(<package> <apt package> [find_package arguments...])
macro(agpusim_find package apt)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. On Debian or Ubuntu: apt-get install ${apt} "
                        "(or run dev/install_packages.sh, which installs everything).")
  endif()
endmacro()

agpusim_find(TBB libtbb-dev CONFIG)
agpusim_find(fmt libfmt-dev CONFIG)
agpusim_find(nlohmann_json nlohmann-json3-dev CONFIG)
agpusim_find(Eigen3 libeigen3-dev CONFIG)
agpusim_find(CLI11 libcli11-dev CONFIG)
agpusim_find(Boost libboost-dev CONFIG) # headers only: Boost.Graph
agpusim_find(LibLZMA liblzma-dev)
agpusim_find(zstd libzstd-dev CONFIG)
find_library(AGPUSIM_LZ4 lz4)
if(NOT AGPUSIM_LZ4)
  message(FATAL_ERROR "liblz4 was not found. On Debian or Ubuntu: apt-get install liblz4-dev (or run dev/install_packages.sh).")
endif()
if(AGPUSIM_BUILD_TESTS)
  agpusim_find(Catch2 catch2 CONFIG) # v2 or v3: tests/support/catch.hpp
  agpusim_find(benchmark libbenchmark-dev CONFIG)
endif()
