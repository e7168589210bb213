#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/differences.hpp"
#include "agpusim/model/pram/machine.hpp"
#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/trace.hpp"

namespace agpusim {

/// What a run on a PRAM produced.
struct PramRunResult {
  PramReport report;
  std::vector<std::int64_t> output;
  bool correct = false;     ///< the output equals that of the sequential reference
  Differences differences;  ///< from it
  PramTrace trace;          ///< empty unless PramOptions::record_trace
};

/// The exact cost of a run (not a bound).
struct PramForm {
  std::int64_t steps = 0;
  std::int64_t processors = 0;  ///< processors of the widest step, idle ones included
  std::int64_t work = 0;        ///< active processors summed over the steps
  bool stated = true;           ///< by the algorithm; else counted in a run
};

[[nodiscard]] inline PramForm counted_form(const PramReport& report) {
  return {report.time(), report.processors(), report.work(), false};
}

}  // namespace agpusim
