#pragma once

#include "agpusim/validation/report/report.hpp"
#include "agpusim/validation/validate/validate.hpp"

namespace agpusim::validate {

/// Tables of splits, algorithms, baselines and constants; errors are fractions.
[[nodiscard]] report::Report to_report(const Validation& validation, const DeviceFile& device);

}  // namespace agpusim::validate
