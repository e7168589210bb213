# Installs BUILD_DIR into a fresh prefix, then configures, builds and runs the consumer against it.
# Arguments: BUILD_DIR, BUILD_TYPE, CXX, CXX_FLAGS
set(work "${BUILD_DIR}/install_test")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix" --config "${BUILD_TYPE}")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G Ninja
    "-DCMAKE_PREFIX_PATH=${work}/prefix" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/consumer")
run("${work}/prefix/bin/agpusim" --help)
