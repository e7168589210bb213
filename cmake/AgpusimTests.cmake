# Tests: ctest lists every Catch2 test case, the installed package and its consumer.
include(Catch)

# Every header compiles on its own, twice included.
function(agpusim_check_headers)
  set(sources "")
  foreach(layer IN ITEMS model ptx algorithms validation cudart cli commands papers)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${layer}/*.hpp")
    foreach(header IN LISTS headers)
      set(source "${AGPUSIM_GENERATED_DIR}/headers/${header}.cpp")
      file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [=[
#include "agpusim/@header@"
// a second time: the header guards itself
#include "agpusim/@header@"
]=])
      list(APPEND sources "${source}")
    endforeach()
  endforeach()
  add_library(agpusim_header_check OBJECT EXCLUDE_FROM_ALL ${sources}) # dev/check.sh builds it
  target_compile_options(agpusim_header_check PRIVATE -O0)
  target_link_libraries(agpusim_header_check PRIVATE agpusim_build agpusim_cli fmt::fmt CLI11::CLI11
                                                     nlohmann_json::nlohmann_json)
endfunction()
agpusim_check_headers()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*.cpp")
list(FILTER test_sources EXCLUDE REGEX "/tests/(cases/|install/|cudart/(program|older)/|cudalibs/program/|(fake_device|own_program)/main\\.cpp)")
if(AGPUSIM_WITH_CUDA)
  file(GLOB_RECURSE cuda_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*.cu")
  list(FILTER cuda_test_sources EXCLUDE REGEX "/tests/(ptx|memory_model|regressions|exec_cc)/|/tests/cudart/(kernels|textures)\\.")
  # As for the algorithms: results are those of the abstract machine, bit for bit.
  # 20011, 20013, 20014: as in agpusimConfig.cmake.in, of kernels that are written in a test.
  set_source_files_properties(${cuda_test_sources} PROPERTIES COMPILE_OPTIONS
                                                              "-fmad=false;-diag-suppress=20011,20013,20014")
  list(APPEND test_sources ${cuda_test_sources})
endif()
# What the programs of tests/ptx/programs compute, on the host: a function in each source, which registers itself.
# The sources find these headers here and include others themselves.
file(GLOB programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/ptx/programs/*.cu")
set(references "")
foreach(program IN LISTS programs)
  cmake_path(GET program STEM name)
  string(APPEND references "#include \"agpusim/tests/ptx/programs/${name}.cu\"\n")
  string(APPEND registrations "    {\"${name}\", on_buffers(${name}_reference)},\n")
endforeach()
set(program_references "${AGPUSIM_GENERATED_DIR}/ptx/program_references.cpp")
file(CONFIGURE OUTPUT "${program_references}" @ONLY CONTENT [=[
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#define HOST
@references@
#include "agpusim/tests/ptx/corpus.hpp"

namespace agpusim::ptx {

std::vector<NamedReference> references() {
  return {
@registrations@  };
}

}  // namespace agpusim::ptx
]=])
set_source_files_properties("${program_references}" PROPERTIES COMPILE_OPTIONS -w SKIP_PRECOMPILE_HEADERS ON
                                                               SKIP_UNITY_BUILD_INCLUSION ON)
list(APPEND test_sources "${program_references}")
include(AgpusimAnswers)
add_executable(agpusim_tests ${test_sources} ${AGPUSIM_ANSWER_SOURCES})
target_link_libraries(
  agpusim_tests PRIVATE agpusim_build agpusim_cli fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json Eigen3::Eigen
                        Boost::headers Catch2::Catch2)
# GCC 12 warns of members that a designated initializer leaves to their defaults.
target_compile_options(agpusim_tests PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>)
# As in agpusim_add_library.
target_compile_definitions(agpusim_tests PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>")
agpusim_compile_quickly(agpusim_tests 9)
# Compiled for half of the time without optimisation. Of what tests and libraries both instantiate (the lanes of kernels) the
# linker takes what it meets first, and link options stand before the tests' objects: they run the libraries' optimised code.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT AGPUSIM_WITH_CUDA)
  target_compile_options(agpusim_tests PRIVATE -O0)
  target_link_options(
    agpusim_tests PRIVATE -Wl,--whole-archive $<TARGET_FILE:agpusim_algorithms> $<TARGET_FILE:agpusim_validation>
                          $<TARGET_FILE:agpusim_model> -Wl,--no-whole-archive)
  # Computes by itself what it compares with.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/model/pram/machine_test.cpp"
                              PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
endif()
target_compile_definitions(
  agpusim_tests PRIVATE AGPUSIM_CLI_PATH="$<TARGET_FILE:agpusim>"
                        AGPUSIM_CUDART_PATH="$<TARGET_FILE:agpusim_cudart>"
                        AGPUSIM_CUDART_PROGRAM_PATH="$<TARGET_FILE:agpusim_cudart_program>"
                        AGPUSIM_OWN_PROGRAM_PATH="$<TARGET_FILE:agpusim_own_program>"
                        AGPUSIM_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
agpusim_precompile(agpusim_tests ${standard_headers} ${fmt_headers} <nlohmann/json.hpp> "agpusim/tests/support/catch.hpp"
                   "agpusim/algorithms/registry.hpp" "agpusim/model/agpu/device.hpp")
# Compiled with other options, and the file that holds the code of Catch2.
set_source_files_properties(${AGPUSIM_ANSWER_SOURCES} tests/support/main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                                                                                   SKIP_UNITY_BUILD_INCLUSION ON)
# Those of PTX alone, which need two libraries: for sanitizers, and for many damaged texts (AGPUSIM_FUZZ_TEXTS).
set(ptx_test_sources ${test_sources})
list(FILTER ptx_test_sources INCLUDE REGEX "/(tests/(ptx|memory_model)/[a-z_]+|tests/support/main|program_references)\\.cpp$")
add_executable(agpusim_ptx_tests EXCLUDE_FROM_ALL ${ptx_test_sources})
target_link_libraries(agpusim_ptx_tests PRIVATE agpusim_build agpusim_ptx fmt::fmt nlohmann_json::nlohmann_json Catch2::Catch2)
target_compile_definitions(agpusim_ptx_tests PRIVATE AGPUSIM_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
# CUDA programs, as g++ compiles their host half, on the runtime of `agpusim exec`.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cudart/program/*.cpp")
add_executable(agpusim_cudart_program ${sources} tests/ptx/corpus.cpp "${program_references}")
target_link_libraries(agpusim_cudart_program PRIVATE agpusim_build agpusim_cudart agpusim_ptx fmt::fmt zstd::libzstd_shared "${AGPUSIM_LZ4}")
target_compile_options(agpusim_cudart_program PRIVATE $<$<CONFIG:Release>:-O1>)
target_compile_definitions(agpusim_cudart_program PRIVATE AGPUSIM_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
# One that calls libraries of CUDA.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cudalibs/program/*.cpp")
add_executable(agpusim_cudalibs_program ${sources})
target_link_libraries(agpusim_cudalibs_program PRIVATE agpusim_build agpusim_cudart agpusim_model ${AGPUSIM_CUDALIBS})
target_compile_options(agpusim_cudalibs_program PRIVATE $<$<CONFIG:Release>:-O1>)
# Programs of older CUDA, linked with names and versions like those of NVIDIA's runtime.
foreach(cuda version IN ZIP_LISTS older_cuda older_cuda_versions)
  set(stand_in agpusim_stand_in_${cuda})
  add_library(${stand_in} SHARED tests/cudart/older/stand_in.cpp)
  set_target_properties(${stand_in} PROPERTIES OUTPUT_NAME cudart SOVERSION ${cuda}
                                               LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/stand_in/${cuda}")
  target_link_options(${stand_in} PRIVATE "-Wl,--version-script=${PROJECT_BINARY_DIR}/generated/libcudart_${cuda}.map")
  set(program agpusim_cudart_program_${cuda})
  add_executable(${program} tests/cudart/older/program.cpp)
  target_link_libraries(${program} PRIVATE agpusim_build ${stand_in} ${CMAKE_DL_LIBS})
  target_include_directories(${program} PRIVATE "${PROJECT_BINARY_DIR}/include")
  target_compile_definitions(${program} PRIVATE AGPUSIM_CUDA_VERSION=${version})
  add_dependencies(agpusim_cudart_program ${program})
endforeach()
# A user's program, whose rows say wrong and right things of their cost.
add_executable(agpusim_own_program tests/own_program/main.cpp)
target_link_libraries(agpusim_own_program PRIVATE agpusim_build agpusim_all)
target_compile_options(agpusim_own_program PRIVATE $<$<CONFIG:Release>:-O1>)
foreach(program IN ITEMS examples zoo)
  add_executable(agpusim_${program} ${program}/main.cpp)
  target_link_libraries(agpusim_${program} PRIVATE agpusim_build agpusim_all)
  target_compile_options(agpusim_${program} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
  if(AGPUSIM_WITH_CUDA)
    set_source_files_properties(${program}/main.cpp PROPERTIES LANGUAGE CUDA COMPILE_OPTIONS
                                                                 "-fmad=false;-diag-suppress=20011,20013,20014")
  endif()
  agpusim_compile_kernels(agpusim_${program} ${program}/main.cpp)
endforeach()
add_dependencies(agpusim_tests agpusim agpusim_own_program agpusim_cudart_program agpusim_libcuda)
catch_discover_tests(agpusim_tests PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "(skipped|SKIPPED):")

# Has the commands that need a GPU, for the schemas of what they print.
add_executable(agpusim_fake_device tests/fake_device/main.cpp)
target_link_libraries(agpusim_fake_device PRIVATE agpusim_build agpusim_cli CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_options(agpusim_fake_device PRIVATE $<$<CONFIG:Release>:-O1>)

add_test(NAME install_and_consume
         COMMAND "${CMAKE_COMMAND}" "-DBUILD_DIR=${PROJECT_BINARY_DIR}" "-DCXX=${CMAKE_CXX_COMPILER}"
                 "-DCUDA=${AGPUSIM_WITH_CUDA}"
                 "-DCXX_FLAGS=${CMAKE_CXX_FLAGS}" "-DBUILD_TYPE=$<CONFIG>" -P
                 "${PROJECT_SOURCE_DIR}/tests/install/run.cmake")
set_tests_properties(install_and_consume PROPERTIES TIMEOUT 1200)
# Small programs, each of which shows one fault where there is one: it returns 0 where all is right.
file(GLOB cases CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/tests/cases" "${PROJECT_SOURCE_DIR}/tests/cases/*.cpp")
foreach(case IN LISTS cases)
  string(REGEX REPLACE "\\.cpp$" "" case "${case}")
  add_executable(agpusim_case_${case} tests/cases/${case}.cpp)
  target_compile_features(agpusim_case_${case} PRIVATE cxx_std_20)
  target_compile_options(agpusim_case_${case} PRIVATE -O0)
  target_link_libraries(agpusim_case_${case} PRIVATE agpusim_model)
  add_test(NAME case_${case} COMMAND agpusim_case_${case})
endforeach()
add_test(NAME install_and_grade
         COMMAND "${CMAKE_COMMAND}" "-DBUILD_DIR=${PROJECT_BINARY_DIR}" "-DBUILD_TYPE=$<CONFIG>" "-DCXX=${CMAKE_CXX_COMPILER}"
                 "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" -P "${PROJECT_SOURCE_DIR}/tests/install/grade.cmake")
set_tests_properties(install_and_grade PROPERTIES TIMEOUT 1200)

# The CUDA half, also where it is not built. Its sources become PTX that nobody optimised: all that the compiler has to say about
# them, in seconds a file instead of up to minutes.
if(AGPUSIM_WITH_CUDA)
  foreach(layer IN ITEMS cuda algorithms validation)
    get_target_property(${layer}_sources agpusim_${layer} SOURCES)
    list(FILTER ${layer}_sources INCLUDE REGEX "\\.cu$")
  endforeach()
  # Many as one source each: they share most of what they include.
  set(row_sources ${algorithms_sources})
  list(FILTER row_sources INCLUDE REGEX "/generated/")
  set(library_sources ${algorithms_sources})
  list(FILTER library_sources INCLUDE REGEX "/cub\\.cu$")
  list(REMOVE_ITEM algorithms_sources ${row_sources} ${library_sources})
  # What probes keep to themselves has one name in all of them.
  set(probe_sources ${validation_sources})
  list(FILTER probe_sources INCLUDE REGEX "/probe_[a-z]+\\.cu$")
  list(REMOVE_ITEM validation_sources ${probe_sources})
  set(cuda_check_sources ${algorithms_sources} ${probe_sources})
  foreach(batch IN ITEMS cuda_sources row_sources library_sources validation_sources cuda_test_sources)
    list(TRANSFORM ${batch} REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
    string(JOIN "" includes ${includes})
    file(CONFIGURE OUTPUT "${AGPUSIM_GENERATED_DIR}/check_${batch}.cu" CONTENT "${includes}" @ONLY)
    set_source_files_properties("${AGPUSIM_GENERATED_DIR}/check_${batch}.cu" PROPERTIES COMPILE_OPTIONS
                                                                                        "-diag-suppress=20011,20013,20014")
    list(APPEND cuda_check_sources "${AGPUSIM_GENERATED_DIR}/check_${batch}.cu")
  endforeach()
  add_library(agpusim_cuda_check OBJECT EXCLUDE_FROM_ALL ${cuda_check_sources})
  set_target_properties(agpusim_cuda_check PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES 90-virtual)
  target_compile_options(agpusim_cuda_check PRIVATE -Xcicc=-O0)
  target_compile_definitions(agpusim_cuda_check PRIVATE FMT_USE_CONSTEXPR=1) # as in agpusim_add_library
  target_include_directories(agpusim_cuda_check PRIVATE "${AGPUSIM_GENERATED_DIR}")
  target_link_libraries(agpusim_cuda_check PRIVATE agpusim_build agpusim_cli fmt::fmt nlohmann_json::nlohmann_json
                                                   Catch2::Catch2)
else()
  add_test(NAME cuda_half_compiles
           COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DBUILD_DIR=${PROJECT_BINARY_DIR}/cuda_check"
                   "-DCXX=${CMAKE_CXX_COMPILER}" -P "${PROJECT_SOURCE_DIR}/tests/cuda/compile.cmake")
  set_tests_properties(cuda_half_compiles PROPERTIES TIMEOUT 1200 COST 200 SKIP_REGULAR_EXPRESSION "skipped: the CUDA half")
endif()

# Another compiler than that of the build finds what that one lets pass.
find_program(AGPUSIM_CLANG NAMES clang++)
mark_as_advanced(AGPUSIM_CLANG)
if(AGPUSIM_CLANG AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_test(NAME model_compiles_with_clang
           COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DBUILD_DIR=${PROJECT_BINARY_DIR}/clang_check"
                   "-DCLANG=${AGPUSIM_CLANG}" -P "${PROJECT_SOURCE_DIR}/tests/clang/compile.cmake")
  set_tests_properties(model_compiles_with_clang PROPERTIES TIMEOUT 1200 COST 40)
endif()

# What these two print is also checked against its schema, without running them again.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/printed")
function(agpusim_add_printing_test name command options)
  add_test(NAME ${name} COMMAND sh -c "\"$<TARGET_FILE:agpusim>\" ${command} ${options} --json >'${command}.json'"
           WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/printed")
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 FIXTURES_SETUP printed)
endfunction()
# A change of a kernel that stored counts do not follow is found here, whichever bundled records they are of.
agpusim_add_printing_test(stored_counts "count --check" "")
agpusim_add_printing_test(stored_kernels "count --check --compiled" "")
# The prediction of algorithms that nothing was fitted to stays about as good as
# docs/reference/accuracy.md says.
agpusim_add_printing_test(validate "validate" "--most-mape 9.6")
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME schemas COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/check_schemas.py"
                                "$<TARGET_FILE:agpusim>" "$<TARGET_FILE:agpusim_fake_device>"
                                --printed "${PROJECT_BINARY_DIR}/printed")
  set_tests_properties(schemas PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED printed)
  add_test(NAME check_tree COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/dev/check_tree.py")
  # What README.md and docs show is what the commands print.
  add_test(NAME docs COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/dev/docs" --check "$<TARGET_FILE:agpusim>")
  set_tests_properties(docs PROPERTIES TIMEOUT 1200)
  # What some commands print and write is what tests/outputs holds; `dev/outputs save tests/outputs` writes it anew.
  add_test(NAME outputs COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/dev/outputs" compare
                                "${PROJECT_SOURCE_DIR}/tests/outputs" "$<TARGET_FILE:agpusim>")
  set_tests_properties(outputs PROPERTIES TIMEOUT 1200)
  # A reader's questions are answered within two links of README.md.
  add_test(NAME questions COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/dev/check_questions.py" "$<TARGET_FILE:agpusim>")
  add_test(NAME cudalibs COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/cudalibs/run.py" "$<TARGET_FILE:agpusim>"
                                 "$<TARGET_FILE:agpusim_cudalibs_program>")
  add_test(NAME names_of_cudalibs COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/cudalibs/names.py"
                                          "$<TARGET_FILE_DIR:agpusim_cudart>")
  set_tests_properties(names_of_cudalibs PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME exec_cc COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/exec_cc/run.py" "$<TARGET_FILE:agpusim>")
  set_tests_properties(exec_cc PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77)
  add_test(NAME exercise_cuda COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/exercise_cuda/run.py" "$<TARGET_FILE:agpusim>"
                                      "${PROJECT_SOURCE_DIR}/exercises" "${AGPUSIM_GENERATED_DIR}/exercises")
  add_test(NAME exercise_gradescope COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/exercise_cuda/gradescope.py"
                                            "$<TARGET_FILE:agpusim>" "${PROJECT_SOURCE_DIR}/examples/gradescope/run_autograder"
                                            "${PROJECT_SOURCE_DIR}/exercises")
  add_test(NAME exercise_tricks COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/exercise_cuda/tricks.py" "$<TARGET_FILE:agpusim>")
  set_tests_properties(exercise_cuda exercise_tricks PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77)
  # PTX of Triton, CuPy, JAX and Numba, launched by the driver's functions as they launch it.
  set(replay exec -- "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/cudart/fixtures_of_frameworks/replay.py")
  add_test(NAME frameworks COMMAND agpusim ${replay})
  add_test(NAME frameworks_refused COMMAND agpusim ${replay} "triton product wgmma")
  set_tests_properties(frameworks_refused PROPERTIES PASS_REGULAR_EXPRESSION "wgmma\\.fence\\.sync\\.aligned is not supported")
  add_test(NAME options COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/cli/options_test.py" "$<TARGET_FILE:agpusim>"
                                "$<TARGET_FILE:agpusim_own_program>")
  set_tests_properties(options PROPERTIES TIMEOUT 1200)
  # Frames and plots are tested where a Python has pandas and matplotlib: often that of the system alone.
  execute_process(COMMAND /usr/bin/python3 -c "import pandas, matplotlib" RESULT_VARIABLE lacks_pandas OUTPUT_QUIET ERROR_QUIET)
  set(python "${Python3_EXECUTABLE}")
  if(lacks_pandas STREQUAL 0)
    set(python /usr/bin/python3)
  endif()
  add_test(NAME python COMMAND "${python}" "${PROJECT_SOURCE_DIR}/tests/python_test.py" "$<TARGET_FILE:agpusim>")
  set_tests_properties(python PROPERTIES TIMEOUT 1200 FIXTURES_REQUIRED printed
                                         ENVIRONMENT "AGPUSIM_PRINTED=${PROJECT_BINARY_DIR}/printed/validate.json")
  # The page of analyze in a browser; skipped where there is none.
  add_test(NAME page_in_browser COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/dev/check_page.py" $<TARGET_FILE:agpusim>)
  set_tests_properties(page_in_browser PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()

# What a page holds and shows of limits is what text and JSON say.
find_program(AGPUSIM_NODE NAMES node nodejs)
mark_as_advanced(AGPUSIM_NODE)
if(AGPUSIM_NODE)
  add_test(NAME page_data COMMAND "${AGPUSIM_NODE}" "${PROJECT_SOURCE_DIR}/tests/page_data.mjs" $<TARGET_FILE:agpusim>)
endif()

add_executable(agpusim_bench bench/main.cpp bench/exec_bench.cpp bench/pram_bench.cpp bench/pricing_bench.cpp bench/ptx_bench.cpp
                             bench/simulator_bench.cpp)
target_link_libraries(agpusim_bench PRIVATE agpusim_build agpusim_all agpusim_cudart fmt::fmt benchmark::benchmark)
target_compile_definitions(
  agpusim_bench PRIVATE AGPUSIM_CLI_PATH="$<TARGET_FILE:agpusim>"
                        AGPUSIM_CUDART_PROGRAM_PATH="$<TARGET_FILE:agpusim_cudart_program>"
                        AGPUSIM_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
add_dependencies(agpusim_bench agpusim agpusim_cudart_program)
add_executable(agpusim_compiled_counters bench/compiled_counters.cpp)
target_link_libraries(agpusim_compiled_counters PRIVATE agpusim_build agpusim_all fmt::fmt)
add_test(NAME compiled_counters COMMAND agpusim_compiled_counters 200)
if(AGPUSIM_WITH_CUDA)
  foreach(bench IN ITEMS copies_and_kernels copies_after host_pages lone_warp phases wide_accesses counting_sort allocations
                         radix_sort)
    add_executable(agpusim_${bench}_bench "${PROJECT_SOURCE_DIR}/bench/${bench}.cu")
    target_link_libraries(agpusim_${bench}_bench PRIVATE agpusim_build agpusim_all fmt::fmt)
    target_compile_definitions(agpusim_${bench}_bench PRIVATE FMT_USE_CONSTEXPR=1) # as in agpusim_add_library
  endforeach()
endif()
