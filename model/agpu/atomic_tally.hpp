#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "agpusim/model/agpu/distinct_indices.hpp"
#include "agpusim/model/agpu/pricing.hpp"

namespace agpusim {

/// How often atomic operations met in the current phase (extension X1), as far as one host thread
/// saw.
struct AtomicMeetings {
  std::int64_t contention = 0;  ///< most operations on one element
  std::int64_t blocks = 0;      ///< blocks that this thread was the first to touch
};

/// Counts the atomic operations of each phase on every element of one array. Safe to call from
/// several host threads; the largest contention and the sum of the blocks over the threads do not
/// depend on their timing.
class AtomicTally {
 public:
  /// Of `elements` elements of `element_words` words; `concurrent` when several threads call.
  AtomicTally(std::int64_t elements, std::int32_t element_words, std::int32_t block_words,
              bool concurrent);

  /// Counts the operations of one request of `phase` (phases count from 1) on elements relative to
  /// `origin`.
  void count(std::uint32_t phase, std::int64_t origin, const DistinctIndices& elements,
             AtomicMeetings& meetings);
  /// Fetches the record of an element that count() will need.
  void prefetch(std::int64_t element) const {
    __builtin_prefetch(&operations_[static_cast<std::size_t>(element)], 1);
  }

 private:
  void touch_blocks(std::uint32_t phase, std::int64_t element, AtomicMeetings& meetings);

  std::int32_t element_words_;
  WordDivider block_;
  bool concurrent_;
  // Per element: phase in the high half, operations of that phase in the low half.
  std::unique_ptr<std::atomic<std::uint64_t>[]> operations_;
  // Per block: the last phase that touched it.
  std::unique_ptr<std::atomic<std::uint32_t>[]> touched_;
};

}  // namespace agpusim
