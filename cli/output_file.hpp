#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agpusim {

/// A file that the command line asks for.
struct OutputFile {
  std::string option;  ///< for example "--html"
  std::string path;    ///< empty: not asked for
  std::string remedy = "choose another place with " + option;
};

/// Asked before long work: throws IoError that names the path, with its remedy, when an output
/// cannot be written, and UsageError when it would replace another one or an input.
void require_outputs(const std::vector<OutputFile>& outputs,
                     const std::vector<std::string>& inputs = {});

/// append_records(); says once for each file where nothing keeps other processes away from it.
void add_records(const std::filesystem::path& path, const std::vector<std::string>& lines);

}  // namespace agpusim
