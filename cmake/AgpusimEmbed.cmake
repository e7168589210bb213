# agpusim_embed(<target> <symbol> <file>...)
# Puts the bytes of the files, one after the other, into <target>:
#   #include "embed/<symbol>.hpp"   ->   std::string_view agpusim::embed::<symbol>()
function(agpusim_embed target symbol)
  set(files "")
  set(inclusions "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "agpusim_embed: ${file} is missing")
    endif()
    list(APPEND files "${file}")
    string(APPEND inclusions "  .incbin \"${file}\"\n")
  endforeach()
  set(base "${AGPUSIM_GENERATED_DIR}/embed/${symbol}")
  if(EMSCRIPTEN)
    set(section ".rodata.${symbol},\"\",@")
    set(last_lines "")
  else()
    set(section ".rodata")
    set(last_lines "  .section .note.GNU-stack,\"\",%progbits\n")
  endif()

  file(CONFIGURE OUTPUT "${base}.hpp" @ONLY CONTENT [=[
#pragma once

#include <string_view>

namespace agpusim::embed {
std::string_view @symbol@();
}
]=])
  file(CONFIGURE OUTPUT "${base}.cpp" @ONLY CONTENT [=[
#include "embed/@symbol@.hpp"

#include <cstddef>
#include <cstdint>

extern "C" {
extern const char agpusim_embed_@symbol@[];
extern const std::uint64_t agpusim_embed_@symbol@_size;
}

std::string_view agpusim::embed::@symbol@() {
  return {agpusim_embed_@symbol@, static_cast<std::size_t>(agpusim_embed_@symbol@_size)};
}
]=])
  file(CONFIGURE OUTPUT "${base}.S" @ONLY CONTENT [=[
  .section @section@
  .global agpusim_embed_@symbol@
  .global agpusim_embed_@symbol@_size
  .balign 8
agpusim_embed_@symbol@_size:
  .quad 2f - 1f
  .size agpusim_embed_@symbol@_size, 8
agpusim_embed_@symbol@:
1:
@inclusions@2:
  .byte 0
  .size agpusim_embed_@symbol@, 2b - 1b
@last_lines@]=])
  set_source_files_properties("${base}.S" PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE "${base}.cpp" "${base}.S")
endfunction()
