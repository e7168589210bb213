# cmake --install: libraries, headers, the program, its data and the CMake package "agpusim".
include(CMakePackageConfigHelpers)

install(TARGETS agpusim RUNTIME)
install(TARGETS agpusim_model agpusim_algorithms agpusim_validation agpusim_cuda agpusim_cli agpusim_all EXPORT agpusim)

foreach(layer IN ITEMS model algorithms cuda validation)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim"
            FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh"
            REGEX "/validation/(json|devices|data)$" EXCLUDE)
  endif()
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/cli/agpusim.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim")
install(FILES "${PROJECT_SOURCE_DIR}/cli/own_cuda.cuh" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/agpusim/cli")
foreach(data IN ITEMS devices data)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/validation/${data}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/validation/${data}" DESTINATION "${CMAKE_INSTALL_DATADIR}/agpusim")
  endif()
endforeach()
# What the program's output cites.
install(FILES "${PROJECT_SOURCE_DIR}/docs/theory.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/agpusim")
install(EXPORT agpusim NAMESPACE agpusim:: DESTINATION "${package_dir}" FILE agpusimTargets.cmake)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/agpusimConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/agpusimConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/agpusimConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/agpusimConfig.cmake" "${PROJECT_BINARY_DIR}/agpusimConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AgpusimCuda.cmake"
        DESTINATION "${package_dir}")
