#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace agpusim {

struct CalibrateOptions {
  std::string out;   ///< device file to write
  std::string only;  ///< "link": measure just these constants and keep the others of `out`
};

void setup_calibrate(CLI::App& app);

/// Measures the constants of the first CUDA device and writes its device file. Throws UsageError
/// when others are to be kept and the file describes another device.
void run_calibrate(const CalibrateOptions& options);

}  // namespace agpusim
