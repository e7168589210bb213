#pragma once

#include <filesystem>
#include <string>

namespace agpusim {

/// Throws IoError that names the path and ends with `remedy` when no file can be written there:
/// asked before long work whose result goes to that file.
void require_writable(const std::filesystem::path& path, const std::string& remedy);

}  // namespace agpusim
