#pragma once

#include <cstdint>
#include <span>

#include "agpusim/algorithms/common/network/network_cost.hpp"
#include "agpusim/algorithms/merge_sort/stream_cost.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim::multiway_merge_sort {

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

  AgpuSpec spec_;
  std::int64_t words_;
  std::int32_t levels_;
  std::int64_t buffer_;  // B, keys
  NetworkCost network_;
  StreamCost stream_;
  Counts merge_;  // of a node's buffer and the keys of its child
  Counts keep_;   // of the first keys of a node
};

/// What DoubleHeap is charged: N'/B·L + 4d - 4 - 2L merges for d = 2^L runs (theory 3.12).
class DoubleHeapCost {
 public:
  /// `words` per key.
  DoubleHeapCost(const AgpuSpec& spec, std::int32_t rows, std::int64_t words, std::int32_t levels);

  /// Words of shared memory.
  [[nodiscard]] std::int64_t shared_words() const;
  /// A heap's constructor.
  void construct(Bill& bill) const;
  /// The merge of the runs, all 2^levels of them, into output[first..).
  void merge(Bill& bill, std::span<const Piece> runs, std::int64_t first) const;

 private:
  AgpuSpec spec_;
  std::int64_t words_;
  std::int32_t levels_;
  std::int64_t buffer_;  // B, keys
  NetworkCost network_;
  StreamCost stream_;
  Counts heapify_;  // one node's part of it, but for the child's keys
  Counts half_;     // the smaller half of a node's buffer
};

}  // namespace agpusim::multiway_merge_sort
