# cmake --workflow --preset package (AGPUSIM_PACKAGE): the Debian packages agpusim and agpusim-dev
set(CPACK_PACKAGE_CONTACT "The agpusim maintainers <agpusim@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs CUDA programs without a GPU: cost and defects by source line")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "agpusim counts sectors, bank conflicts and divergence of CUDA kernels,\nfinds races and bad indices, and predicts times, all without a GPU.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers, static libraries and the CMake package for algorithms of one's own,\nand what grades answers to exercises.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME agpusim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# What agpusim cc compiles with, archives of answers are read with, and the Python module runs in.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "unzip, clang, python3")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "agpusim-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME agpusim-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "agpusim (= ${PROJECT_VERSION}), g++, cmake (>= 3.25), libtbb-dev, libfmt-dev, liblzma-dev")

# Each package has its licence and, as Debian asks, a changelog of its versions.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, where it is set
set(changelog "${PROJECT_BINARY_DIR}/changelog")
file(WRITE "${changelog}" "agpusim (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * What is new stands in CHANGELOG.md.\n\n"
                          " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9nf "${changelog}" COMMAND_ERROR_IS_FATAL ANY)
set(copyright "${PROJECT_BINARY_DIR}/copyright")
file(WRITE "${copyright}" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
                          "Files: *\nCopyright: 2026 The agpusim maintainers\nLicense: Apache-2.0\n"
                          " On Debian systems its text is /usr/share/common-licenses/Apache-2.0.\n")
set(names agpusim agpusim-dev)
foreach(component name IN ZIP_LISTS CPACK_COMPONENTS_ALL names)
  set(place DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" COMPONENT ${component})
  install(FILES "${changelog}.gz" "${copyright}" ${place})
endforeach()
include(CPack)
