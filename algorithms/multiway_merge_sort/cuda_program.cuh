#pragma once

#include <memory>

#include "agpusim/validation/cuda_registry.hpp"

namespace agpusim::multiway_merge_sort {

/// The program of a run of a row made by sort_row().
[[nodiscard]] std::unique_ptr<CudaProgram> make_cuda_sort(const RunConfig& config);

}  // namespace agpusim::multiway_merge_sort
