#include "agpusim/validation/data_folder.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

std::filesystem::path data_folder() {
  for (const char* folder : {AGPUSIM_SOURCE_DATA_DIR, AGPUSIM_INSTALL_DATA_DIR}) {
    if (std::filesystem::is_directory(std::filesystem::path(folder) / "devices")) return folder;
  }
  throw IoError(
      fmt::format("the bundled measurements are neither in {} nor in {}: install agpusim "
                  "again or name record and device files",
                  AGPUSIM_SOURCE_DATA_DIR, AGPUSIM_INSTALL_DATA_DIR));
}

}  // namespace agpusim
