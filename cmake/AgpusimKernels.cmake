# agpusim_compile_kernels(<target> <source>): lays the kernels of a program beside it as PTX, from which times are predicted. Only
# where nvcc is; a source that it does not compile leaves none.
find_program(AGPUSIM_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
mark_as_advanced(AGPUSIM_NVCC)
function(agpusim_compile_kernels target source)
  if(NOT AGPUSIM_NVCC)
    return()
  endif()
  set(ptx "$<TARGET_FILE:${target}>.ptx")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND
      "${AGPUSIM_NVCC}" -x cu -std=c++20 -arch=sm_90 -fmad=false -lineinfo -diag-suppress 20011,20013,20014 -DFMT_USE_CONSTEXPR=1
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" -ptx "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${ptx}" || "${CMAKE_COMMAND}"
      -E rm -f "${ptx}"
    COMMENT "Compiling the kernels of ${target} to PTX"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
