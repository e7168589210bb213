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

/// A cell holds what `combine` makes of the values of its writers.
template <std::int64_t (*combine)(std::int64_t, std::int64_t)>
struct CombiningWrite : WriteRule {
  using WriteRule::WriteRule;
  static bool put(bool fresh, std::int64_t& cell, std::uint64_t&, std::int64_t value,
                  std::uint64_t) {
    cell = fresh ? value : combine(cell, value);
    return true;
  }
};
constexpr std::int64_t larger(std::int64_t a, std::int64_t b) { return std::max(a, b); }
constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return std::min(a, b); }
constexpr std::int64_t either(std::int64_t a, std::int64_t b) { return a | b; }
constexpr std::int64_t exactly_one(std::int64_t a, std::int64_t b) { return a ^ b; }

/// Calls `use` with the rule's type.
template <class Use>
auto with_write_rule(PramAccess access, const Use& use) {
  switch (access) {
    case PramAccess::erew:
    case PramAccess::crew:
      break;
    case PramAccess::common:
      return use.template operator()<CommonWrite>();
    case PramAccess::arbitrary:
      return use.template operator()<ArbitraryWrite>();
    case PramAccess::priority:
      return use.template operator()<PriorityWrite>();
    case PramAccess::sum:
      return use.template operator()<SumWrite>();
    case PramAccess::max:
      return use.template operator()<CombiningWrite<larger>>();
    case PramAccess::min:
      return use.template operator()<CombiningWrite<smaller>>();
    case PramAccess::bit_or:
      return use.template operator()<CombiningWrite<either>>();
    case PramAccess::bit_xor:
      return use.template operator()<CombiningWrite<exactly_one>>();
  }
  return use.template operator()<ExclusiveWrite>();
}

}  // namespace agpusim::detail
