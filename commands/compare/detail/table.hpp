#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"
#include "agpusim/commands/compare/detail/kinds.hpp"
#include "agpusim/commands/compare/detail/measured_times.hpp"

namespace agpusim::contest::detail {

/// Counts, predicts and looks up every contestant at every n, machine by machine. The registry and
/// the options must outlive it.
class Table {
 public:
  Table(const Registry& registry, const Options& options);

  /// Whether the contestant is in the algorithm table.
  [[nodiscard]] bool has_row(std::size_t contestant) const {
    return registry_.find_or_null(kinds_.of[contestant].algorithm) != nullptr;
  }
  /// What the contestants are run on.
  [[nodiscard]] const Kinds& kinds() const { return kinds_; }
  /// The rows of one machine, n ascending.
  [[nodiscard]] std::vector<SizeRows> rows(const ComparedMachine& machine);
  /// For each contestant that has no time in the result: which times there are of it.
  [[nodiscard]] std::vector<std::string> untimed(const MachineResult& result) const;

 private:
  [[nodiscard]] std::vector<Row> evaluated(const std::vector<Run>& runs,
                                           const ComparedMachine& machine);
  [[nodiscard]] const RecordsByRun& records_of(const std::string& device);
  void add_programs(SizeRows& row, const ComparedMachine& machine) const;

  const Registry& registry_;
  const Options& options_;
  MeasuredTimes measured_;
  Kinds kinds_;
  std::map<std::string, RecordsByRun> records_;  ///< records of the contestants, by device
  std::size_t machines_done_ = 0;
};

}  // namespace agpusim::contest::detail
