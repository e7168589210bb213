// emscripten has no liblzma: the page holds unpacked what the repository has compressed (web/browser/assemble.py).
#include "agpusim/validation/io/xz.hpp"

#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {

std::string read_xz(const std::filesystem::path& path) { return read_file(path); }

}  // namespace agpusim
