#pragma once

#include "agpusim/cli/selection_options.hpp"

namespace agpusim {

/// The command line of `agpusim compare`.
struct CompareOptions : SelectionOptions {
  bool simulate = false;
  int threads = 0;  ///< 0: one per core
  ReportOutput output;
};

/// Prints the comparison and writes its page, then throws Mismatch when a simulation differs from
/// its reference or known counts.
void run_compare(const CompareOptions& options);

}  // namespace agpusim
