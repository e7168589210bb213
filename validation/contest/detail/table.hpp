#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/validation/contest/comparison.hpp"
#include "agpusim/validation/contest/detail/kinds.hpp"
#include "agpusim/validation/contest/detail/measured_times.hpp"

namespace agpusim::contest::detail {

/// Counts, predicts and looks up every contestant at every n, machine by machine. The registry and
/// the options must outlive it.
class Table {
 public:
  Table(const Registry& registry, const Options& options);

  /// Whether the contestant is in the algorithm table.
  [[nodiscard]] bool has_row(std::size_t contestant) const { return rows_[contestant] != nullptr; }
  /// What the contestants are run on.
  [[nodiscard]] const Kinds& kinds() const { return kinds_; }
  /// The rows of one machine, n ascending.
  [[nodiscard]] std::vector<Row> rows(const ComparedMachine& machine);
  /// For each contestant that has no time in the result: which times there are of it.
  [[nodiscard]] std::vector<std::string> untimed(const MachineResult& result) const;

 private:
  [[nodiscard]] Entry blank(std::size_t contestant, const ComparedMachine& machine,
                            std::int64_t n) const;
  void add_run(Entry& entry, const Algorithm& algorithm, const ComparedMachine& machine);
  void add_programs(Row& row, const ComparedMachine& machine) const;
  void report(const std::string& label, std::int64_t n) const;

  const Options& options_;
  std::vector<const Algorithm*> rows_;  ///< by contestant; null: measured only
  MeasuredTimes measured_;
  Kinds kinds_;
  std::int64_t done_ = 0;
};

}  // namespace agpusim::contest::detail
