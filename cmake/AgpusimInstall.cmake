# cmake --install: the program and its data, the component `program`; libraries, headers and the CMake package "agpusim", `dev`.
include(CMakePackageConfigHelpers)

install(TARGETS agpusim RUNTIME)
# The same program for newer processors, each of a build of its own; the installed one goes on as the best that the processor runs.
set(AGPUSIM_ARCH_PROGRAMS "" CACHE STRING "Further values of -march, x86-64-v3 and x86-64-v4, that the program is built for")
foreach(arch IN LISTS AGPUSIM_ARCH_PROGRAMS)
  set(folder "${PROJECT_BINARY_DIR}/${arch}")
  add_custom_target(
    agpusim_${arch} ALL
    COMMAND "${CMAKE_COMMAND}" -S "${PROJECT_SOURCE_DIR}" -B "${folder}" -G "${CMAKE_GENERATOR}" -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
            -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_INSTALL_PREFIX=${CMAKE_INSTALL_PREFIX} -DAGPUSIM_ARCH=${arch}
            -DAGPUSIM_ARCH_PROGRAMS= -DAGPUSIM_BUILD_TESTS=OFF -DAGPUSIM_CUDA=OFF -DAGPUSIM_MPI=OFF
            -DAGPUSIM_PACKAGE=${AGPUSIM_PACKAGE}
    COMMAND "${CMAKE_COMMAND}" --build "${folder}" --target agpusim agpusim_cudart
    USES_TERMINAL VERBATIM)
  set(place "${CMAKE_INSTALL_LIBEXECDIR}/agpusim/${arch}")
  install(PROGRAMS "${folder}/agpusim" DESTINATION "${place}")
  # Where that program finds it, and no other.
  install(DIRECTORY "${folder}/lib/agpusim" DESTINATION "${place}/lib" USE_SOURCE_PERMISSIONS)
  target_compile_definitions(agpusim PRIVATE "AGPUSIM_PROGRAMS=\"${CMAKE_INSTALL_FULL_LIBEXECDIR}/agpusim\"")
endforeach()
install(TARGETS agpusim_model agpusim_ptx agpusim_algorithms agpusim_validation agpusim_cuda agpusim_cli agpusim_all EXPORT agpusim
        COMPONENT dev)

foreach(layer IN ITEMS model ptx algorithms cuda validation)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim" COMPONENT dev
            FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh"
            REGEX "/validation/(devices|data)$|json[a-z_]*\\.hpp$" EXCLUDE)
  endif()
endforeach()
agpusim_rooms(headers_of_command_lines headers hpp cuh)
list(FILTER headers EXCLUDE REGEX "json[a-z_]*\\.hpp$")
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim/${folder}" COMPONENT dev)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/cli/agpusim.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim" COMPONENT dev)
install(FILES "${PROJECT_SOURCE_DIR}/cli/own_cuda.cuh" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim/cli" COMPONENT dev)
foreach(data IN ITEMS devices data ptx)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/validation/${data}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/validation/${data}" DESTINATION "${CMAKE_INSTALL_DATADIR}/agpusim")
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/papers" DESTINATION "${CMAKE_INSTALL_DATADIR}/agpusim"
        FILES_MATCHING PATTERN "*.json" PATTERN "detail" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cudacc/include" DESTINATION "${CMAKE_INSTALL_DATADIR}/agpusim/cudacc") # of agpusim cc
# The documents, in the folders of the repository, so that links from one to another lead somewhere.
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
              "${PROJECT_SOURCE_DIR}/CITATION.cff"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN "agpusim.1.in" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}/zoo" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/algorithms/*.md"
     "${PROJECT_SOURCE_DIR}/web/*.md")
foreach(page IN LISTS pages ITEMS model/README.md ptx/README.md validation/README.md cudart/README.md cudalibs/README.md cudacc/README.md cli/README.md)
  cmake_path(GET page PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}")
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/build/browser/agpusim.html" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL) # of the preset browser
# Exercises to watch in a browser: cmake --build BUILD --target exercise_pages before the installation.
add_custom_target(exercise_pages COMMAND python3 "${PROJECT_SOURCE_DIR}/dev/watch/watch.py" "${PROJECT_BINARY_DIR}/exercise_pages" "${PROJECT_BINARY_DIR}"
                  DEPENDS agpusim VERBATIM)
install(DIRECTORY "${PROJECT_BINARY_DIR}/exercise_pages/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/exercises" OPTIONAL)
if(NOT AGPUSIM_PACKAGE) # which names the copy of it that Debian has
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
endif()
set(manual "${PROJECT_BINARY_DIR}/agpusim.1")
configure_file("${PROJECT_SOURCE_DIR}/docs/agpusim.1.in" "${manual}" @ONLY)
if(AGPUSIM_PACKAGE) # as Debian asks
  execute_process(COMMAND gzip -9nfk "${manual}" COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND manual .gz)
endif()
install(FILES "${manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${PROJECT_SOURCE_DIR}/cli/completion.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
        RENAME agpusim)
install(FILES "${PROJECT_SOURCE_DIR}/cli/completion.zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" RENAME _agpusim)
install(FILES "${PROJECT_SOURCE_DIR}/cli/completion.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
        RENAME agpusim.fish)

# Where Debian's Python finds it when the prefix is /usr
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/agpusim" DESTINATION lib/python3/dist-packages PATTERN "__pycache__" EXCLUDE)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/agpusim")
install(EXPORT agpusim NAMESPACE agpusim:: DESTINATION "${package_dir}" FILE agpusimTargets.cmake COMPONENT dev)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/agpusimConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/agpusimConfig.cmake" INSTALL_DESTINATION "${package_dir}"
                              PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/agpusimConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/agpusimConfig.cmake" "${PROJECT_BINARY_DIR}/agpusimConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AgpusimCuda.cmake" "${PROJECT_SOURCE_DIR}/cmake/AgpusimKernels.cmake"
        DESTINATION "${package_dir}" COMPONENT dev)

if(AGPUSIM_PACKAGE)
  include(AgpusimPackage)
endif()
