#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// The machines of a GPU from its constants: `name` has a task on each warp scheduler, `name`-wide
/// a CTA of 1024 threads on each multiprocessor, `name`-block as many CTAs of 256 threads as are
/// resident, `name`-full 32 warps. Throws FileError when a constant is missing.
[[nodiscard]] std::vector<Machine> gpu_machines(const DeviceFile& device, const std::string& name);

}  // namespace agpusim
