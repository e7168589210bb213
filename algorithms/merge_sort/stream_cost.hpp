#pragma once

#include <cstdint>
#include <span>

#include "agpusim/model/cost/bill.hpp"

namespace agpusim::multiway_merge_sort {

/// Keys begin..end-1 of a run that begins at a block.
struct Piece {
  std::int64_t run = 0;  ///< place of the run's first key in the array
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// What PieceReader and BlockWriter are charged: a heap's global memory.
class StreamCost {
 public:
  /// `words` per key.
  StreamCost(const AgpuSpec& spec, std::int64_t rows, std::int64_t words)
      : spec_(spec), words_(words), rows_(rows), buffer_(rows * spec.width) {}

  /// PieceReader::keys_in_front; returns the keys.
  [[nodiscard]] std::int64_t keys_in_front(Bill& bill, std::span<const Piece> pieces) const;
  /// PieceReader::take, `times` times, but for the global memory.
  void take(Bill& bill, std::int64_t times) const;
  /// The global memory of all calls of PieceReader::take for a piece.
  void read(Bill& bill, const Piece& piece) const;
  /// BlockWriter, for the keys begin..end-1 of those that a heap puts out, the first of which
  /// belongs to place `first`.
  void write(Bill& bill, std::int64_t first, std::int64_t begin, std::int64_t end) const;

 private:
  void whole_rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first,
                  std::int64_t rows) const;
  void part_of_row(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first, std::int64_t from,
                   std::int64_t to) const;

  AgpuSpec spec_;
  std::int64_t words_;
  std::int64_t rows_;
  std::int64_t buffer_;  // B, keys
};

}  // namespace agpusim::multiway_merge_sort
