#include "agpusim/cli/output_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

void require_writable(const std::filesystem::path& path, const std::string& remedy) {
  const auto refuse = [&](const std::string& reason) {
    throw IoError(fmt::format("cannot write '{}': {}; {}", path.string(), reason, remedy));
  };
  std::error_code ignored;
  if (path.filename().empty() || std::filesystem::is_directory(path, ignored)) {
    refuse("it names a folder");
  }
  // Only an attempt knows about read-only file systems, quotas and folders that were removed.
  std::string probe = (path.parent_path() / ".agpusim-XXXXXX").string();
  const int file = mkstemp(probe.data());
  if (file < 0) refuse(std::generic_category().message(errno));
  close(file);
  unlink(probe.c_str());
}

}  // namespace agpusim
