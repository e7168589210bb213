#include "agpusim/tests/support/fake_algorithm.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/commands/analyze/check_counters.hpp"

namespace agpusim::test {
namespace {

using Constants = std::vector<std::pair<std::string, double>>;

/// The names and values of the device's constants.
const Constants& constants() {
  static const Constants all = [] {
    std::istringstream text(R"(
      multiprocessors 10  first_launch 3  second_launch 2  further_launch 2  cold_start 0.5
      prologue_instructions 1e-9  prologue_cycles 1e-9  line_latency 1e-9
      overlap 1  overlap_growth 1e-9  clock 1000  issue_rate 40  int_rate 20  shared_rate 10
      block_read_rate 5  block_write_rate 4  warp_write_rate 2
      bandwidth_copy 1000  bandwidth_read 1100  bandwidth_write 1200
      l2_bandwidth 4000  l2_bytes 1048576  launch 2  launch_latency 3
      alu_latency 8  memory_latency 500  l2_latency 200
      shared_bytes_per_multiprocessor 200000  warps_per_multiprocessor 64  max_ctas 32
      atomic_rate_4 1  atomic_rate_128 4  atomic_rate_1024 8  atomic_rate_4096 8
      atomic_rate_16384 64  atomic_rate_65536 64  atomic_rate_262144 64  atomic_rate_1048576 64
      atomic_rate_33554432 64  atomic_rate_67108864 16  atomic_rate_134217728 16
      atomic_rate_268435456 16  atomic_rate_536870912 16  atomic_rate_1073741824 16)");
    Constants read;
    std::string name;
    for (double value = 0; text >> name >> value;) read.emplace_back(name, value);
    return read;
  }();
  return all;
}

}  // namespace

RunReport fake_report(const RunConfig& config) {
  const std::int64_t b = config.spec.block_words;
  const std::int64_t blocks = (config.n + b - 1) / b;
  PhaseReport phase{.kernel = "copy_tile",
                    .tasks = blocks,
                    .shared_words = b,
                    .counts = {.alu = 2 * blocks,
                               .global_read = {blocks, blocks, 4 * blocks},
                               .global_write = {blocks, blocks, 4 * blocks},
                               .shared_read = {blocks, blocks, 0},
                               .active_lanes = 5 * config.n,
                               .lane_slots = 5 * blocks * b},
                    .max_task_time = 5};
  const std::int64_t k = config.spec.multiprocessors();
  phase.time = (blocks + k - 1) / k * 5;
  phase.io_max = (blocks + k - 1) / k * 2;
  RunReport report{.spec = config.spec, .phases = {phase, phase}};
  report.phases[1].kernel = "copy_back";
  report.time_total_max = report.time();
  report.global_words_peak = 2 * blocks * b;
  report.host_words_in = config.n;
  report.host_words_out = config.n;
  return report;
}

std::uint64_t fake_checksum(const RunConfig& config) {
  return static_cast<std::uint64_t>(config.n) * 0x9E3779B97F4A7C15U + config.seed;
}

Registry fake_registry(std::int64_t derived_error) {
  Algorithm row;
  row.name = "twice";
  row.summary = "Copies an array there and back.";
  row.source = "made for the tests";
  row.time = {"O(n/p)", [](const RunConfig& config) {
                return static_cast<double>(config.n) / static_cast<double>(config.spec.cores);
              }};
  row.io = {"O(n/b)", [](const RunConfig& config) {
              return static_cast<double>(config.n) / config.spec.block_words;
            }};
  row.types = {"u32"};
  row.inputs = {"uniform", "sorted"};
  row.parameters = {{"tile", "words", [](const RunConfig&) { return std::int64_t{32}; }}};
  row.check = [](const RunConfig&) {};
  row.simulate = [](const RunConfig& config, const SimulationOptions&) {
    return RunResult{fake_report(config), fake_checksum(config), true};
  };
  row.reference = fake_checksum;
  row.derive = [derived_error](const RunConfig& config) {
    RunReport report = fake_report(config);
    report.phases.front().counts.alu += derived_error;
    return report;
  };
  row.lower_bound = [](const RunConfig& config) {
    return LowerBound{2 * config.n / config.spec.block_words, 1, "each word is read and written"};
  };
  Registry registry;
  registry.add(row);
  return registry;
}

RunConfig fake_config(std::int64_t n) {
  return RunConfig{.algorithm = "twice", .n = n, .parameters = {{"tile", 32}}};
}

TimingRecord fake_timing(std::int64_t n, double milliseconds) {
  TimingRecord record{
      .environment = {"Fake GPU", "13.0", "13.0", "3.0.1", 10, 1000, 1 << 20, 1 << 30},
      .date = "2026-11-20T10:00:00Z",
      .config = fake_config(n)};
  record.checksum = fake_checksum(record.config);
  for (int i = 0; i < 10; ++i) {
    record.samples.microseconds.push_back(milliseconds * 1e3 * (0.955 + 0.01 * i));
  }
  record.samples.stop = "stable";
  return record;
}

CounterRecord fake_counters(std::int64_t n, std::int64_t launch) {
  const TimingRecord timing = fake_timing(n, 1);
  const PhaseReport phase = fake_report(timing.config).phases.at(static_cast<std::size_t>(launch));
  CounterRecord record{.environment = timing.environment,
                       .date = timing.date,
                       .config = timing.config,
                       .checksum = timing.checksum,
                       .launch = launch,
                       .kernel = phase.kernel};
  for (const CounterMetric& metric : counter_metrics()) {
    record.metrics[std::string(metric.name)] = metric.count(phase.counts);
  }
  return record;
}

DeviceFile fake_device() {
  DeviceFile device{.name = "Fake GPU", .path = "fake.json"};
  for (const auto& [name, value] : constants()) {
    device.set({name, value, "1", "test", "", "2026-11-20"});
  }
  return device;
}

std::string fake_device_json() {
  std::string members;
  for (const auto& [name, value] : constants()) {
    members += fmt::format(
        "{}\"{}\":{{\"value\":{},\"unit\":\"1\",\"source\":\"test\",\"date\":\"2026-11-20\"}}",
        members.empty() ? "" : ",", name, value);
  }
  return fmt::format("{{\"schema\":1,\"device\":\"Fake GPU\",\"constants\":{{{}}}}}", members);
}

}  // namespace agpusim::test
