#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/machine_options.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

/// The command line of `agpusim compare`; an empty text means that the option is not given.
struct CompareOptions {
  std::vector<std::string> contestants;  ///< NAME[:VARIANT][,PARAMETER=VALUE...] each
  std::vector<std::int64_t> n;
  MachineOptions machine;  ///< names, p, b, M, w and V may be lists
  std::string type;        ///< empty: the first that all contestants have
  std::string input;       ///< empty: the first that all contestants have
  std::uint64_t seed = 1;
  Settings set;  ///< for every contestant that has the name
  bool simulate = false;
  int threads = 0;                   ///< 0: one per core
  std::vector<std::string> records;  ///< files or folders; empty: the bundled ones
  std::string device;                ///< device of predictions and measurements
  std::string devices;               ///< folder of device files; empty: the bundled ones
  ReportOutput output;
};

/// Prints the comparison and writes its page, then throws Mismatch when a simulation differs from
/// its reference or known counts.
void run_compare(const CompareOptions& options);

}  // namespace agpusim
