#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/model/host_memory.hpp"

namespace agpusim {

/// Counts the atomic operations of each phase on every element of one array, those of one host
/// thread or of several (`concurrent`).
class alignas(host_lines) AtomicTally {
 public:
  AtomicTally(std::int64_t elements, ElementSize size, std::int32_t block_words, bool concurrent);

  /// Forgets the operations of earlier phases.
  void begin_phase();
  /// Counts the operations of one request on the elements origin + index[i]. Throws UsageError for
  /// 2^31 operations on one element.
  void count(std::int64_t origin, const std::int32_t* index, std::int32_t count);
  [[nodiscard]] bool is_used() const { return most_ > 0; }

  /// Most operations of this phase on one of the elements begin .. end - 1, by the tallies of one
  /// array, which are used. Here and below the bounds are multiples of 16 or the last.
  [[nodiscard]] static std::int64_t contention(std::span<const AtomicTally* const> tallies,
                                               std::int64_t begin, std::int64_t end);
  /// Blocks of begin .. end - 1 with an element that operations of this phase touched, by the same.
  [[nodiscard]] static std::int64_t blocks(std::span<const AtomicTally* const> tallies,
                                           std::int64_t begin, std::int64_t end);
  [[nodiscard]] std::int64_t all_blocks() const {
    return block_.quotient(size_.words_of(elements_)) + 1;
  }

  /// The records of an element that count() will need.
  [[nodiscard]] std::array<const void*, 2> records_of(std::int64_t element) const {
    return {operations_ + element, touched_ + block_.quotient(size_.first_word(element))};
  }

 private:
  ElementSize size_;
  WordDivider block_;
  bool concurrent_;
  std::int64_t elements_;
  ZeroedMemory operations_memory_;
  ZeroedMemory touched_memory_;
  std::uint32_t before_ = 0;  // what no record of an earlier phase exceeds
  std::uint32_t most_ = 0;    // operations on one element in this phase
  std::uint32_t phase_ = 1;
  // Per element: before_ and the operations of this phase, if there were any.
  std::uint32_t* operations_;
  // Per block: the last phase_ that touched it.
  std::uint32_t* touched_;
};

}  // namespace agpusim
