#include "agpusim/model/agpu/atomic_tally.hpp"

#include <algorithm>
#include <atomic>

namespace agpusim {
namespace {

constexpr auto order = std::memory_order_relaxed;

}  // namespace

AtomicTally::AtomicTally(std::int64_t elements, std::int32_t element_words,
                         std::int32_t block_words, bool concurrent)
    : element_words_(element_words),
      block_(block_words),
      concurrent_(concurrent),
      operations_memory_(elements * std::int64_t{sizeof(std::uint64_t)}),
      touched_memory_((block_.quotient(elements * element_words) + 1) *
                      std::int64_t{sizeof(std::uint32_t)}),
      operations_(operations_memory_.as<std::uint64_t>()),
      touched_(touched_memory_.as<std::uint32_t>()) {}

/// Adds `times` operations of the phase whose record without operations is `fresh`.
inline std::uint64_t AtomicTally::add(std::int64_t element, std::uint64_t fresh,
                                      std::uint64_t times) {
  std::uint64_t& record = operations_[element];
  if (!concurrent_) return record = std::max(record, fresh) + times;
  const std::atomic_ref cell(record);
  std::uint64_t seen = cell.load(order);
  if (seen >= fresh) return cell.fetch_add(times, order) + times;
  while (!cell.compare_exchange_weak(seen, std::max(seen, fresh) + times, order)) {
  }
  return std::max(seen, fresh) + times;
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
  const std::uint64_t fresh = std::uint64_t{phase} << 32;
  std::uint64_t most = 0;
  for (std::int32_t i = 0; i < count;) {
    const std::int32_t same = index[i];
    std::uint64_t times = 0;
    for (; i < count && index[i] == same; ++i) ++times;
    const std::int64_t element = origin + same;
    touch_blocks(phase, element, meetings);
    most = std::max(most, add(element, fresh, times) - fresh);
  }
  meetings.contention = std::max(meetings.contention, static_cast<std::int64_t>(most));
}

}  // namespace agpusim
