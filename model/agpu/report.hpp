#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/agpu/counts.hpp"
#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// Accesses of compiled code to memory that AGPU does not have: in no T or Q, but a time predicts
/// with them.
struct UnpricedAccesses {
  /// Addresses of a warp's reads of constant memory beyond the first: each takes a turn.
  std::int64_t constant_turns = 0;
  std::int64_t local_requests = 0;  ///< reads and writes of local memory
  /// Lines of 128 bytes that these take: one has a word of each lane of a warp.
  std::int64_t local_lines = 0;

  friend bool operator==(const UnpricedAccesses&, const UnpricedAccesses&) = default;
  UnpricedAccesses& operator+=(const UnpricedAccesses& o) {
    constant_turns += o.constant_turns;
    local_requests += o.local_requests;
    local_lines += o.local_lines;
    return *this;
  }
  friend UnpricedAccesses operator*(const UnpricedAccesses& one, std::int64_t times) {
    return {one.constant_turns * times, one.local_requests * times, one.local_lines * times};
  }
};

/// The cost of one phase: one launch, from one wait of the host to the next (R4).
struct PhaseReport {
  std::string kernel;
  std::int64_t tasks = 0;
  std::int32_t width = 0;          ///< lanes of one task; 0: the V of the machine
  std::int64_t registers = 0;      ///< compiled registers of a lane; 0: lane values say how many
  std::int64_t shared_words = 0;   ///< words of shared memory of one task, the maximum over tasks
  Counts counts;                   ///< summed over all tasks
  std::int64_t instructions = 0;   ///< warp instructions executed in all; 0: not known
  std::int64_t time = 0;           ///< T_φ, the slowest multiprocessor (R9)
  std::int64_t max_task_time = 0;  ///< the longest single task
  std::int64_t io_max = 0;         ///< largest I/O of one multiprocessor (the PEM measure)
  std::int64_t contention = 0;     ///< K_φ, most atomic operations on one word (extension X1)
  std::int64_t atomic_blocks = 0;  ///< distinct blocks that atomic operations touched
  UnpricedAccesses unpriced;       ///< accesses of compiled code without a price
  PhaseExecution execution;        ///< where SimulationOptions::execution asks for it

  friend bool operator==(const PhaseReport&, const PhaseReport&) = default;
};

/// What one source line of one kernel was charged, summed over all tasks.
struct LineCost {
  std::string kernel;
  std::string file;  ///< as the compiler names it
  std::uint32_t line = 0;
  Counts counts;
};

/// The cost of a program. One result, many writers: text, JSON, CSV and HTML read this struct.
struct RunReport {
  AgpuSpec spec;
  std::vector<PhaseReport> phases;
  std::int64_t time_total_max = 0;     ///< T_tot = max over multiprocessors of the sum over phases
  std::int64_t global_words_peak = 0;  ///< words of global memory alive at once, the maximum
  std::int64_t host_words_in = 0;      ///< words copied to the device; free on AGPU (A10)
  std::int64_t host_words_out = 0;     ///< words copied back
  /// By descending time, where SimulationOptions::by_line asks for them. Their counts add up to
  /// total().
  std::vector<LineCost> lines = {};

  /// T = sum over phases of the slowest multiprocessor (theory A1).
  [[nodiscard]] std::int64_t time() const;
  [[nodiscard]] Counts total() const;
  [[nodiscard]] std::int64_t io_max() const;
  [[nodiscard]] std::int64_t contention() const;
  /// Global memory in bits.
  [[nodiscard]] std::int64_t global_bits() const { return global_words_peak * spec.word_bits; }
  /// Shared memory of one multiprocessor in bits, the maximum.
  [[nodiscard]] std::int64_t shared_bits() const;
};

/// Throws Error(internal) when a report breaks an invariant of theory 1.5: a defect of the
/// simulator.
void check_invariants(const RunReport& report);

}  // namespace agpusim
