#include "agpusim/model/agpu/phase_bill.hpp"

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim {
namespace {

TaskBill task(std::int64_t alu, std::int64_t blocks) {
  return TaskBill{.counts = {.alu = alu, .global_read = {1, blocks, blocks}}};
}

TEST_CASE("a phase costs what its tasks cost, whatever host threads run them",
          "[model][phase_bill]") {
  PhaseBill bill(small_machine(8, 1, 2));  // b = 8, two multiprocessors
  TaskSums sums[2];
  PhaseExecution before{.counted = true};
  before.array_sectors[0] = 17;
  std::vector<std::int64_t> placed;
  bill.begin("kernel", 3, before, &placed);
  REQUIRE(bill.next_window());
  CHECK(bill.window_begin() == 0);
  CHECK(bill.window_end() == 3);
  TaskBill last = task(2, 1);  // 3 time units
  last.execution = Execution{};
  last.execution->views = 5;
  last.execution->lone.fill(40);
  last.live_values = 6;
  bill.add(sums[1], 2, last);
  TaskBill first = last;
  first.execution->lone.fill(30);
  first.live_values = 9;
  bill.add(sums[0], 0, first);
  TaskBill second = task(1, 4);  // 5 time units
  second.shared_words = 12;
  bill.add(sums[0], 1, second);
  CHECK_FALSE(bill.next_window());
  for (const TaskSums& of_thread : sums) bill.merge(of_thread);
  const PhaseReport phase = bill.end();
  CHECK(phase.kernel == "kernel");
  CHECK(phase.tasks == 3);
  CHECK(phase.time == 6);  // tasks 0 and 2
  CHECK(phase.max_task_time == 5);
  CHECK(phase.io_max == 4);
  CHECK(phase.shared_words == 12);
  CHECK(phase.counts.alu == 5);
  CHECK(phase.counts.lane_slots == 8 * 8);  // 5 of arithmetic and 3 reads
  CHECK(phase.execution.counted);
  CHECK(phase.execution.array_sectors[0] == 17);
  CHECK(phase.execution.total.views == 10);
  CHECK(phase.execution.longest[0] == 40);
  CHECK(phase.execution.live_values == 9);
  CHECK(placed == std::vector<std::int64_t>{0, 1, 0});
  CHECK(bill.total_max() == 6);
}

TEST_CASE("tasks billed in windows cost what they cost in runs", "[model][phase_bill]") {
  const AgpuSpec spec = small_machine(8, 1, 3);
  const std::int64_t tasks = (std::int64_t{1} << 20) + 5;
  const TaskBill costs[] = {task(1, 2), task(7, 1)};
  PhaseBill one_by_one(spec);
  one_by_one.begin("kernel", tasks);
  TaskSums sums;
  int windows = 0;
  for (; one_by_one.next_window(); ++windows) {
    for (std::int64_t j = one_by_one.window_begin(); j < one_by_one.window_end(); ++j) {
      one_by_one.add(sums, j, costs[j % 2]);
    }
  }
  CHECK(windows == 2);
  one_by_one.merge(sums);
  PhaseBill in_runs(spec);
  in_runs.begin("kernel", tasks);
  TaskSums of_runs;
  const TaskRun run = {
      tasks, {of_runs.add(costs[0], tasks - tasks / 2), of_runs.add(costs[1], tasks / 2)}};
  in_runs.merge(of_runs);
  CHECK(one_by_one.end() == in_runs.end({run}));
}

}  // namespace
}  // namespace agpusim
