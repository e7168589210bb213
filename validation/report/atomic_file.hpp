#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace agpusim {

/// The bytes of a file. Throws IoError that names the path.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Puts `content` at `path`: written beside it first and renamed when complete, so that the file is
/// the old one or the new one, never a part. Throws IoError that names the path, and leaves
/// nothing.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace agpusim
