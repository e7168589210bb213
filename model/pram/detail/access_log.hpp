#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agpusim/model/pram/step_log.hpp"

// The accesses of a step: who accessed which cell, kept from the run of the processors until the
// end of the step in a form that is short and can be resolved partition by partition of the memory.
namespace agpusim::detail {

/// A partition has at most 2^17 cells: with the lane, a place takes 31 bits.
inline constexpr int max_partition_bits = 17;

/// Memory for the accesses that one host thread logs: taken piece by piece, given back all at once.
class LogArena {
 public:
  template <class T>
  [[nodiscard]] T* take(std::size_t count) {
    static_assert(alignof(T) <= alignment);
    return reinterpret_cast<T*>(take_bytes(count * sizeof(T)));
  }
  /// Gives back all but the first `count` of the `taken` values that were taken last.
  template <class T>
  void keep(std::size_t count, std::size_t taken) {
    used_ -= round_up(taken * sizeof(T)) - round_up(count * sizeof(T));
  }
  void reset();
  [[nodiscard]] std::int64_t bytes() const;

 private:
  static constexpr std::size_t alignment = 8;
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  static std::size_t round_up(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }
  std::byte* take_bytes(std::size_t bytes);

  std::vector<Block> blocks_;
  std::size_t block_ = 0;  // the one in use
  std::size_t used_ = 0;   // bytes of it
};

/// What the processors of a chunk wrote; one number when all wrote the same.
struct Values {
  const std::int64_t* data = nullptr;
  std::size_t index_mask = 0;  ///< 0: data[0] is what all wrote; else all ones

  [[nodiscard]] std::int64_t operator[](std::size_t i) const { return data[i & index_mask]; }
  /// Without the first `count`.
  [[nodiscard]] Values after(std::size_t count) const {
    return {data + (count & index_mask), index_mask};
  }
};

/// Accesses by partition of the memory (2^bits consecutive cells), within a partition in the order
/// of the processors.
struct Places {
  std::int64_t first_partition = 0;
  std::int64_t partitions = 0;
  const std::uint32_t* begin = nullptr;  ///< partitions+1 positions in `place`
  const std::uint32_t* place = nullptr;  ///< a log entry without the partition in its cell
  Values values;                         ///< values of writes

  /// Positions of the accesses to `partition`.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  [[nodiscard]] Range of(std::int64_t partition) const {
    const std::int64_t p = partition - first_partition;
    if (p < 0 || p >= partitions) return {};
    return {begin[p], begin[p + 1]};
  }
  /// Fetches what of() will need.
  void prefetch_range(std::int64_t partition) const {
    const std::int64_t p = partition - first_partition;
    if (p >= 0 && p < partitions) __builtin_prefetch(begin + p);
  }
  /// Fetches the first accesses to `partition`.
  void prefetch(std::int64_t partition) const {
    const Range range = of(partition);
    if (range.begin == range.end) return;
    __builtin_prefetch(place + range.begin);
    if (values.data != nullptr) __builtin_prefetch(&values.data[range.begin & values.index_mask]);
  }
};

/// Accesses of consecutive processors to consecutive cells, or all to the same cell.
struct Run {
  std::int64_t cell = 0;  ///< cell of the first access
  std::int64_t processor = 0;
  std::int64_t length = 0;
  bool same_cell = false;
  bool accumulate = false;
  Values values;  ///< values of writes

  [[nodiscard]] std::int64_t last_cell() const { return same_cell ? cell : cell + length - 1; }
};

/// The reads, or the writes, of a chunk.
struct Accesses {
  Places places;
  std::span<const Run> runs;
  std::int64_t runs_begin = 0;  ///< cells of the runs are in runs_begin..runs_end-1
  std::int64_t runs_end = 0;

  /// Partitions first..end-1 hold all accesses.
  struct Reach {
    std::int64_t first = 0;
    std::int64_t end = 0;
  };
  [[nodiscard]] Reach reach(int partition_bits) const;
  [[nodiscard]] std::span<const Run> runs_within(std::int64_t first, std::int64_t end) const {
    return first < runs_end && runs_begin < end ? runs : std::span<const Run>{};
  }
};

/// What is kept of a chunk until the end of the step.
struct ChunkAccesses {
  std::int64_t first_processor = 0;
  Accesses reads;
  Accesses writes;
  bool replaces = false;     ///< some processor called write()
  bool accumulates = false;  ///< some processor called accumulate()
};

}  // namespace agpusim::detail
