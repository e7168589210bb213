# Marks answers with a package that lies in a folder with a space in its name, where neither the sources nor the build are.
# Arguments: BUILD_DIR, BUILD_TYPE, SOURCE_DIR, CXX
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE work OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(prefix "${work}/a prefix")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}" --config "${BUILD_TYPE}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE "${SOURCE_DIR}/exercises/reverse/solution.hpp" "${work}/reverse.hpp")
file(COPY_FILE "${BUILD_DIR}/generated/exercises/reverse/wrong_rows.hpp" "${work}/wrong rows.hpp")
file(COPY_FILE "${SOURCE_DIR}/exercises/pram_sum/solution.hpp" "${work}/pram_sum.hpp")
file(READ "${work}/reverse.hpp" solution)
string(REPLACE "read(i)" "read(-i)" broken "${solution}")
file(WRITE "${work}/broken.hpp" "${broken}")

set(hide unshare --map-root-user --mount sh -c
         "mount -t tmpfs none '${SOURCE_DIR}' && (test ! -d '${BUILD_DIR}' || mount -t tmpfs none '${BUILD_DIR}') && exec \"$@\"" sh)
execute_process(COMMAND ${hide} test ! -e "${SOURCE_DIR}/CMakeLists.txt" RESULT_VARIABLE seen ERROR_QUIET)
if(seen)
  message("neither sources nor build are hidden: unshare does not mount here")
  set(hide env)
endif()

# must_mark(<exit code> <text> <arguments of grade>...): the text is in what it prints, and no more than eight lines are
function(must_mark code text)
  execute_process(COMMAND ${hide} env "CXX=${CXX}" "${prefix}/bin/agpusim" exercise grade ${ARGN} WORKING_DIRECTORY "${work}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
  string(FIND "${out}" "${text}" at)
  string(REGEX MATCHALL "\n" lines "${out}")
  list(LENGTH lines count)
  if(NOT result EQUAL code OR at EQUAL -1 OR count GREATER 8)
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "grade ${ARGN}: code ${result} instead of ${code}, or no '${text}' in\n${out}")
  endif()
endfunction()

must_mark(0 "3 of 3" reverse.hpp)
must_mark(0 "3 of 3" pram_sum.hpp)
must_mark(7 " at wrong rows.hpp:" "wrong rows.hpp" --as reverse)
must_mark(7 "error: lanes have no unary minus: write 0 - x\n" broken.hpp --as reverse)
must_mark(7 "reverse,1,0,result,false,it does not compile: broken.hpp:11:" broken.hpp --as reverse --csv)
file(REMOVE_RECURSE "${work}")
