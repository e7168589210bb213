#pragma once

#include <filesystem>
#include <string>

namespace agpusim {

/// What a file compressed by xz holds. Throws IoError that names it where it cannot be read, is
/// damaged or ends early.
[[nodiscard]] std::string read_xz(const std::filesystem::path& path);

}  // namespace agpusim
