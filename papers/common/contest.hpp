#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agpusim/papers/common/plan.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::contest {

/// What a plan is held against.
struct ContestOptions {
  std::vector<TimingRecord> records;
  DeviceFile device;
  SizeChoice sizes;
  FindMachine machine;
  int threads = 0;  ///< 0 = one per core
  /// Called now and then with the fraction of the work done.
  std::function<void(double fraction)> progress = {};
};

/// The runs of a plan as measured and predicted on one device.
struct Contest {
  Environment environment;
  std::string generated;  ///< ISO 8601, UTC
  Plan panels;            ///< panels whose reference this build has
  std::vector<Event> events;
  std::int64_t unmeasured = 0;   ///< runs of the plan without a record
  std::int64_t unpredicted = 0;  ///< runs of rows whose counts nobody knows
  std::int64_t foreign = 0;      ///< records of no run of the plan
};

/// One of the runs of an event.
struct Line {
  const Event* event;
  const PlannedRun* run;
};

/// The runs of the events of one panel, or of all.
[[nodiscard]] std::vector<Line> lines_of(std::span<const Event> events);

/// The events of each panel that has any, in order.
[[nodiscard]] std::vector<std::span<const Event>> by_panel(const std::vector<Event>& events);

/// Joins plan, records and predictions. Of several records of one run the one with the latest date
/// counts. Throws UsageError when there is no record or the records are of several devices;
/// Mismatch that names input and contestants when two results that one row says to be right differ.
[[nodiscard]] Contest hold(const Plan& plan, const Registry& registry,
                           const ContestOptions& options);

}  // namespace agpusim::contest
