# Include directories, build flags and the function that makes one layer's library.

# "agpusim/model/agpu/spec.hpp" is model/agpu/spec.hpp, in the build tree as in an installation.
set(AGPUSIM_INCLUDE_DIR "${PROJECT_BINARY_DIR}/include")
set(AGPUSIM_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${AGPUSIM_INCLUDE_DIR}/agpusim" "${AGPUSIM_GENERATED_DIR}")
foreach(layer IN ITEMS model ptx algorithms cuda validation cudart cudalibs cli commands papers tests bench examples zoo)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${layer}" "${AGPUSIM_INCLUDE_DIR}/agpusim/${layer}" SYMBOLIC)
endforeach()
# The one header for algorithms outside the repository: "agpusim/agpusim.hpp"
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/cli/agpusim.hpp" "${AGPUSIM_INCLUDE_DIR}/agpusim/agpusim.hpp" SYMBOLIC)
# clang-tidy looks for its configuration from the file upwards; generated sources are not style-checked.
file(WRITE "${AGPUSIM_GENERATED_DIR}/.clang-tidy" "Checks: '-*,misc-definitions-in-headers'\n")

# Flags of this build; never exported.
add_library(agpusim_build INTERFACE)
target_compile_features(agpusim_build INTERFACE cxx_std_20)
set(cxx_flags
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
    -fno-math-errno
    -ffp-contract=off) # the same floating-point results with and without FMA hardware
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of GCC 12 once it has inlined library code: std::string concatenation (bug 105651), JSON iterators.
  list(APPEND cxx_flags -Wno-restrict -Wno-maybe-uninitialized)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # Takes each reference that a function of a temporary string returns for one into the string.
    list(APPEND cxx_flags -Wno-dangling-reference)
  endif()
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # "#pragma GCC ivdep"; before 16 it takes == for ambiguous also where there is a != (P2468).
  list(APPEND cxx_flags -Wno-unknown-pragmas -Wno-ambiguous-reversed-operator)
endif()
if(AGPUSIM_ARCH)
  list(APPEND cxx_flags "-march=${AGPUSIM_ARCH}")
endif()
if(AGPUSIM_WERROR)
  list(APPEND cxx_flags -Werror)
endif()
# -Wpedantic and -Wold-style-cast fire on the code nvcc generates.
set(cuda_flags -Xcompiler=-Wall,-Wextra,-Wshadow,-Wconversion -lineinfo)
if(AGPUSIM_WERROR)
  list(APPEND cuda_flags -Werror=all-warnings)
endif()
target_compile_options(agpusim_build INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${cxx_flags}>"
                                               "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>")
# __FILE__ and std::source_location name files as the repository does: model/agpu/spec.hpp
target_compile_options(
  agpusim_build INTERFACE "$<$<COMPILE_LANGUAGE:CXX,CUDA>:-fmacro-prefix-map=${AGPUSIM_INCLUDE_DIR}/agpusim/=>"
                          "$<$<COMPILE_LANGUAGE:CXX,CUDA>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>")

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  target_include_directories(agpusim_build SYSTEM INTERFACE "${PROJECT_SOURCE_DIR}/cmake/clang_compat")
endif()

option(AGPUSIM_UNITY "Parse headers once for many files: units of several files, and precompiled headers" ON)

# agpusim_precompile(<target> <header>...): parsed once for the C++ files of the target; they name what they need all the same.
function(agpusim_precompile target)
  if(AGPUSIM_UNITY)
    list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# agpusim_compile_quickly(<target> <files>): for code that is not simulated with: -O1 in Release (-Oz for a browser), and units of
# up to <files> files of one folder. What such files keep to themselves (anonymous namespaces, using-declarations) must differ
# within a folder.
function(agpusim_compile_quickly target files)
  set(level -O1)
  if(EMSCRIPTEN)
    set(level -Oz)
  endif()
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${level}>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${AGPUSIM_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(number 0)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    if(target STREQUAL "agpusim_cli") # command lines of any rooms
      string(REGEX REPLACE "/commands/[a-z_]+$" "/commands" folder "${folder}")
    endif()
    if(NOT folder STREQUAL last_folder)
      set(number 0)
      set(last_folder "${folder}")
    endif()
    math(EXPR unit "${number} / ${files}")
    math(EXPR number "${number} + 1")
    cmake_path(GET folder FILENAME name)
    string(MD5 hash "${folder}")
    string(SUBSTRING ${hash} 0 4 hash)
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${name}_${hash}_${unit}")
  endforeach()
endfunction()

# agpusim_rooms(<command lines> <judges> <ending>...): the files of commands/ and papers/, which two libraries share. agpusim_cli has
# what reads a command line: commands/<name>/<name>*, and the files of papers/ itself.
# agpusim_validation has what judges and reports, so that what links it alone (answers to exercises) needs no command line.
function(agpusim_rooms command_lines judges)
  set(lines "")
  set(others "")
  foreach(ending IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/commands/*.${ending}"
         "${PROJECT_SOURCE_DIR}/papers/*.${ending}")
    foreach(file IN LISTS files)
      cmake_path(GET file PARENT_PATH folder)
      cmake_path(GET folder FILENAME room)
      cmake_path(GET file STEM name)
      if(room STREQUAL "preload") # a library of its own: cmake/AgpusimCudart.cmake
        continue()
      endif()
      if(folder STREQUAL "papers" OR (folder MATCHES "^commands/[a-z_]+$" AND name MATCHES "^${room}"))
        list(APPEND lines "${file}")
      else()
        list(APPEND others "${file}")
      endif()
    endforeach()
  endforeach()
  set(${command_lines} "${lines}" PARENT_SCOPE)
  set(${judges} "${others}" PARENT_SCOPE)
endfunction()

# agpusim_add_library(<layer>): static library agpusim_<layer> of <layer>/**/*.cpp (without main.cpp) and, with CUDA, *.cu,
# and of what it has of the rooms; alias agpusim::<layer>
function(agpusim_add_library layer)
  set(target agpusim_${layer})
  add_library(${target} STATIC)
  add_library(agpusim::${layer} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer} LINKER_LANGUAGE CXX)
  if(layer MATCHES "^(model|ptx|validation)$" AND NOT EMSCRIPTEN) # a shared library holds them too: cmake/AgpusimCudart.cmake
    # Hidden: so that nothing outside can take the place of a function, which would keep it from being inlined.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  if(NOT layer STREQUAL "algorithms") # those sources are added by agpusim_add_algorithm
    set(patterns "${PROJECT_SOURCE_DIR}/${layer}/*.cpp")
    if(AGPUSIM_WITH_CUDA)
      list(APPEND patterns "${PROJECT_SOURCE_DIR}/${layer}/*.cu")
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
    if(layer MATCHES "^(validation|cli)$")
      set(endings cpp)
      if(AGPUSIM_WITH_CUDA)
        list(APPEND endings cu)
      endif()
      agpusim_rooms(rooms_of_cli rooms_of_validation ${endings})
      list(TRANSFORM rooms_of_${layer} PREPEND "${PROJECT_SOURCE_DIR}/")
      list(APPEND sources ${rooms_of_${layer}})
    endif()
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    if(EMSCRIPTEN AND layer STREQUAL "validation") # has no liblzma, and runs no programs
      list(FILTER sources EXCLUDE REGEX "/io/xz\\.cpp$")
      list(APPEND sources "${PROJECT_SOURCE_DIR}/cmake/browser/system.cpp")
    endif()
    if(AGPUSIM_WITH_CUDA)
      list(FILTER sources EXCLUDE REGEX "/no_cuda\\.cpp$")
    endif()
    target_sources(${target} PRIVATE ${sources})
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  # fmt 9 leaves half of its constexpr out for nvcc, without which its format strings do not compile.
  target_compile_definitions(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>")
  target_include_directories(
    ${target}
    PUBLIC "$<BUILD_INTERFACE:${AGPUSIM_INCLUDE_DIR}>"
           "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
    PRIVATE "${AGPUSIM_GENERATED_DIR}")
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:agpusim_build>)
endfunction()
