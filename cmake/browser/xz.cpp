// emscripten has no liblzma: the page's script unpacks (web/browser/xz.js).
#include "agpusim/validation/io/xz.hpp"

#include <emscripten.h>

#include "agpusim/validation/io/atomic_file.hpp"

EM_JS(void, unpack_xz, (const char* path, const char* to),
      { FS.writeFile(UTF8ToString(to), unpackXz(FS.readFile(UTF8ToString(path)))); });

namespace agpusim {

std::string read_xz(const std::filesystem::path& path) {
  constexpr const char* unpacked = "/unpacked";
  unpack_xz(path.c_str(), unpacked);
  return read_file(unpacked);
}

}  // namespace agpusim
