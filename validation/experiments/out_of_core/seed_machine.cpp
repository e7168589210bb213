#include "agpusim/validation/experiments/out_of_core/seed_machine.hpp"

#include <cstdint>

#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr double giga = 1e9;
constexpr std::int64_t element_bytes = 8;
constexpr Chunks chunks{10'000'000'000, std::int64_t{1} << 24, 3};

/// All chunks in and, where the pass writes, out again.
transfer::Pipeline pipeline_of(const SeedPass& pass) {
  transfer::Pipeline pipeline;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    transfer::Operation copy;
    copy.stream = chunks.stream(j);
    copy.chunk = j;
    copy.bytes = chunks.length(j) * element_bytes;
    copy.engine = transfer::Engine::copy_in;
    pipeline.add(copy);
    if (pass.write == 0) continue;
    copy.engine = transfer::Engine::copy_out;
    pipeline.add(copy);
  }
  return pipeline;
}

transfer::LinkSpec link_of(const SeedPass& pass) {
  transfer::LinkSpec link;
  link.in.bytes_per_second = pass.read * giga;
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
       "misprint: the numbers of scan again; text and conclusion say slower than one thread",
       13.616,
       {}},
      {"sort", "10^9", 1.87, 3.98, "", 2.091, {}}};
  return tasks;
}

std::optional<SeedPrediction> predict(const SeedTask& task) {
  if (task.passes.empty()) return std::nullopt;
  const double bytes = static_cast<double>(chunks.n) * element_bytes;
  const double host = bytes / (task.host_read * giga);
  double bound = 0;
  double scheduled = 0;
  double by_read = 0;
  for (const SeedPass& pass : task.passes) {
    const transfer::Pipeline pipeline = pipeline_of(pass);
    const transfer::LinkSpec link = link_of(pass);
    bound += transfer::lower_bound(pipeline, link).seconds;
    scheduled += transfer::schedule(pipeline, link).makespan;
    by_read += bytes / (pass.read * giga);
  }
  return SeedPrediction{host / bound, host / scheduled, host / by_read};
}

}  // namespace agpusim::out_of_core
