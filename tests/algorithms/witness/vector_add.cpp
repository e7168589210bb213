#include <algorithm>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/vector_add/kernel.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/tests/algorithms/witness/witness.hpp"

namespace agpusim::test {

PhaseForm form_of_equal_tasks(const AgpuSpec& spec, std::string kernel, std::int64_t tasks,
                              const Counts& each, const Counts& last, std::int64_t shared_words) {
  PhaseForm form{.kernel = std::move(kernel),
                 .tasks = tasks,
                 .shared_words = shared_words,
                 .counts = each * (tasks - 1)};
  form.counts += last;
  form.max_task_time = tasks > 1 ? std::max(each.time(), last.time()) : last.time();
  if (spec.assignment != Assignment::next_fit) {
    // The last task joins (tasks-1)/k equal ones; another multiprocessor ran ceil((tasks-1)/k).
    const std::int64_t k = spec.multiprocessors();
    form.time =
        std::max(ceil_div(tasks - 1, k) * each.time(), (tasks - 1) / k * each.time() + last.time());
  }
  return form;
}

namespace {

using namespace vector_add;

/// What the elements first..first+count-1 cost their task.
Counts cost_of_task(const RunConfig& config, std::int64_t first, std::int64_t count) {
  const std::int64_t words = element_words(config);
  Bill bill(config.spec);
  bill.loop_rows(count);
  bill.alu_rows(1, count);
  bill.rounds_of_rows(count);
  bill.global_rows(&Counts::global_read, count, first * words, words);
  bill.global_rows(&Counts::global_read, count, first * words, words);
  bill.global_rows(&Counts::global_write, count, first * words, words);
  return bill.counts();
}

}  // namespace

std::vector<PhaseForm> vector_add_witness(const RunConfig& config) {
  const std::int64_t per_task = config.parameters.at("rows") * config.spec.width;
  const std::int64_t tasks = ceil_div(config.n, per_task);
  const std::int64_t last = config.n - (tasks - 1) * per_task;
  PhaseForm form =
      form_of_equal_tasks(config.spec, Add::name, tasks, cost_of_task(config, 0, per_task),
                          cost_of_task(config, (tasks - 1) * per_task, last), 0);
  // Blocks are aligned with tasks, sectors need not be: they are counted over the whole array.
  Bill sweep(config.spec);
  sweep.global_rows(&Counts::global_read, config.n, 0, element_words(config));
  const std::int64_t sectors = sweep.counts().global_read.sectors;
  form.counts.global_read.sectors = 2 * sectors;
  form.counts.global_write.sectors = sectors;
  return {form};
}

}  // namespace agpusim::test
