#pragma once

#include <cstdint>

#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"

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

  /// Forgets the operations of earlier phases.
  void begin_phase();
  /// Counts the operations of one request of `phase` (phases count from 1) on the elements
  /// origin + index[i]. Throws UsageError for 2^31 operations on one element.
  void count(std::uint32_t phase, std::int64_t origin, const std::int32_t* index,
             std::int32_t count, AtomicMeetings& meetings);
  /// Fetches the records of an element that count() will need.
  void prefetch(std::int64_t element) const {
    __builtin_prefetch(operations_ + element, 0, 2);
    __builtin_prefetch(touched_ + block_.quotient(element * element_words_), 0, 2);
  }

 private:
  std::uint32_t add(std::int64_t element, std::uint32_t times);
  void note_most(std::uint32_t most);
  void touch_blocks(std::uint32_t phase, std::int64_t element, AtomicMeetings& meetings);

  std::int32_t element_words_;
  WordDivider block_;
  bool concurrent_;
  std::int64_t elements_;
  ZeroedMemory operations_memory_;
  ZeroedMemory touched_memory_;
  std::uint32_t before_ = 0;  // what no record of an earlier phase exceeds
  std::uint32_t most_ = 0;    // operations on one element in this phase
  // Per element: before_ and the operations of this phase, if there were any.
  std::uint32_t* operations_;
  // Per block: the last phase that touched it.
  std::uint32_t* touched_;
};

}  // namespace agpusim
