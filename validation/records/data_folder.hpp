#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace agpusim {

/// The folder with the bundled `data/` (records) and `devices/`: that of the installation which the
/// program belongs to, else that of the source tree, else where it was to be installed. Throws
/// IoError that names them when none exists.
[[nodiscard]] std::filesystem::path data_folder();

/// The folders data/<device>/<experiment> of every device that has records of these experiments.
[[nodiscard]] std::vector<std::filesystem::path> record_folders(
    std::initializer_list<std::string_view> experiments);

/// The folders of every experiment that measured rows of the registry or their peers.
[[nodiscard]] std::vector<std::filesystem::path> record_folders();

}  // namespace agpusim
