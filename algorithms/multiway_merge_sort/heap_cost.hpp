#pragma once

#include <cstdint>
#include <span>

#include "agpusim/algorithms/network/network_cost.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim::multiway_merge_sort {

/// Keys begin..end-1 of a run that begins at a block.
struct Piece {
  std::int64_t run = 0;  ///< place of the run's first key in the array
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// What HeapMerge is charged: with N' keys in whole blocks ceil(N'/B)·L + d - 1 - L merges of 2B
/// keys for d = 2^L pieces (theory 3.12), and one read of each block that a piece touches.
class HeapCost {
 public:
  /// `words` per key.
  HeapCost(const AgpuSpec& spec, std::int32_t rows, std::int64_t words, std::int32_t levels);

  /// Words of shared memory.
  [[nodiscard]] std::int64_t shared_words() const;
  /// A heap's constructor.
  void construct(Bill& bill) const;
  /// The merge of the pieces, all 2^levels of them, into output[first..).
  void merge(Bill& bill, std::span<const Piece> pieces, std::int64_t first) const;

 private:
  void take(Bill& bill, std::int64_t times, std::int64_t levels) const;
  void fetch(Bill& bill, const Piece& piece) const;
  void write(Bill& bill, std::int64_t first, std::int64_t begin, std::int64_t end,
             std::int64_t shift) const;
  void whole_rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first,
                  std::int64_t rows) const;
  void part_of_row(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first, std::int64_t from,
                   std::int64_t to) const;

  AgpuSpec spec_;
  std::int64_t rows_;
  std::int64_t words_;
  std::int32_t levels_;
  std::int64_t buffer_;  // B, keys
  NetworkCost network_;
  Counts merge_;  // of a node's buffer and the keys of its child
  Counts keep_;   // of the first keys of a node
};

}  // namespace agpusim::multiway_merge_sort
