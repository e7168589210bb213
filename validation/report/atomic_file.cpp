#include "agpusim/validation/report/atomic_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// Why the last library call failed; streams keep no reason of their own.
std::string reason() {
  return errno == 0 ? "the operation failed" : std::generic_category().message(errno);
}

/// Follows a link, so that the file it names is replaced and the link stays.
fs::path target_of(const fs::path& path) {
  std::error_code error;
  fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target;
}

fs::path unique_sibling(const fs::path& path) {
  std::random_device random;
  return path.parent_path() /
         fmt::format(".{}.{:08x}{:08x}.tmp", path.filename().string(), random(), random());
}

}  // namespace

std::string read_file(const fs::path& path) {
  errno = 0;
  // Opening a folder succeeds and reading it gives nothing: ask first.
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw IoError(fmt::format("cannot read {}: it is a folder", path.string()));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(fmt::format("cannot read {}: {}", path.string(), reason()));
  std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw IoError(fmt::format("cannot read {}: {}", path.string(), reason()));
  return content;
}

void write_file(const fs::path& path, std::string_view content) {
  const fs::path target = target_of(path);
  const fs::path temporary = unique_sibling(target);
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw IoError(fmt::format("cannot write {}: {}; give a path in a folder you may write to",
                              path.string(), why));
  };
  std::error_code error;
  if (fs::is_directory(target, error)) fail("it is a folder");
  errno = 0;
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) fail(reason());
  fs::rename(temporary, target, error);
  if (error) fail(error.message());
}

}  // namespace agpusim
