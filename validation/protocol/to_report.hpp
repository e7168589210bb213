#pragma once

#include "agpusim/validation/protocol/protocol.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::protocol {

/// Tables of splits, algorithms, baselines and constants; errors are fractions.
[[nodiscard]] report::Report to_report(const Validation& validation, const DeviceFile& device);

}  // namespace agpusim::protocol
