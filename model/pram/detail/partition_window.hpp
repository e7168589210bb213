#pragma once

#include <algorithm>
#include <cstdint>

#include "agpusim/model/pram/detail/resolve.hpp"

// What settling reads and settling writes have in common.
namespace agpusim::detail {

/// The cell of a place within its partition.
[[nodiscard]] inline std::uint32_t place_offset(std::uint32_t place) {
  return place >> entry_cell_shift;
}

/// The cells of a partition, from 0 on.
struct Window {
  Window(const StepAccesses& step, std::int64_t partition)
      : first(partition << step.partition_bits), end((partition + 1) << step.partition_bits) {}

  /// Positions in the run of the accesses to the partition.
  struct Part {
    std::int64_t begin;
    std::int64_t end;
  };
  [[nodiscard]] Part of(const Run& run) const {
    if (run.same_cell) {
      return {0, first <= run.cell && run.cell < end ? run.length : 0};
    }
    const std::int64_t begin = std::max<std::int64_t>(first - run.cell, 0);
    return {begin, std::max(begin, std::min(end - run.cell, run.length))};
  }
  [[nodiscard]] std::uint32_t offset(std::int64_t cell) const {
    return static_cast<std::uint32_t>(cell - first);
  }

  std::int64_t first;
  std::int64_t end;
};

/// each(chunk) for all chunks, while what the next ones did to the partition is fetched.
template <class Each>
void for_each_chunk(std::span<const ChunkAccesses> chunks, Accesses ChunkAccesses::*side,
                    std::int64_t partition, Each each) {
  constexpr std::size_t ahead = 4;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    if (c + 2 * ahead < chunks.size()) {
      (chunks[c + 2 * ahead].*side).places.prefetch_range(partition);
      (chunks[c + ahead].*side).places.prefetch(partition);
    }
    each(chunks[c]);
  }
}

/// A walk over all accesses to a dense partition costs more than one over all its cells.
[[nodiscard]] inline bool is_dense(std::int64_t accesses, std::int64_t cells) {
  return accesses > cells / 4;
}

/// What one host thread finds out about a partition, kept in registers while it does.
struct Findings {
  void blame(std::int64_t offset) { bad = bad < 0 ? offset : std::min(bad, offset); }
  [[nodiscard]] Resolved resolved(const Window& window) const {
    return {most, bad < 0 ? Resolved::none : window.first + bad};
  }

  std::uint32_t most = 0;  // accesses of one cell
  std::int64_t bad = -1;   // the smallest cell, from the partition's first on, that breaks the rule
  std::int64_t accesses = 0;
};

}  // namespace agpusim::detail
