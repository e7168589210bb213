#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim {

/// Times the runs of a plan on the device in order and adds a record per run to `out`, which may
/// already hold some of them. `expected` is the checksum of a run's result. Ctrl-C completes the
/// run at hand. Throws FileError before anything is measured when `out` is damaged.
[[nodiscard]] PlanResult measure_times(
    const Plan& plan, const CudaSupport& cuda, const std::filesystem::path& out,
    std::optional<double> max_seconds,
    const std::function<std::uint64_t(const RunConfig&)>& expected);

}  // namespace agpusim
