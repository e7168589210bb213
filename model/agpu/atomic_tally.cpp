#include "agpusim/model/agpu/atomic_tally.hpp"

#include <algorithm>

namespace agpusim {

AtomicTally::AtomicTally(std::int64_t elements, std::int32_t element_words,
                         std::int32_t block_words, bool concurrent)
    : element_words_(element_words),
      block_(block_words),
      concurrent_(concurrent),
      operations_(
          std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(elements))),
      touched_(std::make_unique<std::atomic<std::uint32_t>[]>(
          static_cast<std::size_t>(block_.quotient(elements * element_words) + 1))) {}

void AtomicTally::count(std::uint32_t phase, std::int64_t origin, const DistinctIndices& elements,
                        AtomicMeetings& meetings) {
  constexpr auto order = std::memory_order_relaxed;
  const std::uint64_t fresh = std::uint64_t{phase} << 32;
  std::uint64_t most = 0;
  for (std::int32_t i = 0; i < elements.count(); ++i) {
    const std::int64_t element = origin + elements.index()[i];
    const auto times = static_cast<std::uint64_t>(elements.times()[i]);
    std::atomic<std::uint64_t>& cell = operations_[static_cast<std::size_t>(element)];
    std::uint64_t seen = cell.load(order);
    std::uint64_t now = 0;
    if (seen < fresh) touch_blocks(phase, element, meetings);
    if (!concurrent_) {
      now = std::max(seen, fresh) + times;
      cell.store(now, order);
    } else if (seen >= fresh) {
      now = cell.fetch_add(times, order) + times;
    } else {
      do {
        now = std::max(seen, fresh) + times;
      } while (!cell.compare_exchange_weak(seen, now, order));
    }
    most = std::max(most, now - fresh);
  }
  meetings.contention = std::max(meetings.contention, static_cast<std::int64_t>(most));
}

void AtomicTally::touch_blocks(std::uint32_t phase, std::int64_t element,
                               AtomicMeetings& meetings) {
  const std::int64_t first = element * element_words_;
  const std::int64_t last = block_.quotient(first + element_words_ - 1);
  for (std::int64_t block = block_.quotient(first); block <= last; ++block) {
    std::atomic<std::uint32_t>& stamp = touched_[static_cast<std::size_t>(block)];
    if (stamp.load(std::memory_order_relaxed) == phase) continue;
    if (!concurrent_) {
      stamp.store(phase, std::memory_order_relaxed);
      ++meetings.blocks;
    } else if (stamp.exchange(phase, std::memory_order_relaxed) != phase) {
      ++meetings.blocks;
    }
  }
}

}  // namespace agpusim
