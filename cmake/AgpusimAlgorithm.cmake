# An algorithm is a folder algorithms/<name> and one line agpusim_add_algorithm(<name>).
#   model.cpp   defines agpusim::register_<name>(Registry&): the algorithm on AGPU
#   pram.cpp    defines agpusim::register_pram_<name>(PramRegistry&): the algorithm on a PRAM; one of the two is required
#   *.cpp       further host sources
#   cuda.cu     (optional) defines agpusim::register_cuda_<name>(CudaRegistry&)
#   cub.cu      (optional) library baselines: defines agpusim::register_cub_<name>(CudaRegistry&)
# Registration is explicit calls in list order: a static object in a static library would be dropped.

# agpusim_add_algorithm(<name>)
function(agpusim_add_algorithm name)
  set(folder "${PROJECT_SOURCE_DIR}/algorithms/${name}")
  set(found FALSE)
  foreach(entry IN ITEMS model.cpp:AGPUSIM_ALGORITHMS pram.cpp:AGPUSIM_PRAM_ALGORITHMS cuda.cu:AGPUSIM_CUDA_ALGORITHMS
                         cub.cu:AGPUSIM_CUB_ALGORITHMS)
    string(REPLACE ":" ";" entry "${entry}")
    list(GET entry 0 file)
    list(GET entry 1 names)
    if(EXISTS "${folder}/${file}")
      set_property(GLOBAL APPEND PROPERTY ${names} ${name})
      set(found TRUE)
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "algorithm ${name}: ${folder} has no model.cpp, pram.cpp or cub.cu")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  target_sources(agpusim_algorithms PRIVATE ${sources})
  file(GLOB cuda_sources CONFIGURE_DEPENDS "${folder}/*.cu")
  # Without contraction a kernel's floating-point results are those of the abstract machine, bit for bit.
  set_source_files_properties(${cuda_sources} DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTIES COMPILE_OPTIONS -fmad=false)
  set_property(GLOBAL APPEND PROPERTY AGPUSIM_CUDA_SOURCES ${cuda_sources})
endfunction()

# Writes generated/<file>: a function that calls <callee>(registry) for every callee.
function(agpusim_write_registry file header function type)
  set(declarations "")
  set(calls "")
  foreach(callee IN LISTS ARGN)
    string(APPEND declarations "void ${callee}(${type}& registry);\n")
    string(APPEND calls "  ${callee}(registry);\n")
  endforeach()
  file(CONFIGURE OUTPUT "${AGPUSIM_GENERATED_DIR}/${file}" @ONLY CONTENT [=[
// Generated from algorithms/CMakeLists.txt.
#include "@header@"

namespace agpusim {

@declarations@
void @function@([[maybe_unused]] @type@& registry) {
@calls@}

}  // namespace agpusim
]=])
endfunction()

# generated/registry.cpp: agpusim::register_all; generated/pram_registry.cpp: agpusim::register_all_pram
function(agpusim_generate_registry)
  get_property(names GLOBAL PROPERTY AGPUSIM_ALGORITHMS)
  list(TRANSFORM names PREPEND register_)
  agpusim_write_registry(registry.cpp agpusim/algorithms/registry.hpp register_all Registry ${names})
  get_property(pram_names GLOBAL PROPERTY AGPUSIM_PRAM_ALGORITHMS)
  list(TRANSFORM pram_names PREPEND register_pram_)
  agpusim_write_registry(pram_registry.cpp agpusim/algorithms/pram_registry.hpp register_all_pram PramRegistry
                         ${pram_names})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/algorithms/*.cpp")
  target_sources(agpusim_algorithms PRIVATE ${sources} "${AGPUSIM_GENERATED_DIR}/registry.cpp"
                                            "${AGPUSIM_GENERATED_DIR}/pram_registry.cpp")
endfunction()

# Library agpusim_cuda: cuda/, the algorithms' and validation's .cu files, and agpusim::register_all_cuda.
# When CUDA is off the registry stays empty and agpusim::cuda_support() (validation/measure.hpp) says so.
function(agpusim_add_cuda)
  agpusim_add_library(cuda)
  target_link_libraries(agpusim_cuda PUBLIC agpusim_validation)
  target_link_libraries(agpusim_validation PRIVATE agpusim_cuda) # each calls the other
  set(names "")
  if(AGPUSIM_WITH_CUDA)
    get_property(names GLOBAL PROPERTY AGPUSIM_CUDA_ALGORITHMS)
    list(TRANSFORM names PREPEND register_cuda_)
    get_property(cub_names GLOBAL PROPERTY AGPUSIM_CUB_ALGORITHMS)
    list(TRANSFORM cub_names PREPEND register_cub_)
    get_property(sources GLOBAL PROPERTY AGPUSIM_CUDA_SOURCES)
    file(GLOB_RECURSE more CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cuda/*.cu"
                                             "${PROJECT_SOURCE_DIR}/validation/*.cu")
    target_sources(agpusim_cuda PRIVATE ${sources} ${more})
    target_link_libraries(agpusim_cuda PRIVATE fmt::fmt)
    # fmt 9 leaves half of its constexpr out for nvcc, without which its format strings do not compile.
    target_compile_definitions(agpusim_cuda PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>")
  endif()
  agpusim_write_registry(register_cuda.cpp agpusim/validation/cuda_registry.hpp register_all_cuda CudaRegistry
                         ${names} ${cub_names})
  target_sources(agpusim_cuda PRIVATE "${AGPUSIM_GENERATED_DIR}/register_cuda.cpp")
  if(NOT AGPUSIM_WITH_CUDA)
    file(CONFIGURE OUTPUT "${AGPUSIM_GENERATED_DIR}/no_cuda.cpp" CONTENT [=[
#include "agpusim/validation/measure.hpp"

std::optional<agpusim::CudaSupport> agpusim::cuda_support() { return std::nullopt; }
]=])
    target_sources(agpusim_cuda PRIVATE "${AGPUSIM_GENERATED_DIR}/no_cuda.cpp")
  endif()
endfunction()
