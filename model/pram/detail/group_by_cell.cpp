#include "agpusim/model/pram/detail/group_by_cell.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace agpusim::detail {
namespace {

// A shorter run costs less as single accesses.
constexpr std::ptrdiff_t shortest_run = 256;
constexpr std::size_t parts = 4;             // interleaved counters of a counting sort
constexpr std::ptrdiff_t most_columns = 16;  // reads of a processor in a step

// From one processor of a run to the next, a log entry grows by:
constexpr std::uint64_t to_next_cell = log_entry(1, 1);
constexpr std::uint64_t to_same_cell = log_entry(0, 1);

/// How many of the `count` entries at `entries`, `stride` apart, go on in steps of `growth`.
template <std::ptrdiff_t fixed_stride>
std::ptrdiff_t run_length(const std::uint64_t* entries, std::ptrdiff_t count, std::uint64_t growth,
                          std::ptrdiff_t any_stride = fixed_stride) {
  const std::ptrdiff_t stride = fixed_stride > 0 ? fixed_stride : any_stride;
  constexpr std::ptrdiff_t block = 64;
  std::ptrdiff_t length = 0;
  for (; count - length >= block; length += block) {
    const std::uint64_t* const here = entries + length * stride;
    const std::uint64_t start = entries[0] + static_cast<std::uint64_t>(length) * growth;
    std::uint64_t differs = 0;
    for (std::ptrdiff_t i = 0; i < block; ++i) {
      differs |= here[i * stride] ^ (start + static_cast<std::uint64_t>(i) * growth);
    }
    if (differs != 0) break;
  }
  while (length < count &&
         entries[length * stride] == entries[0] + static_cast<std::uint64_t>(length) * growth) {
    ++length;
  }
  return length;
}

bool all_equal(std::span<const std::int64_t> values) {
  if (values.empty()) return false;
  std::int64_t differs = 0;
  for (const std::int64_t value : values) differs |= value ^ values[0];
  return differs == 0;
}

/// Whether some processor, none of which made more than `most_reads`, read a cell twice.
bool has_repeated_reads(std::span<const std::uint64_t> entries, std::int32_t most_reads) {
  constexpr std::uint64_t lane_mask = log_entry(1, 0) - 1;
  const auto most = static_cast<std::size_t>(most_reads);
  for (std::size_t distance = 1; distance < std::min(most, entries.size()); ++distance) {
    std::uint64_t same = 0;
    std::uint64_t same_lane = 0;
    for (std::size_t i = distance; i < entries.size(); ++i) {
      const std::uint64_t differs = entries[i] ^ entries[i - distance];
      same += differs == 0 ? 1U : 0U;
      same_lane += (differs & lane_mask) == 0 ? 1U : 0U;
    }
    if (same != 0) return true;
    if (same_lane == 0) return false;  // no processor made more than `distance` reads
  }
  return false;
}

/// Removes reads of a cell that the same processor has read before; returns how many are left.
std::ptrdiff_t drop_repeated_reads(std::span<std::uint64_t> entries) {
  std::size_t kept = 0;
  std::size_t lane_begin = 0;  // first kept read of the present lane
  for (const std::uint64_t entry : entries) {
    if (kept > lane_begin && entry_lane(entries[lane_begin]) != entry_lane(entry)) {
      lane_begin = kept;
    }
    const auto same_lane = entries.subspan(lane_begin, kept - lane_begin);
    if (std::find(same_lane.begin(), same_lane.end(), entry) == same_lane.end()) {
      entries[kept++] = entry;
    }
  }
  return static_cast<std::ptrdiff_t>(kept);
}

/// Moves what is left of `rows` rows, without the first done[k] of column k, to the front.
std::ptrdiff_t keep_rest(std::uint64_t* entries, std::ptrdiff_t columns, std::ptrdiff_t rows,
                         const std::ptrdiff_t* done) {
  std::array<std::ptrdiff_t, most_columns> open{};  // columns with something left
  std::ptrdiff_t left = 0;
  std::ptrdiff_t row = 0;
  while (row < rows) {
    std::ptrdiff_t open_count = 0;
    std::ptrdiff_t end = rows;  // the rows up to here have the same open columns
    for (std::ptrdiff_t k = 0; k < columns; ++k) {
      if (done[k] <= row) {
        open[static_cast<std::size_t>(open_count++)] = k;
      } else {
        end = std::min(end, done[k]);
      }
    }
    if (open_count == 1) {
      const std::uint64_t* const from = entries + open[0];
      for (; row < end; ++row) entries[left++] = from[row * columns];
    }
    for (; row < end; ++row) {
      for (std::ptrdiff_t i = 0; i < open_count; ++i) {
        entries[left++] = entries[row * columns + open[static_cast<std::size_t>(i)]];
      }
    }
  }
  return left;
}

}  // namespace

