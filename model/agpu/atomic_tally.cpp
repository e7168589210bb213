#include "agpusim/model/agpu/atomic_tally.hpp"

#include <algorithm>
#include <atomic>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr auto order = std::memory_order_relaxed;
constexpr std::uint32_t too_many = std::uint32_t{1} << 31;  // operations

}  // namespace

AtomicTally::AtomicTally(std::int64_t elements, std::int32_t element_words,
                         std::int32_t block_words, bool concurrent)
    : element_words_(element_words),
      block_(block_words),
      concurrent_(concurrent),
      elements_(elements),
      operations_memory_(elements * std::int64_t{sizeof(std::uint32_t)}),
      touched_memory_((block_.quotient(elements * element_words) + 1) *
                      std::int64_t{sizeof(std::uint32_t)}),
      operations_(operations_memory_.as<std::uint32_t>()),
      touched_(touched_memory_.as<std::uint32_t>()) {}

void AtomicTally::begin_phase() {
  before_ += most_;
  most_ = 0;
  if (before_ < too_many) return;
  std::fill_n(operations_, elements_, 0U);
  before_ = 0;
}

/// Adds `times` operations; the new record.
inline std::uint32_t AtomicTally::add(std::int64_t element, std::uint32_t times) {
  std::uint32_t& record = operations_[element];
  if (!concurrent_) return record = std::max(record, before_) + times;
  const std::atomic_ref cell(record);
  std::uint32_t seen = cell.load(order);
  if (seen >= before_) return cell.fetch_add(times, order) + times;
  while (!cell.compare_exchange_weak(seen, std::max(seen, before_) + times, order)) {
  }
  return std::max(seen, before_) + times;
}

void AtomicTally::note_most(std::uint32_t most) {
  if (most >= too_many) {
    throw UsageError("2^31 atomic operations or more on one element cannot be counted");
  }
  const std::atomic_ref cell(most_);
  std::uint32_t seen = cell.load(order);
  while (seen < most && !cell.compare_exchange_weak(seen, most, order)) {
  }
}

inline void AtomicTally::touch_blocks(std::uint32_t phase, std::int64_t element,
                                      AtomicMeetings& meetings) {
  const std::int64_t first = element * element_words_;
  const std::int64_t last = block_.quotient(first + element_words_ - 1);
  for (std::int64_t block = block_.quotient(first); block <= last; ++block) {
    std::uint32_t& stamp = touched_[block];
    if (!concurrent_) {
      meetings.blocks += stamp != phase ? 1 : 0;
      stamp = phase;
    } else if (const std::atomic_ref cell(stamp);
               cell.load(order) != phase && cell.exchange(phase, order) != phase) {
      ++meetings.blocks;
    }
  }
}

void AtomicTally::count(std::uint32_t phase, std::int64_t origin, const std::int32_t* index,
                        std::int32_t count, AtomicMeetings& meetings) {
  std::uint32_t most = 0;
  const std::int32_t shift = block_.shift_of_elements(element_words_);
  const bool is_run = count > 1 && index[0] == index[1];
  std::int32_t i = 0;
  for (; !concurrent_ && shift >= 0 && !is_run && i < count; ++i) {
    const std::int64_t element = origin + index[i];
    std::uint32_t& operations = operations_[element];
    operations = std::max(operations, before_) + 1;
    most = std::max(most, operations - before_);
    std::uint32_t& stamp = touched_[element >> shift];
    meetings.blocks += stamp != phase ? 1 : 0;
    stamp = phase;
  }
  while (i < count) {
    const std::int32_t same = index[i];
    std::uint32_t times = 0;
    for (; i < count && index[i] == same; ++i) ++times;
    const std::int64_t element = origin + same;
    touch_blocks(phase, element, meetings);
    most = std::max(most, add(element, times) - before_);
  }
  meetings.contention = std::max<std::int64_t>(meetings.contention, most);
  if (most > std::atomic_ref(most_).load(order)) note_most(most);
}

}  // namespace agpusim
