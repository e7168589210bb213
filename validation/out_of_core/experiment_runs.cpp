#include "agpusim/validation/out_of_core/experiment_runs.hpp"

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
};

const std::vector<Series>& all_series() {
  constexpr std::int64_t e8 = 100'000'000;
  constexpr std::int64_t e9 = 1'000'000'000;
  static const std::vector<Series> series = {
      {"transform_const", {"one_pass"}, {e8, e9, 4 * e9}, e9},
      {"transform_trig", {"one_pass"}, {e8, e9, 4 * e9}, e8},
      {"reduce", {"one_pass", "seed"}, {e8, e9, 4 * e9}, e9},
      {"scan", {"one_pass", "seed"}, {e8, e9, 4 * e9}, e9},
      {"scatter", {"resident", "compact", "partitioned", "seed"}, {e8, e9}, e8},
      {"sort", {"exact_splitters"}, {e8, e9, 2 * e9}, e8}};
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
          runs.push_back({series.task, scheme, n, budget, 0, 0});
        }
      }
      if (n <= series.host_one_max) runs.push_back({series.task, "host_one", n, 0, 0, 0});
      runs.push_back({series.task, "host_all", n, 0, 0, 0});
    }
  }
  return runs;
}

}  // namespace agpusim::out_of_core
