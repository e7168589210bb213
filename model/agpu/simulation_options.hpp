#pragma once

#include <cstdint>
#include <functional>

namespace agpusim {

class Observer;

/// How far a simulation is.
struct SimulationProgress {
  std::int64_t phases = 0;      ///< done
  std::int64_t tasks_done = 0;  ///< tasks of the phase at hand
  std::int64_t tasks = 0;
};

/// How to simulate; none of it changes a result or a count.
struct SimulationOptions {
  int threads = 0;      ///< host threads; 0 = all cores
  bool checks = true;   ///< enforce the rules of the machine
  bool pricing = true;  ///< count; off only to measure what counting costs
  /// Also count what a prediction of time needs (model/agpu/execution.hpp); always where counts
  /// are derived.
  bool execution = false;
  /// Called after every few tasks, from one host thread at a time.
  std::function<void(const SimulationProgress&)> progress = {};
  /// Run without data, and of tasks and turns of loops that cost the same only examples. Only for
  /// programs whose kernels' cost does not depend on data (task_runs.hpp): the launch of another
  /// throws DependsOnData. Results are undefined.
  bool derive = false;
  /// Sum up what each source line of the kernels costs (RunReport::lines).
  bool by_line = false;
  /// For programs that nobody trusts: shared memory holds the same bytes before each task. With an
  /// observer each task runs again where memory holds other words, and must do the same.
  bool isolates = false;
  /// Told every instruction (observer.hpp); the run then takes one host thread. It outlives the
  /// run. Not together with by_line.
  Observer* observer = nullptr;
};

}  // namespace agpusim