/// Entries in the order of the processors. When every processor made the same number of accesses,
/// `columns`, access k of all of them is a column that may be a run.
struct CellGrouper::Log {
  std::uint64_t* entries;
  std::ptrdiff_t count;
  std::int64_t* values;  // null: reads
  bool one_value;        // only values[0] is there, and all wrote it
  std::ptrdiff_t columns;

  [[nodiscard]] Values values_from(std::ptrdiff_t row) const {
    if (values == nullptr) return {};
    return Values{values, one_value ? 0 : ~std::size_t{0}}.after(static_cast<std::size_t>(row));
  }
};

CellGrouper::CellGrouper(std::int32_t reads_allowed)
    : reads_(std::make_unique_for_overwrite<std::uint64_t[]>(
          static_cast<std::size_t>(chunk_processors * reads_allowed))),
      writes_(std::make_unique_for_overwrite<std::uint64_t[]>(chunk_processors)),
      sorted_(std::make_unique_for_overwrite<std::int64_t[]>(chunk_processors)) {}

void CellGrouper::begin(PramChunk& chunk, LogArena& arena) {
  chunk.reads = reads_.get();
  chunk.writes = writes_.get();
  chunk.values = arena.take<std::int64_t>(chunk.processors);
}

void CellGrouper::end(PramChunk& chunk, int partition_bits, LogArena& arena,
                      ChunkAccesses& accesses) {
  partition_bits_ = partition_bits;
  const bool one_value = all_equal({chunk.values, static_cast<std::size_t>(chunk.write_count)});
  arena.keep<std::int64_t>(one_value ? 1 : static_cast<std::size_t>(chunk.write_count),
                           chunk.processors);
  accesses.first_processor = chunk.first_processor;
  std::uint64_t some = 0;
  std::uint64_t all = accumulate_flag;
  for (std::ptrdiff_t i = 0; i < chunk.write_count; ++i) {
    some |= chunk.writes[i];
    all &= chunk.writes[i];
  }
  accesses.accumulates = (some & accumulate_flag) != 0;
  accesses.replaces = chunk.write_count > 0 && (all & accumulate_flag) == 0;

  std::ptrdiff_t reads = chunk.read_count;
  if (has_repeated_reads({chunk.reads, static_cast<std::size_t>(reads)}, chunk.reads_allowed)) {
    reads = drop_repeated_reads({chunk.reads, static_cast<std::size_t>(reads)});
  }
  const auto processors = static_cast<std::ptrdiff_t>(chunk.processors);
  const std::ptrdiff_t columns = reads % processors == 0 ? reads / processors : 1;
  group({chunk.reads, reads, nullptr, false, columns}, chunk.first_processor, arena,
        accesses.reads);
  group({chunk.writes, chunk.write_count, chunk.values, one_value, 1}, chunk.first_processor, arena,
        accesses.writes);
}

void CellGrouper::group(Log log, std::int64_t first_processor, LogArena& arena,
                        Accesses& accesses) {
  accesses = {};
  if (log.count == 0) return;
  take_runs(log, first_processor, arena, accesses);
  sort_places(log, arena, accesses.places);
}

