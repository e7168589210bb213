#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/validation/predict/parts.hpp"
#include "agpusim/validation/report/report.hpp"
#include "agpusim/validation/rows/row.hpp"

/// Why a run takes the time that is predicted for it.
namespace agpusim::why {

/// The phases of one kernel.
struct Kernel {
  std::string name;
  std::int64_t launches = 0;
  std::int64_t tasks = 0;  ///< tasks of its largest phase
  double resident = 0;     ///< tasks of it on a multiprocessor at once
  double ms = 0;           ///< without the launches
  std::string limit = {};
};

/// A source line behind a resource.
struct Line {
  std::string kernel;
  std::string place;      ///< file:line
  std::string text;       ///< what stands there
  double share = 0;       ///< share of the resource's counts
  double without_ms = 0;  ///< predicted time if the resource took less by that share
};

struct Explanation {
  Row row;
  std::vector<Resource> resources;  ///< the largest part first
  std::vector<Kernel> kernels;      ///< the longest first
  std::string of_lines = {};        ///< the resource behind which `lines` are; empty: none
  std::vector<Line> lines = {};     ///< the largest share first, at most five
};

/// Explains a row with counts on a device by a run of it whose report has lines, at any n. Throws
/// UsageError that says why where it is not predicted; what Row::require_counted throws.
[[nodiscard]] Explanation explain(Row row, const RunReport& by_line = {});

[[nodiscard]] report::Report to_report(const Explanation& explanation);

}  // namespace agpusim::why
