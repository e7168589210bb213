#include "agpusim/model/agpu/atomic_tally.hpp"

#include <algorithm>
#include <atomic>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr auto order = std::memory_order_relaxed;
constexpr std::int64_t too_many = std::int64_t{1} << 31;  // operations

void require_countable(std::int64_t operations) {
  if (operations < too_many) return;
  throw UsageError("2^31 atomic operations or more on one element cannot be counted");
}

}  // namespace

AtomicTally::AtomicTally(std::int64_t elements, ElementSize size, std::int32_t block_words,
                         bool concurrent)
    : size_(size),
      block_(block_words),
      concurrent_(concurrent),
      elements_(elements),
      operations_memory_((elements + vector_lanes) * std::int64_t{sizeof(std::uint32_t)}),
      touched_memory_((all_blocks() + vector_lanes) * std::int64_t{sizeof(std::uint32_t)}),
      operations_(operations_memory_.as<std::uint32_t>()),
      touched_(touched_memory_.as<std::uint32_t>()) {}

void AtomicTally::begin_phase() {
  ++phase_;
  before_ += most_;
  most_ = 0;
  if (before_ < too_many) return;
  std::fill_n(operations_, elements_, 0U);
  before_ = 0;
}

void AtomicTally::count(std::int64_t origin, const std::int32_t* index, std::int32_t count) {
  std::uint32_t most = 0;
  const auto add = [&](std::int64_t element, std::uint32_t times) {
    std::uint32_t& record = operations_[element];
    std::uint32_t sum = 0;
    if (!concurrent_) {
      sum = record = std::max(record, before_) + times;
    } else {
      const std::atomic_ref cell(record);
      std::uint32_t seen = cell.load(order);
      if (seen >= before_) {
        sum = cell.fetch_add(times, order) + times;
      } else {
        while (!cell.compare_exchange_weak(seen, sum = std::max(seen, before_) + times, order)) {
        }
      }
    }
    most = std::max(most, sum - before_);
  };
  const auto touch = [&](std::int64_t block) {
    const std::atomic_ref cell(touched_[block]);
    if (!concurrent_ || cell.load(order) != phase_) cell.store(phase_, order);
  };
  const std::int32_t shift = block_.shift_of_elements(size_);
  const bool is_run = count > 1 && index[0] == index[1];
  if (shift >= 0 && !is_run) {
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int64_t element = origin + index[i];
      add(element, 1);
      touch(element >> shift);
    }
  } else {
    for (std::int32_t i = 0; i < count;) {
      const std::int32_t same = index[i];
      std::uint32_t times = 0;
      for (; i < count && index[i] == same; ++i) ++times;
      const std::int64_t last = block_.quotient(size_.last_word(origin + same));
      for (std::int64_t block = block_.quotient(size_.first_word(origin + same)); block <= last;
           ++block) {
        touch(block);
      }
      add(origin + same, times);
    }
  }
  require_countable(most);
  const std::atomic_ref known(most_);
  std::uint32_t seen = known.load(order);
  while (seen < most && !known.compare_exchange_weak(seen, most, order)) {
  }
}

std::int64_t AtomicTally::contention(std::span<const AtomicTally* const> tallies,
                                     std::int64_t begin, std::int64_t end) {
  if (tallies.size() == 1) return tallies[0]->most_;
  using Sums = std::uint64_t __attribute__((vector_size(vector_lanes * sizeof(std::uint64_t))));
  Sums most{};
  for (std::int64_t i = begin; i < end; i += vector_lanes) {
    Sums sums{};
    for (const AtomicTally* const one : tallies) {
      const LaneVector before = LaneVector{} + one->before_;
      const LaneVector operations = load_lanes(one->operations_ + i);
      const LaneVector in_phase = operations > before ? operations - before : LaneVector{};
      sums += __builtin_convertvector(in_phase, Sums);
    }
    most = sums > most ? sums : most;
  }
  std::int64_t result = 0;
  for (std::int32_t i = 0; i < vector_lanes; ++i) {
    result = std::max(result, static_cast<std::int64_t>(most[i]));
  }
  require_countable(result);
  return result;
}

std::int64_t AtomicTally::blocks(std::span<const AtomicTally* const> tallies, std::int64_t begin,
                                 std::int64_t end) {
  SignedLaneVector touched{};  // -1 for each
  for (std::int64_t i = begin; i < end; i += vector_lanes) {
    SignedLaneVector by_any{};
    for (const AtomicTally* const one : tallies) {
      by_any |= load_lanes(one->touched_ + i) == one->phase_;
    }
    touched += by_any;
  }
  std::int64_t result = 0;
  for (std::int32_t i = 0; i < vector_lanes; ++i) result -= touched[i];
  return result;
}

}  // namespace agpusim
