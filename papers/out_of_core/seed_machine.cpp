#include <cstdint>

#include "agpusim/commands/pipeline/machine.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/schedule.hpp"
#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/out_of_core/experiment.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::field;
using agpusim::detail::field_or;
using agpusim::detail::Json;

constexpr double giga = 1e9;
constexpr std::int64_t element_bytes = 8;
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

/// Table 2 and no more: copies without latency, host memory without a limit.
const transfer::LinkSpec& printed_link() {
  static const transfer::LinkSpec link = [] {
    LinkChoice choice;
    choice.latency = 0;
    choice.host = 0;
    return out_of_core::link_of(load_device(data_folder() / "devices" / "gtx1060.json"), choice);
  }();
  return link;
}

SeedTask decode_task(const Json& json) {
  const auto printed = agpusim::detail::list_of<double>(json, "printed");
  SeedTask task{field<std::string>(json, "task"),
                field<std::string>(json, "elements"),
                printed.front(),
                printed.back(),
                field_or<std::string>(json, "remark", ""),
                field<double>(json, "host_read"),
                {},
                field_or<double>(json, "host_bytes", element_bytes)};
  for (const Json& pass : agpusim::detail::list_in(json, "passes")) {
    task.passes.push_back({field_or(pass, "read", 0.0), field_or(pass, "write", 0.0),
                           field_or(pass, "repeats", 1),
                           field_or(pass, "read_bytes", element_bytes)});
  }
  return task;
}

}  // namespace

const std::vector<SeedTask>& seed_tasks() {
  static const std::vector<SeedTask> tasks = [] {
    std::vector<SeedTask> all;
    agpusim::detail::read_paper(
        paper_file("out_of_core/printed_speedups.json"), [&](const Json& file) {
          agpusim::detail::for_each_entry(
              file, "task", [&](const Json& task) { all.push_back(decode_task(task)); });
        });
    return all;
  }();
  return tasks;
}

std::optional<SeedPrediction> predict(const SeedTask& task) {
  if (task.passes.empty()) return std::nullopt;
  const auto elements = static_cast<double>(chunks.n);
  const double host = elements * task.host_bytes / (task.host_read * giga);
  double bound = 0;
  double scheduled = 0;
  double by_read = 0;
  double by_link = 0;
  for (const SeedPass& pass : task.passes) {
    const transfer::Pipeline pipeline = pipeline_of(pass);
    const transfer::LinkSpec link = link_of(pass);
    bound += pass.repeats * transfer::lower_bound(pipeline, link).seconds;
    scheduled += pass.repeats * transfer::schedule(pipeline, link).makespan;
    by_link += pass.repeats * transfer::lower_bound(pipeline, printed_link()).seconds;
    if (pass.read == 0) continue;
    by_read += pass.repeats * elements * static_cast<double>(pass.read_bytes) / (pass.read * giga);
  }
  return SeedPrediction{host / bound, host / scheduled, host / by_read, host / by_link};
}

}  // namespace agpusim::out_of_core
