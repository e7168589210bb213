#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "agpusim/algorithms/out_of_core/chunks.hpp"
#include "agpusim/algorithms/out_of_core/simulated_streams.hpp"
#include "agpusim/validation/out_of_core/arrays.hpp"
#include "agpusim/validation/out_of_core/remembering_streams.hpp"

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
  Run<RememberingStreams> plan;
  Run<SimulatedStreams> simulate;
};

/// A scheme whose program is written once for all streams.
template <class Operations, class Program>
[[nodiscard]] Scheme scheme_of(std::string name, std::string help, Operations operations,
                               Program program) {
  return {std::move(name), std::move(help), false, operations, program, program};
}

}  // namespace agpusim::out_of_core
