#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agpusim/validation/rows/row.hpp"

namespace agpusim {

/// What was counted of a run, beside what its row states of it. Of several formulas of one count
/// the first, or one that differs.
[[nodiscard]] std::vector<Quantity> quantities_of(const Algorithm& algorithm,
                                                  const RunConfig& config, const RunReport& report,
                                                  const LowerBound& lower);

/// What is wrong with a row: counts that a simulation refutes, formulas that differ, lower bounds
/// that are undercut; a sentence each. Estimates refute nothing.
[[nodiscard]] std::vector<std::string> faults_of(const Row& row);

/// The faults of many rows.
class Faults {
 public:
  void add(const Row& row);
  /// Throws Mismatch that names every program and size with a fault.
  void require_none() const;

 private:
  struct Wrong {
    std::string first;
    std::set<std::int64_t> sizes;
  };
  std::map<std::string, Wrong> programs_;
  std::string remedy_;
};

}  // namespace agpusim
