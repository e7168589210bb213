#include "agpusim/validation/experiments/statistics/panels.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim::statistics_experiment {
namespace {

/// Tasks of 256 lanes, 8 of them on each multiprocessor.
constexpr const char* many_lanes = "h200-block";
/// One task of 1024 lanes on each multiprocessor: few records to merge.
constexpr const char* wide_tasks = "h200-wide";
constexpr const char* few_lanes = "h200";
/// One lane takes 0.1 s for so many numbers.
constexpr std::int64_t one_lane_max = 1'000'000;
/// The branches of the printed comparison depend on the numbers: its counts play every round on the
/// host, which takes seconds for so many.
constexpr std::int64_t branching_max = 1 << 24;
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
/// Tiles of 17 rows, and 16 times as many tasks as run at a time, so that they end together.
const std::map<std::string, std::int64_t> long_tiles = {{"per_lane", 17}, {"tasks", 16896}};
/// The rows of the algorithm table find their defaults themselves.
const std::map<std::string, std::int64_t> zero_mean = {{"mean", 0}};

Contestant library(std::string label, std::string algorithm,
                   std::map<std::string, std::int64_t> parameters = {}, std::string variant = "") {
  Contestant contestant;
  contestant.variant = std::move(variant);
  contestant.label = std::move(label);
  contestant.algorithm = std::move(algorithm);
  contestant.parameters = std::move(parameters);
  return contestant;
}

RunConfig numbers_of(const Panel& panel, std::int64_t n) {
  RunConfig config;
  config.type = panel.type;
  config.input = panel.input;
  config.n = n;
  config.seed = panel_seed;
  return config;
}

/// The run of a row that says what is right, on a machine that has no influence on it.
RunConfig reference_run(const std::string& row, const Panel& panel, std::int64_t n,
                        const Registry& registry, const FindMachine& machine) {
  RunConfig config = numbers_of(panel, n);
  config.spec = machine(many_lanes);
  return resolve(registry.find(row), config);
}

}  // namespace

const Contestant* Panel::library() const {
  const auto it =
      std::find_if(contestants.begin(), contestants.end(),
                   [](const Contestant& contestant) { return contestant.is_library(); });
  return it == contestants.end() ? nullptr : &*it;
}

const std::vector<Panel>& panels() {
  static const std::vector<Panel> all = {
      {"minmax-i32",
       "minimum and maximum of i32, sorted",
       "minmax",
       "i32",
       "sorted",
       Traffic::read,
       {{"one lane (Ts)", "minmax", "one_lane", few_lanes, one_lane_max},
        {"tournament (Tm)", "minmax_tournament", "copy", many_lanes, branching_max},
        {"tournament, no copy", "minmax_tournament", "ping_pong", many_lanes},
        {"one pass", "minmax", "one_pass", wide_tasks},
        library("CUB", "cub_minmax", zero_mean)}},
      {"statistics-i32",
       "mean and variance of i32, sorted",
       "statistics",
       "i32",
       "sorted",
       Traffic::read,
       {{"one lane (Ts)", "statistics", "one_lane", few_lanes, one_lane_max},
        {"tournament (Tm)", "statistics_tournament", "copy", many_lanes},
        {"tournament, no copy", "statistics_tournament", "ping_pong", many_lanes},
        {"one pass", "statistics", "one_pass", wide_tasks}}},
      {"statistics-f32",
       "mean and variance of f32, normal",
       "statistics",
       "f32",
       "normal",
       Traffic::read,
       {{"one pass", "statistics", "one_pass", wide_tasks},
        {"textbook", "statistics", "textbook", wide_tasks},
        library("CUB, one reduction", "cub_statistics", zero_mean),
        library("CUB, one reduction of (n, mean, M2)", "cub_statistics", zero_mean, "chan"),
        library("CUB, four reductions", "cub_separate_statistics", zero_mean)}},
      {"statistics-f64",
       "mean and variance of f64, normal",
       "statistics",
       "f64",
       "normal",
       Traffic::read,
       {{"one pass", "statistics", "one_pass", wide_tasks},
        library("CUB, one reduction", "cub_statistics", zero_mean)}},
      {"reduce-u32",
       "sum of u32",
       "reduce",
       "u32",
       "uniform",
       Traffic::read,
       {{"reduce", "reduce", "commutative", many_lanes}, library("CUB", "cub_reduce")}},
      {"scan-u32",
       "prefix sums of u32",
       "scan",
       "u32",
       "uniform",
       Traffic::read_and_write,
       {{"reduce, then scan", "scan", "sum", many_lanes, no_limit, long_tiles},
        {"scan, then add", "scan", "scan_then_add", many_lanes, no_limit, long_tiles},
        {"Kogge-Stone", "scan", "kogge_stone", many_lanes},
        {"Blelloch", "scan", "blelloch", many_lanes},
        {"Blelloch, padded", "scan", "blelloch_padded", many_lanes},
        library("CUB", "cub_scan")}},
  };
  return all;
}

std::vector<std::int64_t> panel_sizes(const SizeChoice& choice) {
  std::vector<std::int64_t> sizes = {100,     1'000,   10'000,  100'000, 1'000'000,
                                     1 << 22, 1 << 24, 1 << 26, 1 << 28};
  const std::int64_t largest =
      choice.quick ? std::min<std::int64_t>(choice.n_max, 100'000) : choice.n_max;
  std::erase_if(sizes, [&](std::int64_t n) { return n > largest; });
  return sizes;
}

bool has_reference(const Panel& panel, const Registry& registry) {
  return registry.find_or_null(panel.reference) != nullptr;
}

std::optional<RunConfig> run_of(const Panel& panel, const Contestant& contestant, std::int64_t n,
                                const Registry& registry, const FindMachine& machine) {
  if (n > contestant.n_max) return std::nullopt;
  RunConfig config = numbers_of(panel, n);
  config.algorithm = contestant.algorithm;
  config.variant = contestant.variant;
  config.parameters = contestant.parameters;
  if (contestant.is_library()) return config;
  const Algorithm* const row = registry.find_or_null(contestant.algorithm);
  if (row == nullptr) return std::nullopt;
  config.spec = machine(contestant.machine);
  try {
    return resolve(*row, config);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::vector<PanelRun> panel_runs(const std::vector<Panel>& panels, const SizeChoice& choice,
                                 const Registry& registry, const FindMachine& machine) {
  std::vector<PanelRun> runs;
  std::set<std::string> seen;
  for (const std::int64_t n : panel_sizes(choice)) {
    for (const Panel& panel : panels) {
      if (!has_reference(panel, registry)) continue;
      for (const Contestant& contestant : panel.contestants) {
        auto config = run_of(panel, contestant, n, registry, machine);
        if (config && seen.insert(config_to_json(*config)).second) {
          runs.push_back({std::move(*config), reference_run(panel.reference_of(contestant), panel,
                                                            n, registry, machine)});
        }
      }
    }
  }
  return runs;
}

}  // namespace agpusim::statistics_experiment
