# An algorithm is a folder algorithms/<name> and one line agpusim_add_algorithm(<name>).
#   model.cpp (required)   defines agpusim::register_<name>(Registry&)
#   *.cpp                  further host sources
#   cuda.cu (optional)     defines agpusim::register_cuda_<name>(CudaRegistry&)
#   cub.cu (optional)      library baseline
# Registration is explicit calls in list order: a static object in a static library would be dropped.

# agpusim_add_algorithm(<name>)
function(agpusim_add_algorithm name)
  set(folder "${PROJECT_SOURCE_DIR}/algorithms/${name}")
  if(NOT EXISTS "${folder}/model.cpp")
    message(FATAL_ERROR "algorithm ${name}: ${folder}/model.cpp is missing")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  target_sources(agpusim_algorithms PRIVATE ${sources})
  set_property(GLOBAL APPEND PROPERTY AGPUSIM_ALGORITHMS ${name})
  file(GLOB cuda_sources CONFIGURE_DEPENDS "${folder}/*.cu")
  if(EXISTS "${folder}/cuda.cu")
    set_property(GLOBAL APPEND PROPERTY AGPUSIM_CUDA_ALGORITHMS ${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY AGPUSIM_CUDA_SOURCES ${cuda_sources})
endfunction()

# Writes generated/<file>: a function that calls <prefix><name>(registry) for every name.
function(agpusim_write_registry file header function type prefix)
  set(declarations "")
  set(calls "")
  foreach(name IN LISTS ARGN)
    string(APPEND declarations "void ${prefix}${name}(${type}& registry);\n")
    string(APPEND calls "  ${prefix}${name}(registry);\n")
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

# generated/registry.cpp: agpusim::register_all
function(agpusim_generate_registry)
  get_property(names GLOBAL PROPERTY AGPUSIM_ALGORITHMS)
  agpusim_write_registry(registry.cpp agpusim/algorithms/registry.hpp register_all Registry register_ ${names})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/algorithms/*.cpp")
  target_sources(agpusim_algorithms PRIVATE ${sources} "${AGPUSIM_GENERATED_DIR}/registry.cpp")
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
    get_property(sources GLOBAL PROPERTY AGPUSIM_CUDA_SOURCES)
    file(GLOB_RECURSE more CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cuda/*.cu"
                                             "${PROJECT_SOURCE_DIR}/validation/*.cu")
    target_sources(agpusim_cuda PRIVATE ${sources} ${more})
    target_link_libraries(agpusim_cuda PRIVATE fmt::fmt)
    # fmt 9 leaves half of its constexpr out for nvcc, without which its format strings do not compile.
    target_compile_definitions(agpusim_cuda PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>")
  endif()
  agpusim_write_registry(register_cuda.cpp agpusim/validation/cuda_registry.hpp register_all_cuda CudaRegistry
                         register_cuda_ ${names})
  target_sources(agpusim_cuda PRIVATE "${AGPUSIM_GENERATED_DIR}/register_cuda.cpp")
  if(NOT AGPUSIM_WITH_CUDA)
    file(CONFIGURE OUTPUT "${AGPUSIM_GENERATED_DIR}/no_cuda.cpp" CONTENT [=[
#include "agpusim/validation/measure.hpp"

std::optional<agpusim::CudaSupport> agpusim::cuda_support() { return std::nullopt; }
]=])
    target_sources(agpusim_cuda PRIVATE "${AGPUSIM_GENERATED_DIR}/no_cuda.cpp")
  endif()
endfunction()
