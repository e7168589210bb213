#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/pram/spec.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// One access of one processor in a step. Cells are numbered through all arrays of the machine.
struct PramAccessRecord {
  std::int64_t processor = 0;
  std::int64_t cell = 0;
  std::int64_t value = 0;   ///< what was read, or what the processor wrote
  bool accumulate = false;  ///< a write by PramProcessor::accumulate
};

/// Everything that happened in one step, in the order of the processors and, for one processor, of
/// its accesses.
struct PramStepTrace {
  std::string name;
  std::int64_t processors = 0;
  std::vector<PramAccessRecord> reads;
  std::vector<PramAccessRecord> writes;
  std::vector<std::int64_t> computing;  ///< active processors without an access
  SourceLine where = {};                ///< the call of Pram::step
};

/// An array of the machine: cells first..first+size-1.
struct PramTraceArray {
  std::string name;
  std::int64_t first = 0;
  std::int64_t size = 0;
};

/// A recorded run. Schedules, work-span graphs and prices on AGPU are computed from it.
struct PramTrace {
  PramSpec spec;
  std::vector<PramTraceArray> arrays;
  /// The content of every cell before the first step, and whether it was defined.
  std::vector<std::int64_t> initial;
  std::vector<bool> initially_written;
  std::vector<PramStepTrace> steps;
  /// The step that broke a rule and ended the run: what its processors had done by then.
  std::optional<PramStepTrace> broken;
};

}  // namespace agpusim
