#pragma once

#include <filesystem>

namespace agpusim {

/// The folder with the bundled `data/` (records) and `devices/`: that of the source tree, else that
/// of the installation. Throws IoError that names both when neither exists.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace agpusim
