#include "agpusim/validation/experiments/out_of_core/experiment_runs.hpp"

#include <string>
#include <utility>

namespace agpusim::out_of_core {
namespace {

/// A task of the experiment: its sizes, and up to which one core of the host takes part.
struct Series {
  std::string task;
  std::vector<std::string> schemes;
  std::vector<std::int64_t> sizes;
  std::int64_t host_one_max = 0;
  std::int64_t pageable = 0;   ///< size for which the first scheme runs on pageable memory, too
  std::int64_t seed_only = 0;  ///< size for which the seed's scheme runs, at the two small budgets
};

const std::vector<Series>& all_series() {
  constexpr std::int64_t e8 = 100'000'000;
  constexpr std::int64_t e9 = 1'000'000'000;
  static const std::vector<Series> series = {
      {"transform_const", {"one_pass"}, {e8, e9, 4 * e9}, e9, e9},
      {"transform_trig", {"one_pass"}, {e8, e9, 4 * e9}, e8},
      {"reduce", {"one_pass", "seed"}, {e8, e9, 4 * e9}, e9, e9},
      {"scan", {"one_pass", "seed"}, {e8, e9, 4 * e9}, e9, e9},
      {"scatter", {"resident", "compact", "partitioned", "seed"}, {e8, e9}, e8},
      {"sort", {"exact_splitters"}, {e8, e9, 2 * e9}, e8, e8, e9}};
  return series;
}

}  // namespace

std::vector<Run> experiment_runs(std::int64_t n_max) {
  std::vector<Run> runs;
  for (const Series& series : all_series()) {
    for (const std::int64_t n : series.sizes) {
      if (n > n_max) continue;
      for (const std::string& scheme : series.schemes) {
        for (const std::int64_t budget : {seed_budget, small_budget, card_budget}) {
          const bool keeps_output = scheme == "resident" || scheme == "compact";
          const std::int64_t output = n * std::int64_t{sizeof(double)};
          // What keeps its output on the device needs room for buffers as well.
          if (keeps_output && output + output / 8 > budget) continue;
          runs.push_back({series.task, scheme, n, budget});
        }
      }
      if (n == series.seed_only) {
        for (const std::int64_t budget : {seed_budget, small_budget}) {
          runs.push_back({series.task, "seed", n, budget});
        }
      }
      if (n == series.pageable) {
        runs.push_back({series.task, series.schemes.front(), n, seed_budget, 0, 0,
                        transfer::HostMemory::pageable});
      }
      if (n <= series.host_one_max) runs.push_back({series.task, "host_one", n});
      runs.push_back({series.task, "host_all", n});
    }
  }
  return runs;
}

}  // namespace agpusim::out_of_core
