#include "agpusim/commands/pipeline/pipeline.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/compare_machines.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/commands/pipeline/to_report.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

using out_of_core::LinkChoice;
using out_of_core::Request;
using out_of_core::Scheme;
using out_of_core::Task;

/// Throws UsageError with the nearest name when no row has this one.
template <class Row>
void require_name(const std::string& thing, const std::string& name, const std::vector<Row>& rows) {
  std::vector<std::string> known;
  for (const Row& row : rows) {
    if (row.name == name) return;
    known.push_back(row.name);
  }
  throw unknown_name(thing, name, known);
}

report::Report list_of_tasks() {
  using report::Column;
  using report::Format;
  using report::Value;
  const std::vector<Column<Scheme>> columns = {
      {{"scheme", "scheme"}, [](const Scheme& scheme) { return Value(scheme.name); }},
      {{"about", "what it does"}, [](const Scheme& scheme) { return Value(scheme.help); }}};
  report::Report written{"Tasks on arrays larger than the device's memory, and their schemes", {}};
  for (const Task& task : out_of_core::tasks()) {
    report::Section section;
    section.key = "tasks";
    section.list = true;
    section.heading = fmt::format("{}: {} ({} of {}: {})", task.name, task.summary, task.primitive,
                                  task.type, task.operation);
    section.facts = {{{"task", ""}, task.name, "", "task"},
                     {{"summary", ""}, task.summary},
                     {{"primitive", ""}, task.primitive},
                     {{"type", ""}, task.type},
                     {{"operation", ""}, task.operation}};
    section.tables = {report::table("schemes", columns, task.schemes)};
    section.tables.front().csv = true;
    written.body.sections.push_back(std::move(section));
  }
  report::Section end;
  end.sentences = {"For example: agpusim pipeline scan --n 10^9 --budget 3GB"};
  written.body.sections.push_back(std::move(end));
  return written;
}

Request request_of(const PipelineOptions& options) {
  require_name("task", options.task, out_of_core::tasks());
  const Task& task = out_of_core::find_task(options.task);
  if (!options.scheme.empty()) {
    require_name("scheme of " + task.name, options.scheme, task.schemes);
  }
  if (!options.n) {
    throw UsageError("--n is required, for example --n 10^9 (see `agpusim help sizes`)");
  }
  if (!options.budget) {
    throw UsageError("--budget is required: bytes of device memory, for example --budget 8GiB");
  }
  Request request;
  request.task = task.name;
  request.scheme = out_of_core::find_scheme(task, options.scheme).name;
  request.exclusive = options.exclusive;
  request.n = *options.n;
  request.budget_bytes = *options.budget;
  request.streams = options.streams;
  request.chunk = options.chunk.value_or(0);
  return request;
}

}  // namespace

void setup_pipeline(CLI::App& app) {
  const auto options = std::make_shared<PipelineOptions>();
  CLI::App* const command =
      add_command(app, "pipeline",
                  "Plan a primitive on data larger than the device: copies, kernels, time, bound");
  command->add_option("task", options->task, "what to plan (default: list the tasks)")
      ->type_name("TASK");
  add_size(*command, "-n,--n", options->n, "elements (see `agpusim help sizes`)",
           {.min = 0, .example = "10^9"});
  add_bytes(*command, "--budget", options->budget, "device memory to use, for example 8GiB");
  command->add_option("--scheme", options->scheme, "program (default: the task's first)")
      ->type_name("NAME");
  command->add_flag("--exclusive", options->exclusive,
                    "of scan: an element receives what lies before it, without itself");
  add_size(*command, "--streams", options->streams, "streams, 1 to 64",
           {.max = out_of_core::most_streams, .example = "3"})
      ->type_name("NUMBER");
  add_size(*command, "--chunk", options->chunk,
           "elements of a chunk (default: the power of two with the least time)",
           {.example = "2^22"});
  add_machine_options(*command, options->machine);
  command->add_option("--device", options->device, "whose constants (default: the machine's own)")
      ->type_name("NAME");
  command->add_option("--devices", options->devices, "folder of device files")->type_name("DIR");
  const std::string group = "Link (default: the device's)";
  constexpr double least_gbps = 1e-6;  // a kilobyte per second
  LinkChoice& link = options->link;
  const auto link_option = [&](const char* name, std::optional<double>& number, double least,
                               const char* help) {
    add_number(*command, name, number, least, help)->group(group);
  };
  link_option("--in-gbps", link.in, least_gbps, "GB/s from host to device");
  link_option("--out-gbps", link.out, least_gbps, "GB/s from device to host");
  link_option("--both-gbps", link.both, 0, "GB/s of both together (0: their sum)");
  link_option("--latency-us", link.latency, 0, "us of a copy of no bytes");
  link_option("--host-gbps", link.host, 0, "GB/s of host memory (0: no limit)");
  add_size(*command, "--copy-engines", link.copy_engines, "1 or 2", {.max = 2, .example = "2"})
      ->type_name("NUMBER")
      ->group(group);
  command->add_flag("--pageable", link.pageable, "the host's arrays are in pageable memory")
      ->group(group);
  command->add_flag("--simulate", options->simulate,
                    "run it on the abstract machine (n <= 2^22) and check the result");
  add_seed(*command, options->seed, "seed of the simulated input");
  add_report_options(*command, options->output);
  command->footer(
      "With --in-gbps and --out-gbps the whole link is the command line's: what is not given is "
      "no\n"
      "limit, no latency, two copy engines.\n\nExamples:\n"
      "  agpusim pipeline\n"
      "  agpusim pipeline scan --n 10^9 --budget 3GB --scheme seed --html scan.html\n"
      "  agpusim pipeline sort --n 2^32 --budget 8GiB --in-gbps 25 --out-gbps 25 --copy-engines 1\n"
      "  agpusim pipeline reduce --n 2^20 --budget 2MB --chunk 2^16 --simulate");
  command->callback([options] { run_pipeline(*options); });
}

void run_pipeline(const PipelineOptions& options) {
  if (options.task.empty()) {
    require_output(options.output);
    put_report(list_of_tasks(), options.output);
    return;
  }
  Request request = request_of(options);
  const contest::ComparedMachine machine =
      predicted_machine(options.machine, {options.device, options.devices, {}});
  request.spec = machine.spec;
  request.link = out_of_core::link_of(*machine.constants, options.link);
  if (options.link.pageable) request.memory = transfer::HostMemory::pageable;
  request.clock = out_of_core::kernel_clock(machine.spec, *machine.constants);
  if (out_of_core::find_scheme(out_of_core::find_task(request.task), request.scheme).compacts) {
    request.compact_rate = out_of_core::compact_rate(*machine.constants);
  }
  require_output(options.output);
  exit_on_interrupt();
  const out_of_core::Plan plan = options.simulate ? out_of_core::simulate(request, options.seed)
                                                  : out_of_core::make_plan(request);
  report::Report report = to_report(plan);
  const std::string uncertain = why_uncertain(*machine.constants);
  if (!uncertain.empty()) report.body.sections.emplace_back().remarks = {uncertain};
  put_report(report, options.output);
  if (plan.correct && !*plan.correct) {
    throw Mismatch(
        fmt::format("pipeline: {} of {} elements by scheme {}: the result differs from "
                    "that of a plain loop",
                    plan.task, plan.chunks.n, plan.scheme));
  }
}

}  // namespace agpusim
