#pragma once

#include <optional>
#include <string>

#include "agpusim/validation/exec/fold.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::exec {

/// Why a kernel takes its predicted time: the parts, what the device runs of it at once, what to do
/// about which line and what that gains; for pages, the roofline of all kernels. `kernel` as
/// ptx::is_called takes it; empty: the one with most time. None where no launch of it has a
/// predicted time.
[[nodiscard]] std::optional<report::Section> why_section(const ProgramReport& program,
                                                         const std::string& kernel,
                                                         const AgpuSpec& spec,
                                                         const DeviceFile& device);

}  // namespace agpusim::exec
