#include "agpusim/algorithms/common/form.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <vector>

#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

/// T of tasks of these times; nothing under next-fit.
std::optional<std::int64_t> slowest_multiprocessor(const AgpuSpec& spec,
                                                   const std::vector<std::int64_t>& times) {
  const auto k = static_cast<std::size_t>(spec.multiprocessors());
  std::vector<std::int64_t> load(std::min(k, times.size()));
  if (spec.assignment == Assignment::static_cyclic) {
    for (std::size_t task = 0; task < times.size(); ++task) load[task % k] += times[task];
  } else if (spec.assignment == Assignment::list) {
    // A heap with the multiprocessor that is idle first on top.
    for (const std::int64_t time : times) {
      std::pop_heap(load.begin(), load.end(), std::greater<>());
      load.back() += time;
      std::push_heap(load.begin(), load.end(), std::greater<>());
    }
  } else {
    return std::nullopt;
  }
  return *std::max_element(load.begin(), load.end());
}

}  // namespace

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

PhaseForm form_of_tasks(const AgpuSpec& spec, std::string kernel, std::int64_t tasks,
                        std::int64_t shared_words,
                        const std::function<Counts(std::int64_t)>& cost) {
  PhaseForm form;
  form.kernel = std::move(kernel);
  form.tasks = tasks;
  form.shared_words = shared_words;
  std::vector<std::int64_t> times(static_cast<std::size_t>(tasks));
  for (std::int64_t task = 0; task < tasks; ++task) {
    const Counts counts = cost(task);
    form.counts += counts;
    times[static_cast<std::size_t>(task)] = counts.time();
    form.max_task_time = std::max(form.max_task_time, counts.time());
  }
  form.time = slowest_multiprocessor(spec, times);
  return form;
}

LowerBound lower_bound_of_io(const RunConfig& config, std::int64_t io, std::string source) {
  return {
      io,
      std::max(ceil_div(io, config.spec.multiprocessors()), ceil_div(config.n, config.spec.cores)),
      std::move(source)};
}

bool is_power_of_two(std::int64_t x) {
  return x > 0 && std::has_single_bit(static_cast<std::uint64_t>(x));
}

std::int64_t floor_power_of_two(std::int64_t x) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(x)));
}

}  // namespace agpusim
