#include "agpusim/tests/commands/compare/comparison_cases.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"

namespace agpusim::test {
namespace {

PhaseReport invented_phase(const RunConfig& config, const InventedCost& cost) {
  PhaseReport phase{
      .kernel = "invented", .tasks = 10, .shared_words = 32, .time = cost.time(config.n)};
  phase.max_task_time = phase.time;
  phase.counts.alu = 7;
  phase.counts.global_read.requests = 1;
  phase.counts.global_read.blocks = cost.io(config.n);
  phase.counts.global_read.sectors = 4 * cost.io(config.n);
  phase.counts.shared_read.wavefronts = 5;
  return phase;
}

}  // namespace

Algorithm invented_row(const std::string& name, const InventedCost& cost, std::int64_t largest) {
  Algorithm row;
  row.name = name;
  row.summary = "Costs what the tests invent.";
  row.source = "made for the tests";
  row.time = row.io = {"O(1)", [](const RunConfig&) { return 1.0; }};
  row.types = {"u32", "u64"};
  row.inputs = {"uniform", "sorted"};
  row.parameters = {{"range", "values of a key", [](const RunConfig& config) { return config.n; }},
                    {"rows", "of a task", [](const RunConfig&) { return std::int64_t{8}; }}};
  row.check = [name, largest](const RunConfig& config) {
    if (config.n > largest) {
      throw UsageError(fmt::format("{} takes at most {} elements", name, largest));
    }
  };
  row.reference = fake_checksum;
  row.simulate = [cost](const RunConfig& config, const SimulationOptions&) {
    RunReport report{.spec = config.spec, .phases = {invented_phase(config, cost)}};
    return RunResult{report, fake_checksum(config), true};
  };
  row.derive = [cost](const RunConfig& config) {
    return RunReport{.spec = config.spec, .phases = {invented_phase(config, cost)}};
  };
  row.lower_bound = [](const RunConfig& config) {
    return LowerBound{2 * config.n / config.spec.block_words, config.n / config.spec.cores,
                      "invented"};
  };
  return row;
}

Registry invented_registry() {
  const InventedCost power = {[](std::int64_t n) { return n * n; },
                              [](std::int64_t n) { return 3 * ((n + 31) / 32); }};
  const InventedCost line = {[](std::int64_t n) { return 64 * n; },
                             [](std::int64_t n) { return 2 * ((n + 31) / 32); }};
  Registry registry;
  registry.add(invented_row("power", power));
  registry.add(invented_row("line", line));
  registry.add(invented_row("echo", line));
  registry.add(invented_row("small", power, 1000));
  return registry;
}

std::vector<contest::SizeRows> made_rows(const std::vector<MadeRow>& rows) {
  std::vector<contest::SizeRows> result;
  for (const MadeRow& made : rows) {
    contest::SizeRows row{.n = made.n};
    row.entries.resize(std::max(made.times.size(), made.measured_ms.size()));
    for (std::size_t i = 0; i < made.times.size(); ++i) {
      if (made.times[i] < 0) continue;
      row.entries[i].quantities = {{"T", made.times[i]}, {"Q", 0}};
    }
    for (std::size_t i = 0; i < made.measured_ms.size(); ++i) {
      const double ms = made.measured_ms[i];
      if (ms > 0) row.entries[i].measured = {ms, 0.99 * ms, 1.01 * ms, 11, "2026-11-20"};
    }
    result.push_back(std::move(row));
  }
  return result;
}

TimingRecord invented_record(const RunConfig& config, double milliseconds) {
  TimingRecord record = fake_timing(config.n, milliseconds);
  record.config = config;
  record.checksum = fake_checksum(config);
  record.samples.microseconds.assign(11, 1e3 * milliseconds);
  return record;
}

contest::ComparedMachine fake_machine() {
  return contest::ComparedMachine{
      .label = "fake", .device = "Fake GPU", .constants = fake_device()};
}

std::vector<contest::Contestant> contestants(const std::vector<std::string>& names) {
  std::vector<contest::Contestant> result;
  for (const std::string& name : names) {
    result.push_back(contest::Contestant{.label = name, .algorithm = name});
  }
  return result;
}

contest::Options options_of(const std::vector<std::string>& names) {
  contest::Options options;
  options.contestants = contestants(names);
  options.machines = {fake_machine()};
  options.sizes = {10, 100, 1000, 10000};
  options.threads = 1;
  return options;
}

RunConfig run_of(const std::string& algorithm, std::int64_t n) {
  return RunConfig{.algorithm = algorithm, .n = n, .parameters = {{"range", n}, {"rows", 8}}};
}

RunConfig library_run(std::int64_t n, std::int64_t range) {
  RunConfig config = run_of("library", n);
  config.parameters = {{"range", range}};
  return config;
}

const contest::PairOrder& order_of(const contest::MachineResult& result, contest::Measure measure) {
  for (const contest::PairOrder& order : result.orders) {
    if (order.measure == measure) return order;
  }
  throw std::out_of_range("no order by " + contest::to_string(measure));
}

std::string remarks_of(const contest::Comparison& comparison) {
  std::string text;
  for (const std::string& remark : comparison.remarks) text += remark + "\n";
  for (const contest::MachineResult& result : comparison.machines) {
    for (const std::string& remark : result.remarks) text += remark + "\n";
  }
  return text;
}

}  // namespace agpusim::test
