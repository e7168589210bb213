#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace agpusim {

struct ImportCountersOptions {
  std::string plan;  ///< written by `measure --profile`
  std::string csv;   ///< printed by ncu during that run
  std::string out;   ///< record file that the counters are added to
};

void setup_import_counters(CLI::App& app);

/// Turns a profile into counter records, one per launch.
void run_import_counters(const ImportCountersOptions& options);

}  // namespace agpusim
