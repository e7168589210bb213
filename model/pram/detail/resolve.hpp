#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agpusim/model/pram/detail/access_log.hpp"
#include "agpusim/model/pram/detail/memory.hpp"
#include "agpusim/model/pram/spec.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim::detail {

/// A step whose processors have run, and whose accesses are to be resolved.
struct StepAccesses {
  PramSpec spec;
  std::int64_t number = 0;     ///< number of the step, from 1
  std::string title;           ///< the step as messages call it
  int partition_bits = 0;      ///< accesses are resolved for 2^bits consecutive cells at a time
  bool replaces = false;       ///< some processor called write()
  bool accumulates = false;    ///< some processor called accumulate()
  bool has_undefined = false;  ///< some cell of the memory was never written
  std::span<const ChunkAccesses> chunks;
  PramChunk common;                            ///< what every chunk of the step starts from
  const std::function<void(PramChunk&)>& run;  ///< runs the processors of a chunk
  SourceLine where;                            ///< place of the step in the program
};

/// Per-cell counters of one host thread; all zero between two partitions.
struct CellCounters {
  /// Makes room for a partition of `cells` cells.
  void reserve(std::size_t cells) {
    if (count.size() >= cells) return;
    count.resize(cells);
    extra.resize(cells);
  }
  std::vector<std::uint32_t> count;
  std::vector<std::uint64_t> extra;
};

/// What the accesses to a partition came to.
struct Resolved {
  static constexpr std::int64_t none = -1;
  std::int64_t contention = 0;   ///< most accesses to one cell
  std::int64_t bad_cell = none;  ///< the smallest cell where the machine's rule was broken
};

/// Counts the readers of every cell of a partition. `chunks` are those of the step that may have
/// accessed it.
[[nodiscard]] Resolved resolve_reads(const StepAccesses& step,
                                     std::span<const ChunkAccesses> chunks, std::int64_t partition,
                                     CellCounters& counters);
/// Counts the writers of every cell of a partition, and gives the cells what the rule says.
[[nodiscard]] Resolved resolve_writes(const StepAccesses& step,
                                      std::span<const ChunkAccesses> chunks, std::int64_t partition,
                                      PramMemory& memory, CellCounters& counters);

/// Throw the RuleViolation about the readers, or the writers, of `cell`.
[[noreturn]] void fail_readers(const StepAccesses& step, const PramMemory& memory,
                               std::int64_t cell);
[[noreturn]] void fail_writers(const StepAccesses& step, const PramMemory& memory,
                               std::int64_t cell);

}  // namespace agpusim::detail
