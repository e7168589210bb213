# Compiles the model, and algorithms that use much of it, with Clang and the project's warnings; nothing is linked or run.
# Arguments: SOURCE_DIR, BUILD_DIR, CLANG
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${BUILD_DIR}" -G Ninja "-DCMAKE_CXX_COMPILER=${CLANG}" -DAGPUSIM_WERROR=ON
          -DAGPUSIM_BUILD_TESTS=OFF -DAGPUSIM_CUDA=OFF -DAGPUSIM_MPI=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
  COMMAND_ERROR_IS_FATAL ANY)
set(algorithms hash_table/model integer_sorts/radix_sort/model scan/pram statistics/model transpose/model)
list(TRANSFORM algorithms REPLACE "(.+)" "CMakeFiles/agpusim_algorithms.dir/algorithms/\\1.cpp.o")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD_DIR}" --parallel 1 --target agpusim_model ${algorithms}
                COMMAND_ERROR_IS_FATAL ANY)
