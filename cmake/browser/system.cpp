// What emscripten has not: liblzma, for which the page's script unpacks (web/browser/xz.js), and further programs.
#include "agpusim/validation/io/xz.hpp"

#include <cerrno>
#include <spawn.h>

#include <emscripten.h>

#include "agpusim/validation/io/atomic_file.hpp"

EM_JS(void, unpack_xz, (const char* path, const char* to),
      { FS.writeFile(UTF8ToString(to), unpackXz(FS.readFile(UTF8ToString(path)))); });

extern "C" int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, char* const*) {
  return ENOSYS;
}

namespace agpusim {

std::string read_xz(const std::filesystem::path& path) {
  constexpr const char* unpacked = "/unpacked";
  unpack_xz(path.c_str(), unpacked);
  return read_file(unpacked);
}

}  // namespace agpusim
