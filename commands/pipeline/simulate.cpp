#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/commands/pipeline/plan.hpp"
#include "agpusim/commands/pipeline/step_totals.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/commands/pipeline/workload.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core {
namespace {

/// Whole numbers below 2^20 in random order: their sums are exact in every order.
std::vector<double> make_elements(std::int64_t n, std::uint64_t seed) {
  constexpr std::uint64_t values = 1 << 20;
  const Permutation shuffled(most_simulated, seed);
  std::vector<double> elements(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<double>(shuffled(i) % values);
  }
  return elements;
}

/// Element 0 and others at random, one of `length` in all.
std::vector<std::uint32_t> make_heads(std::int64_t n, std::int64_t length, std::uint64_t seed) {
  std::vector<std::uint32_t> heads(static_cast<std::size_t>(n));
  if (n == 0) return heads;
  const Permutation shuffled(static_cast<std::uint64_t>(n), seed);
  const auto first = shuffled(0);
  for (std::int64_t k = 0; k < (n + length - 1) / length; ++k) {
    const auto at = shuffled(static_cast<std::uint64_t>(k));
    heads[at == 0 ? first : k == 0 ? 0 : at] = 1;  // 0 and the first change places
  }
  return heads;
}

}  // namespace

Plan simulate(const Request& request, std::uint64_t seed) {
  return simulate(find_task(request.task), request, seed);
}

Plan simulate(const Task& task, const Request& request, std::uint64_t seed) {
  if (request.n > most_simulated) {
    throw UsageError(
        fmt::format("pipeline: n = {} is too large to simulate: at most 2^22 elements", request.n));
  }
  Plan plan = make_plan(request);
  std::vector<double> in = make_elements(request.n, seed);
  std::vector<std::int64_t> places(task.has_places ? in.size() : 0);
  if (!places.empty()) fill_places(places, seed);
  std::vector<std::uint32_t> heads =
      task.has_heads ? make_heads(request.n, task.in_per_out, seed) : std::vector<std::uint32_t>{};
  std::vector<double> out(task.one_result ? 1 : in.size(), untouched);

  detail::StepTotals totals(request.spec, request.clock);
  SimulatedStreams streams(request.spec, request.budget_bytes, totals.clock());
  streams.recorder().host_memory(request.memory);
  find_scheme(task, plan.scheme)
      .on<SimulatedStreams>()(
          streams, arrays_of({in, places, heads, out}), plan.chunks,
          {request.budget_bytes, request.compact_rate, request.link.host, {}, request.exclusive});
  plan.pipeline = streams.pipeline();
  plan.schedule = schedule(plan.pipeline, request.link, transfer::EngineOrder::added);
  plan.bound = lower_bound(plan.pipeline, request.link);
  plan.steps = totals.steps();
  plan.device_bytes = streams.budget().used();
  std::vector<double> expected(out.size(), untouched);
  fill_expected(task, {in, places, heads, expected}, request.exclusive);
  plan.correct = out == expected;
  return plan;
}

}  // namespace agpusim::out_of_core
