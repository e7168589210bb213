// What the simulator costs: lane operations per second of one core with everything on, and the same
// run without checks and without pricing, side by side. Usage: agpusim_bench [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/predict/stats.hpp"

namespace {

using namespace agpusim;

struct Mode {
  const char* name;
  SimulationOptions options;
};

double seconds_of(const Algorithm& row, const RunConfig& config, const SimulationOptions& options) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto elapsed = [](auto from, auto to) {
    return std::chrono::duration<double>(to - from).count();
  };
  const auto start = now();
  const RunResult result = row.simulate(config, options);
  const auto simulated = now();
  // A simulation also generates its input and checks its result; the reference alone does just
  // that.
  const bool right = row.reference(config) == result.checksum;
  if (!right) throw Mismatch(row.name + ": wrong result");
  return elapsed(start, simulated) - elapsed(simulated, now());
}

/// Prints a row of medians; the modes take turns so that a change of the machine's speed hits all.
void compare(const Algorithm& row, RunConfig config, const std::vector<Mode>& modes, int rounds) {
  config = resolve(row, config);
  const auto lane_operations =
      static_cast<double>(row.simulate(config, {}).report.total().lane_slots);
  std::vector<std::vector<double>> seconds(modes.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t m = 0; m < modes.size(); ++m) {
      seconds[m].push_back(seconds_of(row, config, modes[m].options));
    }
  }
  fmt::print("{:23} {:12} {:4} V={:<5}", row.name, config.variant, config.type, config.spec.width);
  const double base = median(seconds[0]);
  for (std::size_t m = 0; m < modes.size(); ++m) {
    fmt::print("  {}: {:7.1f} ms {:5.2f} G/s x{:.2f}", modes[m].name, 1e3 * median(seconds[m]),
               1e-9 * lane_operations / median(seconds[m]), median(seconds[m]) / base);
  }
  fmt::print("\n");
}

/// The row's run of 2^20 elements; with a range of 2^12 where that is what the variant needs;
/// nothing where the variant cannot run so many.
std::optional<RunConfig> run_of(const Algorithm& row, const std::string& variant) {
  RunConfig config;
  config.n = std::int64_t{1} << 20;
  config.variant = variant;
  config.type.clear();
  config.input = row.inputs.front();
  for (const std::int64_t range : {std::int64_t{0}, std::int64_t{1} << 12}) {
    if (range > 0) config.parameters["range"] = range;
    try {
      return resolve(row, config);
    } catch (const UsageError&) {
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  Registry registry;
  register_all(registry);
  fmt::print(
      "n = 2^20, b = 32, median of {} rounds; G/s = 10^9 lane operations (issued warp "
      "instructions x b) per second; x = time relative to the first column\n\n",
      rounds);
  const std::vector<Mode> one_core = {{"1 core, priced and checked", {1, true, true, {}}},
                                      {"unchecked", {1, false, true, {}}},
                                      {"unpriced", {1, false, false, {}}}};
  const std::vector<Mode> all_cores = {{"1 core", {1, true, true, {}}},
                                       {"all cores", {0, true, true, {}}}};
  for (const Algorithm& row : registry.all()) {
    std::vector<std::string> variants = variant_names(row);
    if (variants.empty()) variants.emplace_back();
    for (const std::string& variant : variants) {
      if (const auto config = run_of(row, variant)) compare(row, *config, one_core, rounds);
    }
  }
  const Algorithm& sort = registry.find("bitonic_sort");
  RunConfig config;
  config.n = std::int64_t{1} << 20;
  config.type = "u64";
  compare(sort, config, one_core, rounds);
  config.type = "u32";
  config.spec.width = 256;
  compare(sort, config, one_core, rounds);
  config.spec.width = 32;
  fmt::print("\n");
  compare(sort, config, all_cores, rounds);
}
