#include "agpusim/algorithms/form.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/cost/units.hpp"

namespace agpusim {

PhaseForm form_of_equal_tasks(const AgpuSpec& spec, std::string kernel, std::int64_t tasks,
                              const Counts& each, const Counts& last, std::int64_t shared_words) {
  PhaseForm form;
  form.kernel = std::move(kernel);
  form.tasks = tasks;
  form.shared_words = shared_words;
  form.counts = each * (tasks - 1);
  form.counts += last;
  form.max_task_time = tasks > 1 ? std::max(each.time(), last.time()) : last.time();
  if (spec.assignment != Assignment::next_fit) {
    // The last task joins a multiprocessor that has run (tasks-1)/k equal ones; another has run
    // ⌈(tasks-1)/k⌉ of them.
    const std::int64_t k = spec.multiprocessors();
    form.time =
        std::max(ceil_div(tasks - 1, k) * each.time(), (tasks - 1) / k * each.time() + last.time());
  }
  return form;
}

std::int64_t floor_power_of_two(std::int64_t x) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(x)));
}

}  // namespace agpusim
