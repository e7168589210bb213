#include "agpusim/commands/pipeline/plan.hpp"

#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/step_totals.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 40;

void check(const Request& request, const Scheme& scheme) {
  const auto require = [](bool holds, const std::string& message) {
    if (!holds) throw UsageError("pipeline: " + message);
  };
  require(request.n >= 0 && request.n <= most_elements,
          fmt::format("n = {} elements: 0 to 2^40", request.n));
  require(request.streams >= 1 && request.streams <= most_streams,
          fmt::format("streams = {}: 1 to {}", request.streams, most_streams));
  require(request.budget_bytes > 0,
          fmt::format("a budget of {} bytes of device memory: it must be positive",
                      request.budget_bytes));
  require(request.chunk >= 0, fmt::format("chunk = {} elements: at least 1, or 0 for the one with "
                                          "the least time",
                                          request.chunk));
  require(!scheme.compacts || request.compact_rate > 0,
          fmt::format("scheme {} needs the rate at which the host compacts places", scheme.name));
}

/// Larger chunks may do.
struct TooManyOperations : UsageError {
  TooManyOperations(double operations, std::int64_t chunk)
      : UsageError(fmt::format("pipeline: chunks of {} elements make {:.0f} operations, more than "
                               "{}; use larger chunks",
                               chunk, operations, most_operations)) {}
};

/// The plan with chunks of one size. Throws UsageError when they do not fit.
Plan plan_chunks(const Request& request, const Task& task, const Scheme& scheme,
                 std::int64_t chunk) {
  const Chunks chunks{request.n, chunk, request.streams};
  const Settings settings{
      request.budget_bytes, request.compact_rate, request.link.host, {}, request.exclusive};
  if (const double operations = scheme.operations(chunks, settings); operations > most_operations) {
    throw TooManyOperations(operations, chunk);
  }
  detail::StepTotals totals(request.spec, request.clock);
  PlannedStreams streams(request.spec, request.budget_bytes, totals.clock());
  streams.recorder().host_memory(request.memory);
  const Arrays arrays{HostPiece<const double>(request.n),
                      HostPiece<const std::int64_t>(task.has_places ? request.n : 0),
                      HostPiece<double>(task.one_result ? 1 : request.n),
                      {},
                      {},
                      {},
                      HostPiece<const std::uint32_t>(task.has_heads ? request.n : 0)};
  scheme.on<PlannedStreams>()(streams, arrays, chunks, settings);
  if (streams.pipeline().size() > most_operations) {
    throw TooManyOperations(static_cast<double>(streams.pipeline().size()), chunk);
  }
  Plan plan;
  plan.task = task.name;
  plan.scheme = scheme.name;
  plan.exclusive = request.exclusive;
  plan.budget_bytes = request.budget_bytes;
  plan.spec = request.spec;
  plan.link = request.link;
  plan.chunks = chunks;
  plan.pipeline = streams.pipeline();
  plan.schedule = schedule(plan.pipeline, request.link, transfer::EngineOrder::added);
  plan.bound = lower_bound(plan.pipeline, request.link);
  plan.steps = totals.steps();
  plan.device_bytes = streams.budget().used();
  return plan;
}

/// The plan with the least time over all sizes of chunks.
Plan best_plan(const Request& request, const Task& task, const Scheme& scheme) {
  std::optional<Plan> best;
  std::vector<Trial> trials;
  bool larger_may_do = true;
  for (std::int64_t chunk = least_chunk; larger_may_do; chunk *= 2) {
    Trial trial{chunk, std::nullopt, {}};
    try {
      Plan plan = plan_chunks(request, task, scheme, chunk);
      trial.seconds = plan.schedule.makespan;
      if (!best || plan.schedule.makespan < best->schedule.makespan) best = std::move(plan);
    } catch (const TooManyOperations& error) {
      trial.refusal = error.what();
    } catch (const UsageError& error) {
      trial.refusal = error.what();
      larger_may_do = false;
    }
    trials.push_back(std::move(trial));
    larger_may_do = larger_may_do && chunk < request.n;
  }
  if (!best) {
    throw UsageError(
        fmt::format("pipeline: {} of {} elements by scheme {} on {} streams with {} "
                    "bytes of device memory: no size of chunks is possible; {}",
                    task.name, request.n, scheme.name, request.streams, request.budget_bytes,
                    trials.back().refusal));
  }
  best->trials = std::move(trials);
  return std::move(*best);
}

}  // namespace

Plan make_plan(const Request& request) {
  const Task& task = find_task(request.task);
  const Scheme& scheme = find_scheme(task, request.scheme);
  check(request, scheme);
  if (request.exclusive && !task.may_be_exclusive) {
    throw UsageError(fmt::format("{} has no exclusive form: only scan has", task.name));
  }
  return request.chunk > 0 ? plan_chunks(request, task, scheme, request.chunk)
                           : best_plan(request, task, scheme);
}

}  // namespace agpusim::out_of_core
