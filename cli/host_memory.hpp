#pragma once

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// Throws UsageError when the input, its copy on the simulated device and the reference result
/// cannot fit this machine's memory, so that an absurd size fails at once instead of swapping.
void require_host_memory(const RunConfig& config);

}  // namespace agpusim
