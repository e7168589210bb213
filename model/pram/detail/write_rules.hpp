#pragma once

#include <algorithm>
#include <cstdint>

#include "agpusim/model/pram/spec.hpp"

// What a cell holds after several processors wrote it, one type per rule (theory 2.2). put() takes
// the writes of a cell in any order that does not depend on the host's threads: `fresh` says of one
// that it is the first and replaces what was there, which accumulate() does not. `extra` is more
// state of the cell: only for SumWrite it has a meaning before the first write, and is zero.
// `ticket` is ticket() of the cell, by its offset in its partition, and the writer. put() and
// holds() say whether the rule is kept.
namespace agpusim::detail {

/// A well mixed function of x (SplitMix64, Steele, Lea and Flood).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct WriteRule {
  static constexpr bool by_ticket = false;
  WriteRule(const PramSpec&, std::int64_t, std::int64_t) {}
  static std::uint64_t ticket(std::uint32_t, std::int64_t) { return 0; }
  static bool holds(std::int64_t, std::uint64_t) { return true; }
};

struct ExclusiveWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = value;
    return fresh;
  }
};

struct CommonWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = fresh ? value : cell;
    return cell == value;
  }
};

/// The writer with the smallest ticket wins; `extra` is that ticket. Who wins is hard to foresee:
/// so there is no branch.
struct TicketWrite : WriteRule {
  static constexpr bool by_ticket = true;
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t& extra, std::int64_t value,
                  std::uint64_t ticket) {
    const bool wins = fresh | (ticket < extra);
    cell = wins ? value : cell;
    extra = wins ? ticket : extra;
    return true;
  }
};

struct PriorityWrite : TicketWrite {
  using TicketWrite::TicketWrite;
  static std::uint64_t ticket(std::uint32_t, std::int64_t processor) {
    return static_cast<std::uint64_t>(processor);
  }
};

/// The ticket is a hash of (seed, step, cell, processor).
struct ArbitraryWrite : TicketWrite {
  ArbitraryWrite(const PramSpec& spec, std::int64_t step, std::int64_t origin)
      : TicketWrite(spec, step, origin),
        step_hash(mix_bits(mix_bits(spec.seed) ^ static_cast<std::uint64_t>(step))),
        first_cell(origin) {}
  [[nodiscard]] std::uint64_t ticket(std::uint32_t offset, std::int64_t processor) const {
    const auto cell = static_cast<std::uint64_t>(first_cell + offset);
    return mix_bits(mix_bits(step_hash ^ cell) ^ static_cast<std::uint64_t>(processor));
  }
  std::uint64_t step_hash;
  std::int64_t first_cell;
};

/// The exact sum is cell + 2^64·extra, whatever the order of the writers.
struct SumWrite : WriteRule {
  SumWrite(const PramSpec& spec, std::int64_t step, std::int64_t origin)
      : WriteRule(spec, step, origin),
        word_bias(std::uint64_t{1} << (spec.word_bits - 1)),
        word_mask(~std::uint64_t{0} >> (64 - spec.word_bits)) {}
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t& extra, std::int64_t value,
                  std::uint64_t) {
    const std::int64_t before = fresh ? 0 : cell;
    if (__builtin_add_overflow(before, value, &cell)) [[unlikely]] {
      extra += value < 0 ? ~std::uint64_t{0} : std::uint64_t{1};
    }
    return true;
  }
  [[nodiscard]] bool holds(std::int64_t cell, std::uint64_t extra) const {
    return extra == 0 && static_cast<std::uint64_t>(cell) + word_bias <= word_mask;
  }
  std::uint64_t word_bias;
  std::uint64_t word_mask;
};

struct MaxWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = fresh ? value : std::max(cell, value);
    return true;
  }
};

struct MinWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = fresh ? value : std::min(cell, value);
    return true;
  }
};

struct OrWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = fresh ? value : cell | value;
    return true;
  }
};

struct XorWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = fresh ? value : cell ^ value;
    return true;
  }
};

}  // namespace agpusim::detail
