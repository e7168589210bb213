# An algorithm is a folder algorithms/<path> and one line agpusim_add_algorithm(<path>). Its name is the last part of the path.
#   model.cpp    defines agpusim::register_<name>(Registry&): the algorithm on AGPU
#   program.hpp  agpusim::<name>::make_program<Device>(device, config), from which its CUDA half is generated
#   FAMILY       says that model.cpp and program.hpp are those of the folder above, which hold several algorithms
#   device.cuh   (optional) what its kernels call by another name on CUDA; included before program.hpp
#   pram.cpp     defines agpusim::register_pram_<name>(Registry&): the algorithm on a PRAM; one of the two is required
#   *.cpp, *.cu  further sources; without program.hpp, cuda.cu may define agpusim::register_cuda_<name>(CudaRegistry&)
#   cub.cu       (optional) library baselines: defines agpusim::register_cub_<name>(CudaRegistry&)
# Registration is explicit calls in list order: a static object in a static library would be dropped.

# Adds the sources of the folders algorithms/<path>, a folder's own files only.
function(agpusim_add_parts)
  foreach(path IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/algorithms/${path}/*.cpp")
    target_sources(agpusim_algorithms PRIVATE ${sources})
    if(AGPUSIM_WITH_CUDA)
      file(GLOB cuda_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/algorithms/${path}/*.cu")
      # Without contraction a kernel's floating-point results are those of the abstract machine, bit for bit.
      set_source_files_properties(${cuda_sources} TARGET_DIRECTORY agpusim_algorithms PROPERTIES COMPILE_OPTIONS
                                                                                                 -fmad=false)
      target_sources(agpusim_algorithms PRIVATE ${cuda_sources})
    endif()
  endforeach()
endfunction()

# generated/cuda_<name>.cu: the algorithm's program on CUDA
function(agpusim_generate_cuda_program path name)
  set(source "${AGPUSIM_GENERATED_DIR}/cuda_${name}.cu")
  set(device_part "")
  if(EXISTS "${PROJECT_SOURCE_DIR}/algorithms/${path}/device.cuh")
    set(device_part "#include \"agpusim/algorithms/${path}/device.cuh\"\n")
  endif()
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [=[
// Generated from algorithms/CMakeLists.txt.
@device_part@#include "agpusim/algorithms/@path@/program.hpp"
#include "agpusim/cuda/program.cuh"

namespace agpusim {

void register_cuda_@name@(CudaRegistry& registry) {
  registry.add("@name@", [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    return std::make_unique<CudaHostProgram>(config, @name@::make_program<CudaDevice>);
  });
}

}  // namespace agpusim
]=])
  set_source_files_properties("${source}" TARGET_DIRECTORY agpusim_algorithms PROPERTIES COMPILE_OPTIONS -fmad=false)
  target_sources(agpusim_algorithms PRIVATE "${source}")
  set_property(GLOBAL APPEND PROPERTY AGPUSIM_CUDA_CALLS register_cuda_${name})
endfunction()

# agpusim_add_algorithm(<path> [FAMILY])
function(agpusim_add_algorithm path)
  cmake_path(GET path FILENAME name)
  set(folder "${PROJECT_SOURCE_DIR}/algorithms/${path}")
  set(found FALSE)
  set(program ${path})
  if("FAMILY" IN_LIST ARGN)
    cmake_path(GET path PARENT_PATH program)
    set_property(GLOBAL APPEND PROPERTY AGPUSIM_ROW_CALLS register_${name})
    set(found TRUE)
  endif()
  foreach(entry IN ITEMS model.cpp:ROW:register_ pram.cpp:ROW:register_pram_ cuda.cu:CUDA:register_cuda_
                         cub.cu:CUB:register_cub_)
    string(REPLACE ":" ";" entry "${entry}")
    list(GET entry 0 file)
    list(GET entry 1 kind)
    list(GET entry 2 prefix)
    if(EXISTS "${folder}/${file}")
      set_property(GLOBAL APPEND PROPERTY AGPUSIM_${kind}_CALLS ${prefix}${name})
      set(found TRUE)
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "algorithm ${name}: algorithms/${path} has no model.cpp, pram.cpp or cub.cu")
  endif()
  if(AGPUSIM_WITH_CUDA AND EXISTS "${PROJECT_SOURCE_DIR}/algorithms/${program}/program.hpp")
    agpusim_generate_cuda_program(${program} ${name})
  endif()
  agpusim_add_parts(${path})
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

# generated/registry.cpp: agpusim::register_all; cuda_registry.cpp: register_all_cuda, which registers nothing in a build
# without CUDA.
function(agpusim_generate_registry)
  get_property(rows GLOBAL PROPERTY AGPUSIM_ROW_CALLS)
  agpusim_write_registry(registry.cpp agpusim/algorithms/registry.hpp register_all Registry ${rows})
  set(cuda_calls "")
  if(AGPUSIM_WITH_CUDA)
    get_property(own GLOBAL PROPERTY AGPUSIM_CUDA_CALLS)
    get_property(cub GLOBAL PROPERTY AGPUSIM_CUB_CALLS)
    set(cuda_calls ${own} ${cub})
  endif()
  agpusim_write_registry(cuda_registry.cpp agpusim/cuda/registry.hpp register_all_cuda CudaRegistry ${cuda_calls})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/algorithms/*.cpp")
  target_sources(
    agpusim_algorithms
    PRIVATE ${sources} "${AGPUSIM_GENERATED_DIR}/registry.cpp" "${AGPUSIM_GENERATED_DIR}/cuda_registry.cpp")
endfunction()
