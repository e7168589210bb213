#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace agpusim {

struct CalibrateOptions {
  std::string out;  ///< device file to write
};

void setup_calibrate(CLI::App& app);

/// Measures the constants of the first CUDA device and writes its device file.
void run_calibrate(const CalibrateOptions& options);

}  // namespace agpusim
