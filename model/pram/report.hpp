#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/pram/spec.hpp"

namespace agpusim {

/// The cost of one synchronous step (theory 2.1, P5).
struct PramStep {
  std::string name;
  std::int64_t processors = 0;       ///< processors that the step asks for: numbers 0..processors-1
  std::int64_t active = 0;           ///< processors among them that read, write or compute
  std::int64_t reads = 0;            ///< cells read, counted per processor
  std::int64_t writes = 0;           ///< processors that wrote
  std::int64_t read_contention = 0;  ///< most readers of one cell
  std::int64_t write_contention = 0;  ///< most writers of one cell

  friend bool operator==(const PramStep&, const PramStep&) = default;
};

/// The cost of a PRAM program. One result, many writers.
struct PramReport {
  PramSpec spec;
  std::vector<PramStep> steps;
  std::int64_t cells = 0;  ///< space: cells that are touched, the input and all that a step wrote

  /// Parallel time: steps.
  [[nodiscard]] std::int64_t time() const;
  /// Processors of the machine that the program needs: those of its widest step, idle or not.
  [[nodiscard]] std::int64_t processors() const;
  /// Work: active processors summed over the steps.
  [[nodiscard]] std::int64_t work() const;
  /// Processors x time: what the machine costs while it runs, idle processors included.
  [[nodiscard]] std::int64_t processor_time() const;
  /// Most readers or writers of one cell in one step.
  [[nodiscard]] std::int64_t contention() const;
  /// Time on a queue-read queue-write PRAM: the sum over steps of the largest contention, at least
  /// 1 each (Gibbons, Matias and Ramachandran).
  [[nodiscard]] std::int64_t qrqw_time() const;
  /// Brent's bound of the time on `processors` processors: the sum over steps of ⌈w_t/P⌉ for steps
  /// of w_t processors, idle ones included, because who idles may depend on what is read. What a
  /// legal schedule takes, which may be more, is in brent.hpp.
  [[nodiscard]] std::int64_t brent_time(std::int64_t processors) const;
};

}  // namespace agpusim
