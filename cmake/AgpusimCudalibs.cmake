# Libraries that take the place of NVIDIA's beside libcudart.so.13: what is not computed says so.
function(agpusim_add_library_of_cuda name major)
  set(target "agpusim_lib${name}")
  set(sources stubs functions ${ARGN})
  list(TRANSFORM sources REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/cudalibs/\\1.cpp")
  add_library(${target} SHARED ${sources})
  # A program that NVIDIA's library was linked to asks for names of this version.
  set(symbols "${PROJECT_BINARY_DIR}/generated/lib${name}.map")
  file(CONFIGURE OUTPUT "${symbols}" CONTENT "lib${name}.so.${major} { global: cu*; local: *; };\n")
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME ${name} SOVERSION ${major} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                         LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/${folder}" INSTALL_RPATH "$ORIGIN"
                         BUILD_RPATH_USE_ORIGIN ON)
  target_compile_definitions(
    ${target} PRIVATE AGPUSIM_LIBRARY=${name} AGPUSIM_LIBRARY_NAMES="agpusim/cudalibs/names/${name}.def"
                      AGPUSIM_LIBRARY_FUNCTIONS="agpusim/cudalibs/functions/${name}.def"
                      AGPUSIM_LIBRARY_STATUSES="agpusim/cudalibs/statuses/${name}.def")
  target_link_libraries(${target} PRIVATE agpusim_build agpusim_cudart agpusim_ptx Eigen3::Eigen)
  target_link_options(${target} PRIVATE "-Wl,--version-script=${symbols}" -Wl,-z,defs -Wl,--gc-sections)
  install(TARGETS ${target} LIBRARY DESTINATION "lib/${folder}" NAMELINK_SKIP)
  add_dependencies(agpusim ${target})
  set(AGPUSIM_CUDALIBS ${AGPUSIM_CUDALIBS} ${target} PARENT_SCOPE)
endfunction()
agpusim_add_library_of_cuda(cublas 13 cublas)
agpusim_add_library_of_cuda(cublasLt 13)
agpusim_add_library_of_cuda(curand 10 curand)
agpusim_add_library_of_cuda(cufft 12)
agpusim_add_library_of_cuda(cusparse 12)
agpusim_add_library_of_cuda(cusolver 12)
