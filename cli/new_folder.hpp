#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agpusim {

/// Names of files and their texts, in which "@name@" stands for a name.
using FilesToFill = std::vector<std::pair<std::string, std::string_view>>;

/// Makes a folder of files; their names can hold "@name@" too. Throws UsageError where it exists
/// already, with `remedy`, and IoError.
void make_folder(const std::filesystem::path& folder, const std::string& name,
                 const FilesToFill& files, const std::string& remedy);

/// Throws UsageError where it is not of lower-case letters, digits and '_', or begins otherwise;
/// `what` it would be the name of.
void require_simple_name(const std::string& name, const std::string& what);

}  // namespace agpusim
