#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "agpusim/cli/measure_plan.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

/// Executes a plan in order until it is done, the time is up or Ctrl-C was pressed, with a line per
/// run on standard error. A run that fails is reported and the next one tried.
class PlanRunner {
 public:
  /// `plan` must outlive the runner. `max_seconds`: start no run after so much time.
  PlanRunner(const Plan& plan, std::optional<double> max_seconds)
      : plan_(plan), max_seconds_(max_seconds) {}

  /// `skip` tells whether a run is already done; `run` returns what to say about a completed one.
  /// An IoError of `run` is passed on: results that cannot be kept are not worth the time.
  void execute(const std::function<bool(const RunConfig&)>& skip,
               const std::function<std::string(const RunConfig&)>& run);

  /// One line: how many runs were done, skipped, left over and failed.
  [[nodiscard]] std::string summary() const;

  /// Throws the first failure with the number of all of them, if there was one.
  void rethrow_failure() const;

 private:
  void attempt(const RunConfig& config, const std::string& label,
               const std::function<std::string(const RunConfig&)>& run);
  [[nodiscard]] bool out_of_time() const;

  const Plan& plan_;
  std::optional<double> max_seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t done_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t left_ = 0;
  std::int64_t failed_ = 0;
  std::optional<Error> failure_;
};

}  // namespace agpusim
