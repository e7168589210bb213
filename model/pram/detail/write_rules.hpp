#pragma once

#include <algorithm>
#include <cstdint>

#include "agpusim/model/pram/spec.hpp"

// What a cell holds after several processors wrote it, one type per rule (theory 2.2). The writes
// of a cell come in any order that does not depend on the host's threads: first() for the first,
// then merge() into what the cell holds so far; for accumulate(), merge() from the first on.
// `extra` is more state of the cell: only for SumWrite it has a meaning before first(), and is
// zero. `offset` is the cell within its partition. merge() and holds() say whether the rule is
// kept.
namespace agpusim::detail {

/// A well mixed function of x (SplitMix64, Steele, Lea and Flood).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct WriteRule {
  WriteRule(const PramSpec&, std::int64_t, std::int64_t) {}
  static std::int64_t first(std::uint64_t&, std::uint32_t, std::int64_t value, std::int64_t) {
    return value;
  }
  static bool holds(std::int64_t, std::uint64_t) { return true; }
};

struct ExclusiveWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool merge(std::int64_t&, std::uint64_t&, std::uint32_t, std::int64_t, std::int64_t) {
    return false;
  }
};

struct CommonWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool merge(std::int64_t& cell, std::uint64_t&, std::uint32_t, std::int64_t value,
                    std::int64_t) {
    return cell == value;
  }
};

/// `extra` is the processor that wrote what the cell holds.
struct PriorityWrite : WriteRule {
  using WriteRule::WriteRule;
  static std::int64_t first(std::uint64_t& extra, std::uint32_t, std::int64_t value,
                            std::int64_t processor) {
    extra = static_cast<std::uint64_t>(processor);
    return value;
  }
  static bool merge(std::int64_t& cell, std::uint64_t& extra, std::uint32_t, std::int64_t value,
                    std::int64_t processor) {
    if (static_cast<std::uint64_t>(processor) < extra) {
      extra = static_cast<std::uint64_t>(processor);
      cell = value;
    }
    return true;
  }
};

/// The winner is the writer with the smallest hash of (seed, step, cell, processor), which is its
/// `extra`.
struct ArbitraryWrite : WriteRule {
  ArbitraryWrite(const PramSpec& spec, std::int64_t step, std::int64_t origin)
      : WriteRule(spec, step, origin),
        step_hash(mix_bits(mix_bits(spec.seed) ^ static_cast<std::uint64_t>(step))),
        first_cell(origin) {}
  [[nodiscard]] std::uint64_t hash(std::uint32_t offset, std::int64_t processor) const {
    const auto cell = static_cast<std::uint64_t>(first_cell + offset);
    return mix_bits(mix_bits(step_hash ^ cell) ^ static_cast<std::uint64_t>(processor));
  }
  std::int64_t first(std::uint64_t& extra, std::uint32_t offset, std::int64_t value,
                     std::int64_t processor) const {
    extra = hash(offset, processor);
    return value;
  }
  bool merge(std::int64_t& cell, std::uint64_t& extra, std::uint32_t offset, std::int64_t value,
             std::int64_t processor) const {
    const std::uint64_t ticket = hash(offset, processor);
    if (ticket < extra) {
      extra = ticket;
      cell = value;
    }
    return true;
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
  static bool merge(std::int64_t& cell, std::uint64_t& extra, std::uint32_t, std::int64_t value,
                    std::int64_t) {
    if (__builtin_add_overflow(cell, value, &cell)) [[unlikely]] {
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
  static bool merge(std::int64_t& cell, std::uint64_t&, std::uint32_t, std::int64_t value,
                    std::int64_t) {
    cell = std::max(cell, value);
    return true;
  }
};

struct MinWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool merge(std::int64_t& cell, std::uint64_t&, std::uint32_t, std::int64_t value,
                    std::int64_t) {
    cell = std::min(cell, value);
    return true;
  }
};

struct OrWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool merge(std::int64_t& cell, std::uint64_t&, std::uint32_t, std::int64_t value,
                    std::int64_t) {
    cell |= value;
    return true;
  }
};

struct XorWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool merge(std::int64_t& cell, std::uint64_t&, std::uint32_t, std::int64_t value,
                    std::int64_t) {
    cell ^= value;
    return true;
  }
};

}  // namespace agpusim::detail
