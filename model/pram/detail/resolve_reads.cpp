#include <algorithm>

#include "agpusim/model/pram/detail/partition_window.hpp"
#include "agpusim/model/pram/detail/resolve.hpp"

namespace agpusim::detail {
namespace {

/// Adds one to `size` counters; returns the largest.
std::uint32_t count_each(std::uint32_t* count, std::int64_t size) {
  std::uint32_t most = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    ++count[i];
    most = std::max(most, count[i]);
  }
  return most;
}

/// The first of the `size` counters that is more than 1, of which there is one.
std::int64_t first_shared(const std::uint32_t* count, std::int64_t size) {
  return std::find_if(count, count + size, [](std::uint32_t c) { return c > 1; }) - count;
}

void count_run(const Run& run, const Window& window, bool exclusive, std::uint32_t* count,
               Findings& findings) {
  const auto [begin, end] = window.of(run);
  if (begin == end) return;
  findings.accesses += end - begin;
  if (run.same_cell) {
    const std::uint32_t o = window.offset(run.cell);
    count[o] += static_cast<std::uint32_t>(run.length);
    findings.most = std::max(findings.most, count[o]);
    if (exclusive && count[o] > 1) findings.blame(o);
    return;
  }
  const std::uint32_t o = window.offset(run.cell + begin);
  const std::uint32_t most = count_each(count + o, end - begin);
  findings.most = std::max(findings.most, most);
  if (exclusive && most > 1) findings.blame(o + first_shared(count + o, end - begin));
}

void clear_counts(std::span<const ChunkAccesses> chunks, std::int64_t partition,
                  const Window& window, std::uint32_t* count) {
  for (const ChunkAccesses& chunk : chunks) {
    const Places& places = chunk.reads.places;
    const Places::Range range = places.of(partition);
    for (std::uint32_t j = range.begin; j < range.end; ++j) {
      count[place_offset(places.place[j])] = 0;
    }
    for (const Run& run : chunk.reads.runs_within(window.first, window.end)) {
      const auto [begin, end] = window.of(run);
      if (begin == end) continue;
      const std::int64_t cells = run.same_cell ? 1 : end - begin;
      std::fill_n(count + window.offset(run.cell + (run.same_cell ? 0 : begin)), cells, 0U);
    }
  }
}

template <bool exclusive>
Resolved resolve_reads_as(const StepAccesses& step, std::span<const ChunkAccesses> chunks,
                          std::int64_t partition, CellCounters& counters) {
  const Window window(step, partition);
  std::uint32_t* const count = counters.count.data();
  Findings findings;
  for_each_chunk(chunks, &ChunkAccesses::reads, partition, [&](const ChunkAccesses& chunk) {
    const Places& places = chunk.reads.places;
    const Places::Range range = places.of(partition);
    std::uint32_t most = findings.most;
    for (std::uint32_t j = range.begin; j < range.end; ++j) {
      const std::uint32_t o = place_offset(places.place[j]);
      const std::uint32_t readers = count[o] + 1;
      count[o] = readers;
      most = std::max(most, readers);
      if (exclusive && readers > 1) findings.blame(o);
    }
    findings.most = most;
    findings.accesses += range.end - range.begin;
    for (const Run& run : chunk.reads.runs_within(window.first, window.end)) {
      count_run(run, window, exclusive, count, findings);
    }
  });
  const auto cells = static_cast<std::int64_t>(counters.count.size());
  if (is_dense(findings.accesses, cells)) {
    std::fill_n(count, cells, 0U);
  } else if (findings.accesses > 0) {
    clear_counts(chunks, partition, window, count);
  }
  return findings.resolved(window);
}

}  // namespace

Resolved resolve_reads(const StepAccesses& step, std::span<const ChunkAccesses> chunks,
                       std::int64_t partition, CellCounters& counters) {
  return step.spec.access == PramAccess::erew
             ? resolve_reads_as<true>(step, chunks, partition, counters)
             : resolve_reads_as<false>(step, chunks, partition, counters);
}

}  // namespace agpusim::detail
