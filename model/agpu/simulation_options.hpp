#pragma once

#include <cstdint>
#include <functional>

namespace agpusim {

/// How to simulate; none of it changes a result or a count.
struct SimulationOptions {
  int threads = 0;      ///< host threads; 0 = all cores
  bool checks = true;   ///< enforce the rules of the machine
  bool pricing = true;  ///< count; off only to measure what counting costs
  std::function<void(std::int64_t phases_done)> progress = {};  ///< called after each phase
  /// Run without data, and of tasks and turns of loops that cost the same only examples. Only for
  /// programs whose kernels' cost does not depend on data (task_runs.hpp): the launch of another
  /// throws DependsOnData. Results are undefined.
  bool derive = false;
};

}  // namespace agpusim
