#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/planned_streams.hpp"
#include "agpusim/model/transfer/simulated_streams.hpp"
#include "agpusim/validation/pipeline/arrays.hpp"

namespace agpusim::out_of_core {

/// A program for a task.
struct Scheme {
  template <class Streams>
  using Run = std::function<void(Streams&, const Arrays&, const Chunks&, const Settings&)>;

  std::string name;
  std::string help;
  bool compacts = false;  ///< whether Settings::compact_rate must be positive
  /// About how many copies, kernels and host steps it takes, known without planning it.
  std::function<double(const Chunks&, const Settings&)> operations;
  Run<PlannedStreams> plan;
  Run<SimulatedStreams> simulate;
};

/// A scheme of a task, with its program of programs.hpp. Throws std::logic_error when it has none.
[[nodiscard]] Scheme scheme_of(const std::string& task, std::string name, std::string help,
                               std::function<double(const Chunks&, const Settings&)> operations);

}  // namespace agpusim::out_of_core
