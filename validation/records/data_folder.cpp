#include "agpusim/validation/records/data_folder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

std::filesystem::path data_folder() {
  for (const char* folder : {AGPUSIM_SOURCE_DATA_DIR, AGPUSIM_INSTALL_DATA_DIR}) {
    if (std::filesystem::is_directory(std::filesystem::path(folder) / "devices")) return folder;
  }
  throw IoError(
      fmt::format("the bundled measurements are neither in {} nor in {}: install agpusim there, or "
                  "configure it with another CMAKE_INSTALL_PREFIX and build it again",
                  AGPUSIM_SOURCE_DATA_DIR, AGPUSIM_INSTALL_DATA_DIR));
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
  return record_folders({"analysis", "integer_sorts", "primitives", "sorts", "statistics"});
}

}  // namespace agpusim
