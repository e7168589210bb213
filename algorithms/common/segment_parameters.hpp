#pragma once

#include <vector>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/run/algorithm.hpp"

namespace agpusim {

/// The parameters "tasks" (default k) and "rows" (default 4) of a row whose tasks take segments.
[[nodiscard]] inline std::vector<Parameter> segment_parameters() {
  return {{"tasks", "most tasks of a phase",
           [](const RunConfig& config) { return config.spec.multiprocessors(); }},
          {"rows", "fewest rows of V elements of a task",
           [](const RunConfig&) { return std::int64_t{4}; }}};
}

/// The cut of a run's arrays.
[[nodiscard]] inline Segmentation segmentation(const RunConfig& config) {
  return {config.spec.width, config.parameters.at("tasks"), config.parameters.at("rows")};
}

}  // namespace agpusim
