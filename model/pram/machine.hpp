#pragma once

// The step engine. INTERFACE FIRST: see the public parts; the implementation follows.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/spec.hpp"
#include "agpusim/model/pram/trace.hpp"

namespace agpusim {

/// How to run; none of it changes a result or a count.
struct PramOptions {
  int threads = 0;            ///< host threads; 0 = all cores
  bool record_trace = false;  ///< keep every access (small inputs)
  /// Refuse, before allocating, what would need more host memory than this; 0 = what the host has.
  std::int64_t memory_limit_bytes = 0;
};

/// An array of cells in the memory of a Pram; a handle, cheap to copy.
class PramArray {
 public:
  [[nodiscard]] std::int64_t size() const;
};

/// One processor in one step. Reads see the memory before the step; writes take effect at its end.
class PramProcessor {
 public:
  /// The number of the processor, 0..processors-1.
  [[nodiscard]] std::int64_t id() const;
  /// Throws RuleViolation: out of bounds, a cell nobody wrote, more reads than the machine allows.
  [[nodiscard]] std::int64_t read(const PramArray& array, std::int64_t index);
  /// Writes `value`; what the cell receives from several writers is the machine's rule. At most one
  /// write per processor and step.
  void write(const PramArray& array, std::int64_t index, std::int64_t value);
  /// Sum-CRCW only: the cell receives its old content plus the sum of the values.
  void accumulate(const PramArray& array, std::int64_t index, std::int64_t value);
};

/// The machine: memory, synchronous steps, and the bill.
class Pram {
 public:
  explicit Pram(const PramSpec& spec, PramOptions options = {});

  /// Cells that nobody has written. Throws UsageError, before allocating, when there is no room.
  [[nodiscard]] PramArray array(std::int64_t size, std::string name);
  /// Input: cells with the given content. Throws RuleViolation for a value of more than w bits.
  [[nodiscard]] PramArray array(std::span<const std::int64_t> values, std::string name);
  /// The content. Throws RuleViolation that names the first cell nobody wrote.
  [[nodiscard]] std::vector<std::int64_t> values(const PramArray& array) const;
  /// The same, with `otherwise` in cells nobody wrote.
  [[nodiscard]] std::vector<std::int64_t> values_or(const PramArray& array,
                                                    std::int64_t otherwise) const;

  /// One step of processors 0..processors-1: `body(PramProcessor&)` for each, all reads before all
  /// writes. No processor, no step. Registers are plain variables of the caller, indexed by id().
  template <class Body>
  void step(std::string_view name, std::int64_t processors, Body body);

  [[nodiscard]] const PramReport& report() const;
  /// What was recorded (PramOptions::record_trace).
  [[nodiscard]] const PramTrace& trace() const;
};

}  // namespace agpusim
