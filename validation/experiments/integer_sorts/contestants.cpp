#include "agpusim/validation/experiments/integer_sorts/contestants.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {
std::string to_string(Team team) {
  switch (team) {
    case Team::cub:
      return "cub";
    case Team::seed:
      return "seed";
    case Team::ours:
      return "ours";
  }
  throw std::logic_error("team without a name");
}

std::string Contestant::label() const {
  if (team == Team::cub) return sort;
  return fmt::format("{} {}{}", to_string(team), sort, variant.empty() ? "" : "/" + variant);
}

const std::vector<Contestant>& contestants() {
  static const std::vector<Contestant> all = {
      {Team::cub, "CUB", "cub_radix_sort", "all_bits"},
      {Team::cub, "CUB fitted", "cub_radix_sort", "fitted_bits"},
      {Team::seed, "H-P", "seed_hp_sort", ""},
      {Team::seed, "1-H-P", "seed_one_hp_sort", "", true},
      {Team::seed, "0-compressed", "seed_zero_compressed_hp_sort", "host_len"},
      {Team::seed, "0-compressed", "seed_zero_compressed_hp_sort", "bound_len"},
      {Team::ours, "H-P", "hp_sort", "global"},
      {Team::ours, "H-P", "hp_sort", "shared"},
      {Team::ours, "1-H-P", "one_hp_sort", "global", true},
      {Team::ours, "1-H-P", "one_hp_sort", "shared", true},
      {Team::ours, "0-compressed", "zero_compressed_hp_sort", "global"},
      {Team::ours, "0-compressed", "zero_compressed_hp_sort", "shared"},
      {Team::ours, "run-head", "run_head_hp_sort", "global"},
      {Team::ours, "run-head", "run_head_hp_sort", "shared"},
  };
  return all;
}

std::optional<RunConfig> run_of(const Contestant& contestant, const ExperimentCell& cell,
                                const Registry& registry, const ExperimentMachines& machines) {
  if (contestant.distinct_only && cell.input != "distinct") return std::nullopt;
  RunConfig config = cell.keys();
  config.algorithm = contestant.algorithm;
  config.variant = contestant.variant;
  if (contestant.team != Team::ours) return config;
  if (registry.find_or_null(contestant.algorithm) == nullptr) return std::nullopt;
  config.spec = contestant.variant == "shared" ? machines.shared : machines.global;
  try {
    return resolve(registry.find(contestant.algorithm), config);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::vector<RunConfig> experiment_runs(const std::vector<ExperimentCell>& cells,
                                       const Registry& registry,
                                       const ExperimentMachines& machines) {
  std::vector<ExperimentCell> by_size = cells;
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const ExperimentCell& a, const ExperimentCell& b) { return a.n < b.n; });
  std::vector<RunConfig> runs;
  std::set<std::string> seen;
  for (const ExperimentCell& cell : by_size) {
    for (const Contestant& contestant : contestants()) {
      const auto config = run_of(contestant, cell, registry, machines);
      if (config && seen.insert(config_to_json(*config)).second) runs.push_back(*config);
    }
  }
  return runs;
}

std::vector<RunConfig> cub_calibration_runs(bool quick) {
  std::vector<RunConfig> runs;
  for (int exponent = 16; exponent <= (quick ? 17 : 26); ++exponent) {
    for (const int bits : {8, 16, 24, 31}) {
      const std::int64_t range = (std::int64_t{1} << bits) - (bits == 31 ? 1 : 0);
      RunConfig config;
      config.algorithm = "cub_radix_sort";
      config.variant = bits == 31 ? "all_bits" : "fitted_bits";
      config.type = "i32";
      config.n = std::int64_t{1} << exponent;
      config.seed = experiment_seed + 1;
      config.parameters = {{"min", 0}, {"range", range}, {"values", range}};
      runs.push_back(config);
    }
  }
  return runs;
}

}  // namespace agpusim
