#include "agpusim/validation/records/data_folder.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"

namespace agpusim {

std::filesystem::path data_folder() {
  std::vector<std::filesystem::path> folders = folders_above_program();
  for (std::filesystem::path& folder : folders) folder /= AGPUSIM_DATA_DIR;
  folders.insert(folders.end(), {AGPUSIM_SOURCE_DATA_DIR, AGPUSIM_INSTALL_DATA_DIR});
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::is_directory(folder / "devices")) return folder;
  }
  throw IoError(fmt::format(
      "the bundled measurements are neither in {} of a folder above this program nor in "
      "{} nor in {}: build or install agpusim",
      AGPUSIM_DATA_DIR, AGPUSIM_SOURCE_DATA_DIR, AGPUSIM_INSTALL_DATA_DIR));
}

std::vector<std::filesystem::path> record_folders(
    std::initializer_list<std::string_view> experiments) {
  std::vector<std::filesystem::path> folders;
  for (const auto& device : std::filesystem::directory_iterator(data_folder() / "data")) {
    for (const std::string_view experiment : experiments) {
      if (is_directory(device.path() / experiment)) folders.push_back(device.path() / experiment);
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::filesystem::path> record_folders() {
  // Their records are of other things than runs of rows.
  constexpr std::array<std::string_view, 3> others{"counting_sort", "out_of_core", "zoo"};
  std::vector<std::filesystem::path> folders;
  for (const auto& device : std::filesystem::directory_iterator(data_folder() / "data")) {
    for (const auto& folder : std::filesystem::directory_iterator(device)) {
      const auto name = folder.path().filename();
      const bool other = std::find(others.begin(), others.end(), name) != others.end();
      if (folder.is_directory() && !other) folders.push_back(folder);
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace agpusim
