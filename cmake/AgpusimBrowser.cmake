# The preset `browser`: the command line as WebAssembly in a page. Its dependencies are the distribution's headers, without the C
# library beside them, and cmake/browser, which stands in for what emscripten lacks.
set(AGPUSIM_HOME /agpusim) # in the memory of the page
set(headers "${PROJECT_BINARY_DIR}/third_party")
file(MAKE_DIRECTORY "${headers}/tbb")
foreach(header IN ITEMS fmt/format.h nlohmann/json.hpp CLI/CLI.hpp boost/version.hpp Eigen/Core unsupported/Eigen/NumericalDiff)
  string(REGEX REPLACE "/.*" "" name ${header})
  find_path(AGPUSIM_FOLDER_OF_${name} ${header} PATHS /usr/include PATH_SUFFIXES eigen3 NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(AGPUSIM_FOLDER_OF_${name})
  if(NOT AGPUSIM_FOLDER_OF_${name})
    message(FATAL_ERROR "${header} was not found in /usr/include: dev/install_packages.sh installs it")
  endif()
  file(CREATE_LINK "${AGPUSIM_FOLDER_OF_${name}}/${name}" "${headers}/${name}" SYMBOLIC)
endforeach()
foreach(header IN ITEMS blocked_range enumerable_thread_specific global_control parallel_for parallel_for_each parallel_reduce
                        parallel_scan parallel_sort partitioner task_arena)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/cmake/browser/serial_tbb.hpp" "${headers}/tbb/${header}.h" SYMBOLIC)
endforeach()
include_directories(SYSTEM "${PROJECT_SOURCE_DIR}/cmake/browser" "${headers}")
foreach(library IN ITEMS TBB::tbb fmt::fmt Boost::headers Eigen3::Eigen CLI11::CLI11 nlohmann_json::nlohmann_json)
  add_library(${library} INTERFACE IMPORTED)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

# Exceptions and vectors of WebAssembly: browsers have had both since 2021 or 2022.
add_compile_options(-fwasm-exceptions -msimd128)
add_link_options(-fwasm-exceptions)

# agpusim_make_browser_page(<executable>): <build>/agpusim.html, the program in one file
function(agpusim_make_browser_page target)
  target_link_options(
    ${target}
    PRIVATE -Os
            -sMODULARIZE=1
            -sEXPORT_NAME=createAgpusim
            -sENVIRONMENT=worker
            -sEXIT_RUNTIME=1
            -sFORCE_FILESYSTEM=1
            -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain
            -sALLOW_MEMORY_GROWTH=1
            -sMAXIMUM_MEMORY=4GB
            -sTOTAL_STACK=8MB)
  find_package(Python3 REQUIRED COMPONENTS Interpreter) # emscripten is written in it
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*" "${PROJECT_SOURCE_DIR}/validation/devices/*" "${PROJECT_SOURCE_DIR}/validation/*.xz"
       "${PROJECT_SOURCE_DIR}/algorithms/*.[hc]pp" "${PROJECT_SOURCE_DIR}/model/*.hpp")
  set(page "${PROJECT_BINARY_DIR}/agpusim.html")
  add_custom_command(
    OUTPUT "${page}"
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/web/browser/assemble.py" "$<TARGET_FILE:${target}>" "${page}"
    DEPENDS ${target} ${parts})
  add_custom_target(agpusim_browser_page ALL DEPENDS "${page}")
endfunction()
