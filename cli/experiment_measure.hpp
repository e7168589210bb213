#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/measure.hpp"

namespace agpusim {

/// Times the runs of integer sorts on the device in order and adds a record per run to `out`, which
/// may already hold some of them. Each result is compared with the sorted keys. Ctrl-C completes
/// the run at hand. Throws the first failure when the others are done; FileError before anything is
/// measured when `out` is damaged.
void measure_sorts(const std::vector<RunConfig>& runs, const CudaSupport& cuda,
                   const std::filesystem::path& out, std::optional<double> max_seconds);

}  // namespace agpusim
