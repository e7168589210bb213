#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace agpusim {

/// The file of this program; empty where the system does not say.
[[nodiscard]] inline std::filesystem::path this_program() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none);
}

/// The folders that this program lies in, the innermost first.
[[nodiscard]] inline std::vector<std::filesystem::path> folders_above_program() {
  std::vector<std::filesystem::path> folders;
  for (auto at = this_program(); at.has_relative_path();) {
    folders.push_back(at = at.parent_path());
  }
  return folders;
}

}  // namespace agpusim
