#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "agpusim/cli/report_output.hpp"

namespace agpusim {

/// The command line of `agpusim bounds`. Without sizes and memories: those of the table in
/// docs/reference/bounds.md.
struct BoundsOptions {
  std::string n;                   ///< keys, a list of sizes
  std::string shared_words;        ///< M, a list of sizes
  std::string block_words = "32";  ///< b
  ReportOutput output;
};

void setup_bounds(CLI::App& app);

/// Prints the lower bound on the I/O of sorting and the I/O of the sorts. Throws UsageError for a
/// size, b or M that cannot be.
void run_bounds(const BoundsOptions& options);

}  // namespace agpusim
