#pragma once

#include <map>
#include <string>
#include <string_view>

#include "agpusim/ptx/run/launch.hpp"

namespace agpusim::cudart {

/// What ptxas has allotted to each kernel of a cubin, by mangled name.
using MachineCodes = std::map<std::string, ptx::MachineCode>;

/// Nothing where the bytes are no cubin or lack it: it only makes predictions better.
[[nodiscard]] MachineCodes machine_codes_of(std::string_view cubin);

}  // namespace agpusim::cudart
