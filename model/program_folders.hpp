#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace agpusim {

/// The folders that this program lies in, the innermost first.
[[nodiscard]] inline std::vector<std::filesystem::path> folders_above_program() {
  std::vector<std::filesystem::path> folders;
  std::error_code none;  // the system does not say which file runs
  for (auto at = std::filesystem::read_symlink("/proc/self/exe", none); at.has_relative_path();) {
    folders.push_back(at = at.parent_path());
  }
  return folders;
}

}  // namespace agpusim
