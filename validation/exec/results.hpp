#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/validation/report/report.hpp"

/// What many calls of `agpusim exec --json` wrote, as one table.
namespace agpusim::exec {

/// Whether a file begins as a result of `agpusim exec --json`. A pipe is none: it can be read once.
[[nodiscard]] bool is_result(const std::filesystem::path& path);

/// Results of many runs.
struct MergedResults {
  report::Report report;  ///< a row for each kernel of each run
  std::string missing;    ///< says which runs did not come to their end; empty: all did
};

/// Throws IoError, and FileError that names a file which is no result.
[[nodiscard]] MergedResults merge_results(const std::vector<std::string>& paths);

}  // namespace agpusim::exec
