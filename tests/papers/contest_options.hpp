#pragma once

#include "agpusim/papers/common/contest.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"

// The small runs of a plan as if a device had been measured.
namespace agpusim::test {

inline AgpuSpec any_machine(const std::string&) { return {}; }

inline TimingRecord record_of(const RunConfig& config, double milliseconds) {
  TimingRecord record = fake_timing(1024, milliseconds);
  record.config = config;
  record.checksum = 7;
  const double us = milliseconds * 1e3;
  record.samples.microseconds = {0.9 * us, us, 1.1 * us};
  return record;
}

inline std::vector<contest::RunToMeasure> runs_with(const contest::Plan& plan,
                                                    const Registry& registry,
                                                    const contest::SizeChoice& choice) {
  return contest::runs_of(contest::events_of(plan, choice, registry, any_machine), registry);
}

/// Every run of the quick plan, each with its time.
inline contest::ContestOptions quick_options(
    const contest::Plan& plan, const Registry& registry,
    const std::function<double(const RunConfig&)>& milliseconds) {
  contest::ContestOptions options{
      .device = fake_device(), .sizes = {.quick = true}, .machine = any_machine};
  for (const contest::RunToMeasure& run : runs_with(plan, registry, options.sizes)) {
    options.records.push_back(record_of(run.config, milliseconds(run.config)));
  }
  return options;
}

}  // namespace agpusim::test
