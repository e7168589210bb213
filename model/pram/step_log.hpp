#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/source_line.hpp"

// What the per-processor loop of a PRAM step, compiled with its body, hands to the engine.
namespace agpusim::detail {

/// Processors that one host thread runs without a break, in order: 2^chunk_bits.
inline constexpr int chunk_bits = 13;
inline constexpr std::int64_t chunk_processors = std::int64_t{1} << chunk_bits;

/// An access in the log of a chunk: the cell, the lane (processor within the chunk) and, in the
/// lowest bit, whether it accumulates.
inline constexpr int entry_cell_shift = chunk_bits + 1;
inline constexpr std::uint64_t accumulate_flag = 1;

[[nodiscard]] constexpr std::uint64_t log_entry(std::int64_t cell, std::uint32_t lane) {
  return static_cast<std::uint64_t>(cell) << entry_cell_shift | std::uint64_t{lane} << 1;
}
[[nodiscard]] constexpr std::int64_t entry_cell(std::uint64_t entry) {
  return static_cast<std::int64_t>(entry >> entry_cell_shift);
}
[[nodiscard]] constexpr std::uint32_t entry_lane(std::uint64_t entry) {
  return static_cast<std::uint32_t>(entry >> 1) & static_cast<std::uint32_t>(chunk_processors - 1);
}

[[nodiscard]] inline bool test_bit(const std::uint64_t* bits, std::int64_t position) {
  return (bits[position >> 6] >> (position & 63) & 1) != 0;
}

/// An array of a PRAM: cells first..first+size-1 of its memory.
struct PramCells {
  const void* machine = nullptr;
  const void* reader = nullptr;  ///< the machine once every cell was written, else null
  std::string name;
  std::int64_t first = 0;
  std::int64_t size = 0;
  std::int64_t undefined = 0;  ///< cells that nobody wrote
};

/// What a handle without an array refers to.
extern const PramCells no_pram_cells;

/// Looks for the line of a program that accesses a cell: a processor runs again on a machine that
/// refuses this access.
struct SiteSearch {
  std::int64_t cell = 0;
  std::optional<SourceLine> found;
};

/// A chunk of consecutive processors: what they run on, and the log of what they did. The room of
/// the log is the engine's.
struct PramChunk {
  const void* machine = nullptr;
  const std::int64_t* memory = nullptr;
  const std::uint64_t* written = nullptr;  ///< a bit per cell
  std::uint64_t word_bias = 0;             ///< v is a word of w bits iff v + bias <= mask, unsigned
  std::uint64_t word_mask = 0;
  std::int32_t reads_allowed = 0;
  bool accumulates = false;  ///< whether the machine has accumulate()
  std::string_view step;     ///< the step as messages call it
  std::int64_t first_processor = 0;
  std::uint32_t processors = 0;

  std::uint64_t* reads = nullptr;
  std::uint64_t* writes = nullptr;
  std::int64_t* values = nullptr;  ///< values of the writes
  std::ptrdiff_t read_count = 0;
  std::ptrdiff_t write_count = 0;
  std::int64_t active = 0;              ///< processors that did something
  std::vector<std::int64_t> computing;  ///< processors that did it without an access, if `records`
  bool records = false;
  SiteSearch* search = nullptr;  ///< set where a processor runs again to be searched
  std::exception_ptr error;
  std::int64_t failed_processor = 0;  ///< whose body threw `error`
  std::int64_t cells = 0;             ///< cells that `memory` has

  void note_computing(std::int64_t processor) {
    if (records) computing.push_back(processor);
  }
};

/// " (at file:line)", what the messages of a PRAM end with.
[[nodiscard]] std::string at(SourceLine where);

/// Find out which rule an access broke, and throw the error that says so.
[[noreturn]] void fail_pram_read(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                                 std::int64_t processor, std::int32_t reads, SourceLine where);
[[noreturn]] void fail_pram_write(const PramChunk& chunk, const PramCells& array,
                                  std::int64_t index, std::int64_t processor, std::int64_t value,
                                  SourceLine where);
[[noreturn]] void fail_pram_accumulate(const PramChunk& chunk, const PramCells& array,
                                       std::int64_t index, std::int64_t processor,
                                       std::int64_t value, SourceLine where);

}  // namespace agpusim::detail
