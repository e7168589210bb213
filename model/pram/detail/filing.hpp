#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/model/pram/detail/books.hpp"
#include "agpusim/model/pram/step_log.hpp"

namespace agpusim::detail {

/// Turns the log of a chunk into books. One per host thread.
class Filing {
 public:
  explicit Filing(std::int32_t reads_allowed);

  /// Gives a chunk its room for logging.
  void open(PramChunk& chunk, LogArena& arena);
  /// Files what the chunk logged since open(). The log of reads is used up.
  void close(PramChunk& chunk, int partition_bits, LogArena& arena, ChunkBooks& books);

 private:
  struct Log;

  void file(Log log, std::int64_t first_processor, LogArena& arena, Accesses& accesses);
  void file_runs(Log& log, std::int64_t first_processor, LogArena& arena, Accesses& accesses);
  void file_places(const Log& log, LogArena& arena, Places& places);

  int partition_bits_ = 0;  // of the chunk in hand
  std::unique_ptr<std::uint64_t[]> reads_;
  std::unique_ptr<std::uint64_t[]> writes_;
  std::unique_ptr<std::int64_t[]> sorted_;
  std::vector<std::uint32_t> next_;
  std::vector<Run> runs_;
};

}  // namespace agpusim::detail
