#pragma once

#include <cstdint>
#include <string>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/segmented/program.hpp"

namespace agpusim::segmented {

/// A row of the algorithms `segmented_scan` and `segmented_reduce`: all but summary, io and
/// program.
[[nodiscard]] Algorithm row_of(const std::string& name, Result result);

/// Blocks of n elements and of n head flags of a run.
struct Blocks {
  std::int64_t values = 0;
  std::int64_t heads = 0;
};
[[nodiscard]] Blocks blocks_of(const RunConfig& config, std::int64_t elements);

}  // namespace agpusim::segmented