/// Moves runs from the log, as far as every column begins with runs, to `accesses`.
void CellGrouper::take_runs(Log& log, std::int64_t first_processor, LogArena& arena,
                            Accesses& accesses) {
  const std::ptrdiff_t rows = log.count / log.columns;
  std::array<std::ptrdiff_t, most_columns> done{};  // rows in runs, by column
  runs_.clear();
  for (std::ptrdiff_t k = 0; k < log.columns; ++k) {
    std::ptrdiff_t& row = done[static_cast<std::size_t>(k)];
    while (rows - row >= shortest_run) {
      const std::uint64_t* const first = log.entries + row * log.columns + k;
      const std::uint64_t growth = first[log.columns] - first[0];
      if (growth != to_next_cell && growth != to_same_cell) break;
      const std::ptrdiff_t length = log.columns == 1 ? run_length<1>(first, rows - row, growth)
                                    : log.columns == 2
                                        ? run_length<2>(first, rows - row, growth)
                                        : run_length<0>(first, rows - row, growth, log.columns);
      if (length < shortest_run) break;
      runs_.push_back({entry_cell(first[0]), first_processor + entry_lane(first[0]), length,
                       growth == to_same_cell, (first[0] & accumulate_flag) != 0,
                       log.values_from(row)});
      row += length;
    }
  }
  if (runs_.empty()) return;

  auto* const kept = arena.take<Run>(runs_.size());
  std::copy(runs_.begin(), runs_.end(), kept);
  accesses.runs = {kept, runs_.size()};
  accesses.runs_begin = kept->cell;
  for (const Run& run : runs_) {
    accesses.runs_begin = std::min(accesses.runs_begin, run.cell);
    accesses.runs_end = std::max(accesses.runs_end, run.last_cell() + 1);
  }
  if (log.columns == 1) {
    log.entries += done[0];
    log.count -= done[0];
    if (log.values != nullptr && !log.one_value) log.values += done[0];
    return;
  }
  log.count = keep_rest(log.entries, log.columns, rows, done.data());
}

void CellGrouper::sort_places(const Log& log, LogArena& arena, Places& places) {
  if (log.count == 0) return;
  const std::span<const std::uint64_t> entries(log.entries, static_cast<std::size_t>(log.count));
  const int shift = entry_cell_shift + partition_bits_;
  const std::uint64_t mask = (std::uint64_t{1} << shift) - 1;
  std::uint64_t low = entries[0];
  std::uint64_t high = entries[0];
  for (const std::uint64_t entry : entries) {
    low = std::min(low, entry);
    high = std::max(high, entry);
  }
  const std::uint64_t first = low >> shift;
  const std::size_t partitions = (high >> shift) - first + 1;
  auto* const begin = arena.take<std::uint32_t>(partitions + 1);
  auto* const place = arena.take<std::uint32_t>(entries.size());
  places = {static_cast<std::int64_t>(first), static_cast<std::int64_t>(partitions), begin, place,
            log.values_from(0)};
  if (partitions == 1) {
    begin[0] = 0;
    begin[1] = static_cast<std::uint32_t>(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      place[i] = static_cast<std::uint32_t>(entries[i] & mask);
    }
    return;
  }
  // A counting sort. Neighbours often go to one partition, and each would wait for the counter that
  // the last one changed: so the entries are taken in four parts in turn, with a counter per
  // partition and part.
  next_.assign(partitions * parts, 0U);
  std::uint32_t* const next = next_.data();
  const std::size_t part = entries.size() / parts;
  const auto in_turn = [&](auto each) {
    for (std::size_t i = 0; i < part; ++i) {
      for (std::size_t k = 0; k < parts; ++k) each(k * part + i, k);
    }
    for (std::size_t i = parts * part; i < entries.size(); ++i) each(i, parts - 1);
  };
  const auto counter = [&](std::uint64_t entry, std::size_t k) -> std::uint32_t& {
    return next[((entry >> shift) - first) * parts + k];
  };
  in_turn([&](std::size_t i, std::size_t k) { ++counter(entries[i], k); });
  std::uint32_t position = 0;
  for (std::size_t p = 0; p < partitions; ++p) {
    begin[p] = position;
    for (std::size_t k = 0; k < parts; ++k) {
      position += std::exchange(next[p * parts + k], position);
    }
  }
  begin[partitions] = position;
  std::int64_t* const sorted = sorted_.get();
  if (log.values == nullptr || log.one_value) {
    in_turn([&](std::size_t i, std::size_t k) {
      place[counter(entries[i], k)++] = static_cast<std::uint32_t>(entries[i] & mask);
    });
    return;
  }
  in_turn([&](std::size_t i, std::size_t k) {
    const std::uint32_t to = counter(entries[i], k)++;
    place[to] = static_cast<std::uint32_t>(entries[i] & mask);
    sorted[to] = log.values[i];
  });
  std::copy_n(sorted, entries.size(), log.values);
}

}  // namespace agpusim::detail
