#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/measure_plan.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim {

/// A run of a plan that was tried.
struct TriedRun {
  RunConfig config;
  std::optional<Measurement> measured;  ///< none where it failed or was run for a profiler
  std::string stop;                     ///< why sampling stopped
  std::string failure;                  ///< empty: none
};

/// What became of a plan.
struct PlanResult {
  std::string device;
  std::filesystem::path file;  ///< with the records, or the plan of a profile
  std::vector<TriedRun> tried;
  std::int64_t skipped = 0;  ///< already done
  std::int64_t left = 0;     ///< when the time was up or Ctrl-C pressed
  std::int64_t failed = 0;
  std::int64_t refused = 0;  ///< combinations that an algorithm refuses
  std::optional<Error> first_failure;

  [[nodiscard]] std::int64_t done() const { return std::ssize(tried) - failed; }
};

/// Executes a plan in order until it is done, the time is up or Ctrl-C was pressed, with a line per
/// run on standard error. A run that fails is reported and the next one tried. `max_seconds`: start
/// no run after so much time; `skip` tells whether a run is already done. An IoError of `run` is
/// passed on: results that cannot be kept are not worth the time. Samples of a run for a profiler
/// are empty.
[[nodiscard]] PlanResult execute(const Plan& plan, std::optional<double> max_seconds,
                                 const std::function<bool(const RunConfig&)>& skip,
                                 const std::function<Samples(const RunConfig&)>& run);

/// Throws the first failure with the number of all of them, if there was one.
void rethrow_failure(const std::vector<PlanResult>& results);

}  // namespace agpusim
