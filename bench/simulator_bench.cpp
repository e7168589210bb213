// What the simulator costs: lane operations (issued warp instructions x b) per second of host time,
// of every row and variant at n = 2^18, in launches only: without input, reference and check.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>
#include <optional>
#include <string>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/bench/benches.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::bench {
namespace {

const SimulationOptions one_core{1, true, true, {}};
const SimulationOptions unchecked{1, false, true, {}};
const SimulationOptions unpriced{1, false, false, {}};
const SimulationOptions all_cores{0, true, true, {}};

void simulate(benchmark::State& state, const Algorithm& row, const RunConfig& config,
              const SimulationOptions& options) {
  double lane_operations = 0;
  for ([[maybe_unused]] auto turn : state) {
    state.PauseTiming();
    auto device = std::make_unique<SimulatedDevice>(config.spec, options);
    auto program = row.program(*device, config);
    state.ResumeTiming();
    program->run();
    state.PauseTiming();
    if (lane_operations == 0 && program->checksum() != row.reference(config)) {
      state.SkipWithError("wrong result");
    }
    lane_operations += std::max(1.0, static_cast<double>(device->report().total().lane_slots));
    program.reset();
    device.reset();
    state.ResumeTiming();
  }
  state.counters["lane_ops"] = benchmark::Counter(lane_operations, benchmark::Counter::kIsRate);
}

constexpr std::int64_t most = std::int64_t{1} << 18;           // elements of a run
constexpr std::int64_t most_compared = std::int64_t{1} << 13;  // by a row of quadratic time

/// Whether the row's bound of the time grows by more than 3 when n doubles.
bool is_quadratic(const Algorithm& row, RunConfig config) {
  if (!row.time.value) return false;
  const double time = row.time.value(config);
  config.n *= 2;
  return row.time.value(config) > 3 * time;
}

/// The row's run of 2^18 elements, fewer where time is quadratic; with a range of 2^12 where that
/// is what the variant needs; nothing where the variant cannot run so many.
std::optional<RunConfig> run_of(const Algorithm& row, const std::string& variant,
                                const std::string& type = "", std::int32_t width = 0) {
  RunConfig config;
  if (width > 0) config.spec.width = width;
  config.n = most;
  config.variant = variant;
  config.type = type;
  config.input = row.inputs.front();
  for (const std::int64_t range : {std::int64_t{0}, std::int64_t{1} << 12}) {
    if (range > 0) config.parameters["range"] = range;
    try {
      const RunConfig resolved = resolve(row, config);
      if (!is_quadratic(row, resolved)) return resolved;
      config.n = most_compared;
      return resolve(row, config);
    } catch (const UsageError&) {
      continue;
    }
  }
  return std::nullopt;
}

void add(const std::string& name, const Algorithm& row, const RunConfig& config,
         const SimulationOptions& options) {
  auto* const added = benchmark::RegisterBenchmark(
      name.c_str(),
      [&row, config, options](benchmark::State& state) { simulate(state, row, config, options); });
  added->Unit(benchmark::kMillisecond)->MinTime(0.1);
  if (options.threads != 1) added->MeasureProcessCPUTime()->UseRealTime();
}

}  // namespace

void add_simulations(const Registry& registry) {
  for (const Algorithm& row : registry.on_agpu()) {
    std::vector<std::string> variants = variant_names(row);
    if (variants.empty()) variants.emplace_back();
    for (const std::string& variant : variants) {
      const auto config = run_of(row, variant);
      if (!config) continue;
      const std::string name = variant.empty() ? row.name : row.name + "." + variant;
      add("simulate/" + name, row, *config, one_core);
    }
  }
  const Algorithm& sort = registry.find("bitonic_sort");
  const RunConfig config = *run_of(sort, "");
  add("simulate/bitonic_sort/unchecked", sort, config, unchecked);
  add("simulate/bitonic_sort/unpriced", sort, config, unpriced);
  add("simulate/bitonic_sort/all_cores", sort, config, all_cores);
  add("simulate/bitonic_sort/u64", sort, *run_of(sort, "", "u64"), one_core);
  add("simulate/bitonic_sort/V=256", sort, *run_of(sort, "", "", 256), one_core);
}

}  // namespace agpusim::bench
