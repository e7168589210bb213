#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// Time and I/O of one task.
struct TaskCost {
  std::int64_t time = 0;
  std::int64_t io = 0;
};

/// Neighbouring tasks whose costs are `costs`, first to last, again and again.
struct TaskRun {
  std::int64_t count = 0;
  std::vector<TaskCost> costs;
};

/// Loads of the multiprocessors after a phase.
struct PhaseLoad {
  std::int64_t time = 0;    ///< T_φ, the largest sum of task times
  std::int64_t io_max = 0;  ///< the largest sum of task I/O
};

/// Distributes the tasks of phases over k multiprocessors (theory A2) and keeps each one's total.
class TaskAssigner {
 public:
  explicit TaskAssigner(const AgpuSpec& spec);

  /// A phase of `tasks` tasks begins. `placement`, unless it is null, takes the multiprocessor of
  /// each.
  void begin_phase(std::int64_t tasks, std::vector<std::int64_t>* placement = nullptr);
  /// The next tasks of the phase.
  void place(std::span<const TaskCost> tasks);
  /// Throws RuleViolation when next-fit runs out of multiprocessors below its cap.
  PhaseLoad end_phase();

  /// A whole phase.
  PhaseLoad assign(std::span<const TaskCost> tasks);
  /// A whole phase of tasks in runs. Throws UsageError for more than 2^22 tasks, none of whose runs
  /// is long, and under next-fit.
  PhaseLoad assign(const std::vector<TaskRun>& runs);

  /// T_tot = max over multiprocessors of the time summed over all phases.
  [[nodiscard]] std::int64_t total_max() const;

 private:
  using Idle = std::pair<std::int64_t, std::size_t>;  // busy until, multiprocessor

  void place(std::size_t multiprocessor, const TaskCost& task);
  void place_on_idle(const TaskCost& task);
  void place_by_next_fit(std::int64_t cap);
  void place_cyclically(const std::vector<TaskRun>& runs);
  void place_on_idle(const std::vector<TaskRun>& runs);
  AgpuSpec spec_;
  std::vector<TaskCost> load_;  // load of each multiprocessor in the phase
  std::int64_t placed_ = 0;     // tasks of the current phase
  std::vector<std::int64_t>* placement_ = nullptr;
  std::vector<TaskCost> held_;  // tasks that next-fit places when it has seen all
  // Idle first; of equally loaded multiprocessors the one with the smallest number.
  std::priority_queue<Idle, std::vector<Idle>, std::greater<>> idle_;
  std::vector<std::int64_t> total_;
};

}  // namespace agpusim
