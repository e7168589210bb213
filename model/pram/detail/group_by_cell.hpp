#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/model/pram/detail/access_log.hpp"
#include "agpusim/model/pram/step_log.hpp"

namespace agpusim::detail {

/// Turns the log of a chunk into accesses grouped by cell. One per host thread.
class CellGrouper {
 public:
  explicit CellGrouper(std::int32_t reads_allowed);

  /// Gives a chunk its room for logging.
  void begin(PramChunk& chunk, LogArena& arena);
  /// Groups what the chunk logged since begin(). The log of reads is used up.
  void end(PramChunk& chunk, int partition_bits, LogArena& arena, ChunkAccesses& accesses);

 private:
  struct Log;

  void group(Log log, std::int64_t first_processor, LogArena& arena, Accesses& accesses);
  void take_runs(Log& log, std::int64_t first_processor, LogArena& arena, Accesses& accesses);
  void sort_places(const Log& log, LogArena& arena, Places& places);

  int partition_bits_ = 0;  // bits of the chunk in hand
  std::unique_ptr<std::uint64_t[]> reads_;
  std::unique_ptr<std::uint64_t[]> writes_;
  std::unique_ptr<std::int64_t[]> sorted_;
  std::vector<std::uint32_t> next_;
  std::vector<Run> runs_;
};

}  // namespace agpusim::detail
