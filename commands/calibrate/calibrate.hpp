#pragma once

#include <functional>
#include <string>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

struct CalibrateOptions {
  std::string out;   ///< device file to write
  std::string only;  ///< "link": measure just these constants and keep the others of `out`
  ReportOutput output;
};

/// Measures the constants of the first CUDA device and writes its device file. Throws UsageError
/// when others are to be kept and the file describes another device.
void run_calibrate(const CalibrateOptions& options,
                   const std::function<CudaSupport()>& cuda = require_cuda);

}  // namespace agpusim
