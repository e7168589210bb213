#include "agpusim/validation/experiments/out_of_core/seed_machine.hpp"

#include <cstdint>

#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr double giga = 1e9;
constexpr std::int64_t element_bytes = 8;
/// ⌈L/L_C⌉ of scatter: 5·10^9 elements, a window of the output in all of the device's 3 GiB.
constexpr int scatter_windows = 13;
constexpr Chunks chunks{10'000'000'000, std::int64_t{1} << 24, 3};

/// All chunks in, where a pass reads, and out, where it writes.
transfer::Pipeline pipeline_of(const SeedPass& pass) {
  transfer::Pipeline pipeline;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    transfer::Operation copy;
    copy.stream = chunks.stream(j);
    copy.chunk = j;
    const auto add = [&](transfer::Engine engine, std::int64_t bytes) {
      copy.engine = engine;
      copy.bytes = chunks.length(j) * bytes;
      pipeline.add(copy);
    };
    if (pass.read > 0) add(transfer::Engine::copy_in, pass.read_bytes);
    if (pass.write > 0) add(transfer::Engine::copy_out, element_bytes);
  }
  return pipeline;
}

transfer::LinkSpec link_of(const SeedPass& pass) {
  transfer::LinkSpec link;
  link.in.bytes_per_second = (pass.read > 0 ? pass.read : pass.write) * giga;
  link.out.bytes_per_second = (pass.write > 0 ? pass.write : pass.read) * giga;
  return link;
}

}  // namespace

const std::vector<SeedTask>& seed_tasks() {
  static const std::vector<SeedTask> tasks = {
      {"transform_const", "10^10", 0.89, 1.02, "", 10.438, {{11.967, 10.761}}},
      {"transform_trig", "10^10", 28.6, 35.2, "", 0.248, {{9.540, 6.677}}},
      {"reduce", "10^10", 3.24, 3.34, "", 3.512, {{11.505, 0}}},
      {"scan", "10^10", 1.41, 1.42, "", 3.580, {{9.026, 8.856}, {11.982, 10.769}}},
      {"scatter",
       "5*10^9",
       1.41,
       1.42,
       "misprint: the numbers of scan again; text and conclusion say slower than one "
       "thread; by the model with the fewest windows, 13 of 3 GiB",
       13.616,
       {{12.412, 0, scatter_windows, 2 * element_bytes}, {0, 13.900}},
       // Place, value and the line that is written to: reads are 3.006 times writes in table 4.
       3 * element_bytes},
      {"sort",
       "10^9",
       1.87,
       3.98,
       "how many pivots it has, and what std::sort moves, is not printed",
       2.091,
       {}}};
  return tasks;
}

std::optional<SeedPrediction> predict(const SeedTask& task) {
  if (task.passes.empty()) return std::nullopt;
  const auto elements = static_cast<double>(chunks.n);
  const double host = elements * task.host_bytes / (task.host_read * giga);
  double bound = 0;
  double scheduled = 0;
  double by_read = 0;
  for (const SeedPass& pass : task.passes) {
    const transfer::Pipeline pipeline = pipeline_of(pass);
    const transfer::LinkSpec link = link_of(pass);
    bound += pass.repeats * transfer::lower_bound(pipeline, link).seconds;
    scheduled += pass.repeats * transfer::schedule(pipeline, link).makespan;
    if (pass.read == 0) continue;
    by_read += pass.repeats * elements * static_cast<double>(pass.read_bytes) / (pass.read * giga);
  }
  return SeedPrediction{host / bound, host / scheduled, host / by_read};
}

}  // namespace agpusim::out_of_core
