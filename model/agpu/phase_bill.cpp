#include "agpusim/model/agpu/phase_bill.hpp"

#include <algorithm>

namespace agpusim {

TaskCost TaskSums::add(const TaskBill& task, std::int64_t times) {
  const TaskCost cost = {task.counts.time(), task.counts.io()};
  counts += times == 1 ? task.counts : task.counts * times;
  shared_words = std::max(shared_words, task.shared_words);
  max_task_time = std::max(max_task_time, cost.time);
  if (task.execution) {
    execution.total += *task.execution * times;
    execution.note_task(*task.execution, task.live_values);
  }
  return cost;
}

void PhaseBill::begin(std::string_view kernel, std::int64_t tasks, const PhaseExecution& execution,
                      std::vector<std::int64_t>* placement) {
  phase_ = {};
  phase_.kernel = kernel;
  phase_.tasks = tasks;
  phase_.execution = execution;
  begin_ = 0;
  costs_.clear();
  assigner_.begin_phase(tasks, placement);
}

bool PhaseBill::next_window() {
  constexpr std::int64_t most_tasks = std::int64_t{1} << 20;
  assigner_.place(costs_);
  begin_ = window_end();
  costs_.resize(static_cast<std::size_t>(std::min(most_tasks, phase_.tasks - begin_)));
  return !costs_.empty();
}

void PhaseBill::merge(const TaskSums& sums) {
  phase_.counts += sums.counts;
  phase_.execution.merge(sums.execution);
  phase_.shared_words = std::max(phase_.shared_words, sums.shared_words);
  phase_.max_task_time = std::max(phase_.max_task_time, sums.max_task_time);
}

PhaseReport PhaseBill::report(const PhaseLoad& load) {
  phase_.counts.lane_slots = phase_.counts.instructions() * spec_.block_words;
  phase_.time = load.time;
  phase_.io_max = load.io_max;
  return std::move(phase_);
}

}  // namespace agpusim
