#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim {

/// What results must be. Runs with an equal `key` have the same result, which is worked out once
/// when they follow each other.
struct ExpectedResult {
  std::function<RunConfig(const RunConfig&)> key;
  std::function<std::uint64_t(const RunConfig& key)> checksum;
};

/// Times the runs on the device in order and adds a record per run to `out`, which may already hold
/// some of them. Each result is compared with the expected one. Ctrl-C completes the run at hand.
/// Throws the first failure when the others are done; FileError before anything is measured when
/// `out` is damaged.
void measure_runs(const std::vector<RunConfig>& runs, const CudaSupport& cuda,
                  const std::filesystem::path& out, std::optional<double> max_seconds,
                  const ExpectedResult& expected);

}  // namespace agpusim
