#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// A sort by comparisons whose I/O is set beside the lower bound.
struct BoundedSort {
  std::string label;      ///< short, for the head of a column
  std::string algorithm;  ///< row of the algorithm table
  std::string variant;
  std::string parameter;  ///< the one that follows M, shown beside the I/O; may be empty
  std::string meaning;    ///< how the row is set, for a reader
};

/// In the order of the columns: the bitonic sort with the largest tile, the binary merge sort, and
/// the multiway merge sort with buffers of b and of 2b keys and as many ways as fit into M.
[[nodiscard]] const std::vector<BoundedSort>& bounded_sorts();

/// The I/O of one sort by its formula, or derived.
struct SortIo {
  RunConfig config;                ///< resolved where there is a value
  std::optional<std::int64_t> io;  ///< Q, blocks read and written
  std::string refusal;             ///< why there is none
};

/// The lower bound for n keys of one word on a memory of M words, and what the sorts need.
struct SortBoundsRow {
  std::int64_t n = 0;             ///< keys
  std::int32_t block_words = 0;   ///< b
  std::int64_t shared_words = 0;  ///< M
  double reads = 0;               ///< blocks that must be read
  double total = 0;               ///< blocks that must be read or written
  std::vector<SortIo> sorts;      ///< one for each of bounded_sorts()

  /// Blocks in units of n/b, which is one pass over the keys.
  [[nodiscard]] double passes(double blocks) const {
    return blocks / (static_cast<double>(n) / block_words);
  }
};

/// The row of n keys, b and M. The memory of the bound is M alone, without registers. Throws
/// UsageError for a machine that cannot exist; a sort that refuses it, or that `registry` does not
/// have, says so in its SortIo.
[[nodiscard]] SortBoundsRow sort_bounds(const Registry& registry, std::int64_t n,
                                        std::int32_t block_words, std::int64_t shared_words);

/// A table in units of n/b; JSON has Q in blocks besides (docs/reference/bounds.md). All rows have
/// one b; there is at least one.
[[nodiscard]] report::Report to_report(const std::vector<SortBoundsRow>& rows);

/// The counting argument behind the bounds of each row, step by step with its numbers: of sorting,
/// of permuting, and of a memory that keeps the words of `k` multiprocessors between phases.
[[nodiscard]] report::Table explained(const std::vector<SortBoundsRow>& rows, std::int64_t k);

}  // namespace agpusim
