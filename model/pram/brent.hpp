#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/pram/trace.hpp"

namespace agpusim {

/// How the writes of one virtual step of w_t processors are carried out on P < w_t of them, group
/// after group of P. What one processor does depends on its own number and on what it reads, never
/// on who else writes its cell, which a real machine could not tell it either; which rows a step
/// needs depends on the step (whether writers of one cell meet in several groups). The factor is
/// that of ⌈w_t/P⌉.
enum class BrentWrites {
  whole,       ///< the step has at most P processors: itself, 1 step
  direct,      ///< no two groups write one cell, or they write the same value (common): factor 1
  descending,  ///< priority: from the last group to the first, the smallest number last: factor 1
  /// Arbitrary: the writers that lost in the recorded run stay silent: factor 1. Any winner is
  /// correct on this machine, so a program may let the last group win; a replay must end with the
  /// recorded winner, because the values that later steps read come from it.
  winner,
  accumulate,  ///< sum: every writer accumulates already, each group adds its part: factor 1
  /// Sum: a first pass in which every writer writes 0 to its cell, a second in which it
  /// accumulates: factor 2.
  clear_accumulate,
  /// Max, min, or: a first pass writes the neutral value, in a second every writer combines its
  /// value with the partial result that it reads: factor 2. (A common value may be combined in any
  /// number of times.)
  clear_fold,
  /// Xor, and sum without accumulate: as clear_fold, but only one writer per cell and group may
  /// combine in the partial result. The writers elect it in L = ⌈log_w P⌉ further steps: each sets
  /// the bit of its number in a mask of the cell (distinct bits: their sum and their xor is their
  /// union) and reads it back; the lowest bit goes on, w masks to one. Factor 2+L, so 3 up to P =
  /// w, which is what the emulation of theory 2.3 by quotients costs; this one needs no wider word
  /// and leaves every cell in its plain form.
  clear_elect_fold,
};

/// What the machine offers for plain concurrent sums.
enum class SumSplit {
  accumulate,  ///< PramProcessor::accumulate
  replace,     ///< plain writes only, the Sum-CRCW PRAM of the literature
};

/// One virtual step on P processors.
struct BrentStep {
  std::string name;
  std::int64_t processors = 0;  ///< w_t, idle ones included
  std::int64_t groups = 0;      ///< ⌈w_t/P⌉, Brent's number of steps
  BrentWrites writes = BrentWrites::whole;
  /// All groups read into registers, in a pass of its own, before the first one writes: a later
  /// group reads a cell that an earlier one writes. One more in the factor, ⌈w_t/P⌉ values in the
  /// registers of each processor.
  bool buffered = false;
  std::int64_t steps = 0;  ///< factor x groups
};

/// A recorded run on P processors.
struct BrentSchedule {
  std::int64_t processors = 0;  ///< P
  std::vector<BrentStep> steps;
  std::int64_t auxiliary_cells = 0;  ///< masks of clear_elect_fold
  std::vector<std::int64_t> memory;  ///< every cell at the end
  std::vector<bool> written;         ///< whether it is defined
  /// Cells that differ at the end when the groups simply run one after the other (theory 2.5).
  std::int64_t naive_wrong_cells = 0;
  /// Reads that would see another value then.
  std::int64_t naive_wrong_reads = 0;

  /// Steps of this schedule.
  [[nodiscard]] std::int64_t time() const;
  /// Brent's bound: the sum over steps of ⌈w_t/P⌉.
  [[nodiscard]] std::int64_t bound() const;
};

/// Executes a recorded run on `processors` processors of the same access rule, literally: every
/// step is a legal synchronous step of at most that many processors, none of which reads more cells
/// than PramSpec::reads_per_step or writes more than one. Every recorded read is repeated and must
/// return the recorded value; the memory at the end must be that of the recorded run. A machine
/// that counts writers (SumReading::count) is scheduled on one that sums, where each of them writes
/// 1: it could not clear a cell.
/// Throws UsageError for processors < 1, RuleViolation when a partial sum does not fit w bits
/// (remedy: a larger w), Error(internal) when a value differs.
[[nodiscard]] BrentSchedule schedule_on(const PramTrace& trace, std::int64_t processors,
                                        SumSplit split = SumSplit::accumulate);

[[nodiscard]] const char* to_string(BrentWrites writes);

}  // namespace agpusim
