# Installs BUILD_DIR into a fresh prefix, then builds and runs against it: the consumer of this folder, and the project that
# the installed `agpusim new` writes, with the C++ compiler alone and, where the package has its CUDA half, compiled as CUDA.
# Arguments: BUILD_DIR, BUILD_TYPE, CUDA, CXX, CXX_FLAGS
set(work "${BUILD_DIR}/install_test")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# build(<source folder> <build folder> <target> <arguments of cmake>...)
function(build source folder target)
  run("${CMAKE_COMMAND}" -S "${source}" -B "${folder}" -G Ninja "-DCMAKE_PREFIX_PATH=${work}/prefix"
      "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
      "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" ${ARGN})
  run("${CMAKE_COMMAND}" --build "${folder}" --target "${target}")
endfunction()

# must_say(<text> <command>...): the command succeeds and prints the text
function(must_say text)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${out}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${ARGN}: no '${text}' in\n${out}")
  endif()
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix" --config "${BUILD_TYPE}")
build("${CMAKE_CURRENT_LIST_DIR}" "${work}/build" all)
run("${work}/build/consumer")

run("${work}/prefix/bin/agpusim" --help)
run("${work}/prefix/bin/agpusim" new my_sort)
run("${work}/prefix/bin/agpusim" new --pram my_steps)
# The pages that a new project's README names.
foreach(project IN ITEMS my_sort my_steps)
  file(READ "${work}/${project}/README.md" readme)
  string(REGEX MATCHALL "docs/[a-z_/]*[.]md" pages "${readme}")
  list(LENGTH pages count)
  if(NOT count EQUAL 2)
    message(FATAL_ERROR "${project}/README.md names ${count} pages: ${pages}")
  endif()
  foreach(page IN LISTS pages)
    if(NOT EXISTS "${work}/prefix/share/doc/agpusim/${page}")
      message(FATAL_ERROR "${project}/README.md names ${page}, which is not installed")
    endif()
  endforeach()
endforeach()
build("${work}/my_sort" "${work}/my_build" all -DAGPUSIM_CUDA=OFF)
# A newcomer's mistake: the file, the line and the remedy, in few lines.
file(READ "${work}/my_sort/my_sort.hpp" right)
string(REPLACE "key + key);" "key + key);\n      if (i < 5) return;" wrong "${right}")
file(WRITE "${work}/my_sort/my_sort.hpp" "${wrong}")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/my_build" --target my_sort OUTPUT_VARIABLE out ERROR_VARIABLE out)
file(WRITE "${work}/my_sort/my_sort.hpp" "${right}")
string(REGEX MATCHALL "\n" lines "${out}")
list(LENGTH lines count)
if(count GREATER 10 OR NOT out MATCHES "my_sort.hpp:16:[0-9]+: error: each lane has a value of its own: write mp.when")
  message(FATAL_ERROR "${count} lines of an error:\n${out}")
endif()
run("${CMAKE_COMMAND}" --build "${work}/my_build")
set(my_sort "${work}/my_build/my_sort")
must_say("\nmy_sort " "${my_sort}" list)
must_say("\nbitonic_sort " "${my_sort}" list)
must_say("my_sort: " "${my_sort}" help my_sort)
must_say("equals the reference" "${my_sort}" run my_sort --n 1000003 --type u64)
must_say("vector_add" "${my_sort}" compare my_sort vector_add --n 2^20)
run("${work}/my_build/my_sort_test")
build("${work}/my_steps" "${work}/my_steps_build" my_steps_test)
run("${work}/my_steps_build/my_steps_test")

find_program(nvcc nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(CUDA)
  build("${work}/my_sort" "${work}/my_cuda_build" all -DAGPUSIM_CUDA=ON)
  must_say("equals the reference" "${work}/my_cuda_build/my_sort" run my_sort --n 1000)
elseif(nvcc) # the same lines are device code; there is no CUDA half to link
  run("${nvcc}" -std=c++20 -arch=sm_90 -fmad=false -diag-suppress=20011,20013,20014 -Werror=all-warnings
      "-I${work}/prefix/include" -x cu -c "${work}/my_sort/main.cpp" -o "${work}/my_sort_cuda.o")
else()
  message("my_sort was not compiled as CUDA: there is no nvcc here")
endif()
