#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/assignment.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/agpu/task_runs.hpp"

namespace agpusim {

/// What one task of a phase costs.
struct TaskBill {
  Counts counts;  ///< but for lane_slots
  std::int64_t shared_words = 0;
  std::optional<Execution> execution = {};  ///< where it is counted
  std::int64_t live_values = 0;             ///< where execution is counted
};

/// What tasks of a phase cost together. Each host thread adds up its own.
struct TaskSums {
  Counts counts;
  std::int64_t shared_words = 0;   ///< words of one task, the maximum
  std::int64_t max_task_time = 0;  ///< time of one task, the maximum
  PhaseExecution execution;

  /// `times` tasks that cost the same; time and I/O of each.
  TaskCost add(const TaskBill& task, std::int64_t times = 1);
  /// All tasks of a phase; each example stands for `times` tasks that cost bill_of(example, times).
  template <class BillOf>
  std::vector<TaskRun> add_all(const std::vector<TaskExamples>& phase, BillOf bill_of) {
    std::vector<TaskRun> runs;
    for (const TaskExamples& examples : phase) {
      TaskRun run{examples.count, {}};
      const auto period = static_cast<std::int64_t>(examples.examples.size());
      for (std::int64_t i = 0; i < period; ++i) {
        const std::int64_t times = (examples.count - i + period - 1) / period;
        run.costs.push_back(
            add(bill_of(examples.examples[static_cast<std::size_t>(i)], times), times));
      }
      runs.push_back(std::move(run));
    }
    return runs;
  }
};

/// The bill of one phase after the other. It knows costs, not who runs the tasks: these pass in
/// windows, of which several host threads may bill different tasks at once.
class PhaseBill {
 public:
  explicit PhaseBill(const AgpuSpec& spec) : spec_(spec), assigner_(spec) {}

  /// A phase of `tasks` tasks begins, with what is known of its execution before. `placement`,
  /// unless it is null, takes the multiprocessor of each.
  void begin(std::string_view kernel, std::int64_t tasks, const PhaseExecution& execution = {},
             std::vector<std::int64_t>* placement = nullptr);
  /// Once those of the last window are billed: the next tasks; whether there are any.
  bool next_window();
  [[nodiscard]] std::int64_t window_begin() const { return begin_; }
  [[nodiscard]] std::int64_t window_end() const {
    return begin_ + static_cast<std::int64_t>(costs_.size());
  }
  /// The task `number` of the window ran on the host thread with these sums.
  void add(TaskSums& sums, std::int64_t number, const TaskBill& task) {
    costs_[static_cast<std::size_t>(number - begin_)] = sums.add(task);
  }
  void merge(const TaskSums& sums);

  /// The phase after its last window, or without windows where its tasks are known in runs.
  [[nodiscard]] PhaseReport end() { return report(assigner_.end_phase()); }
  [[nodiscard]] PhaseReport end(const std::vector<TaskRun>& runs) {
    return report(assigner_.assign(runs));
  }

  /// A whole phase, whose task j costs cost(j).
  template <class Cost>
  [[nodiscard]] PhaseReport whole(std::string_view kernel, std::int64_t tasks, Cost cost) {
    TaskSums sums;
    begin(kernel, tasks);
    while (next_window()) {
      for (std::int64_t j = window_begin(); j < window_end(); ++j) add(sums, j, cost(j));
    }
    merge(sums);
    return end();
  }

  /// T_tot of the phases so far.
  [[nodiscard]] std::int64_t total_max() const { return assigner_.total_max(); }

 private:
  PhaseReport report(const PhaseLoad& load);

  AgpuSpec spec_;
  TaskAssigner assigner_;
  PhaseReport phase_;
  std::int64_t begin_ = 0;       // first task of the window
  std::vector<TaskCost> costs_;  // costs of the tasks in the window
};

}  // namespace agpusim
