# Compiles every CUDA source, without optimising it, where there is an nvcc; nothing is linked or run.
# Arguments: SOURCE_DIR, BUILD_DIR, CXX
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${BUILD_DIR}" -G Ninja -DAGPUSIM_CUDA=AUTO -DAGPUSIM_WERROR=ON
          -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=${CXX}"
  OUTPUT_VARIABLE out ECHO_OUTPUT_VARIABLE COMMAND_ERROR_IS_FATAL ANY)
if(NOT out MATCHES "agpusim: CUDA ON")
  message("skipped: the CUDA half is not compiled, since there is no nvcc (12 or newer) here")
  return()
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD_DIR}" --target agpusim_cuda_check --parallel 1
                COMMAND_ERROR_IS_FATAL ANY)
