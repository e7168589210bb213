#pragma once

#include <string>
#include <vector>

#include "agpusim/model/agpu/report.hpp"

namespace agpusim {

/// How the counts of two runs differ, a sentence for each field of a phase.
struct CountDifferences {
  std::vector<std::string> wrong;
  /// Misses of caches and what depends on them, which predictions alone take. Derived counts have
  /// them to within a few reads or a tenth where blocks are whole lines of 128 bytes.
  std::vector<std::string> near;

  /// The first of the wrong ones and how many there are; empty where there are none.
  [[nodiscard]] std::string fault() const;
  /// What a reader is told where near ones are all that differs; else empty.
  [[nodiscard]] std::string remark() const;
};

/// What mends a kernel whose derived counts are wrong.
inline constexpr const char* remedy_of_derived =
    "where a kernel's cost depends on data, it is not `oblivious`, and where its tasks differ, it "
    "needs a task_class() (docs/developer/add_an_algorithm.md)";

/// Compares every number of every phase, and T_tot; what a prediction counts where both have it.
/// `what` names the second, for example "derived".
[[nodiscard]] CountDifferences compare_reports(const RunReport& simulated, const RunReport& other,
                                               const std::string& what);

}  // namespace agpusim
