#include "agpusim/model/pram/detail/engine.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "agpusim/model/pram/detail/group_by_cell.hpp"
#include "agpusim/model/pram/detail/resolve.hpp"

namespace agpusim::detail {
namespace {

/// A partition's counters and cells stay in the second-level cache; a large memory has at most a
/// thousand partitions, so that each holds some accesses of a chunk.
int partition_bits_of(const PramMemory& memory) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(memory.size())));
  return std::clamp(bits - 9, 14, max_partition_bits);
}

/// For each of the partitions, a range of chunks that holds all that accessed it.
std::vector<std::span<const ChunkAccesses>> chunks_by_partition(
    std::span<const ChunkAccesses> chunks, Accesses ChunkAccesses::*side, std::int64_t partitions,
    int partition_bits) {
  struct Range {
    std::size_t first = ~std::size_t{0};
    std::size_t end = 0;
    void add(std::size_t chunk) {
      first = std::min(first, chunk);
      end = std::max(end, chunk + 1);
    }
  };
  constexpr std::int64_t wide = 64;  // a chunk that reaches further counts for all partitions
  std::vector<Range> ranges(static_cast<std::size_t>(partitions));
  Range everywhere;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const Accesses::Reach reach = (chunks[c].*side).reach(partition_bits);
    if (reach.end - reach.first > wide) {
      everywhere.add(c);
      continue;
    }
    for (std::int64_t p = reach.first; p < reach.end; ++p) {
      ranges[static_cast<std::size_t>(p)].add(c);
    }
  }
  std::vector<std::span<const ChunkAccesses>> result;
  result.reserve(ranges.size());
  for (const Range& range : ranges) {
    const std::size_t first = std::min(range.first, everywhere.first);
    const std::size_t end = std::max(range.end, everywhere.end);
    result.push_back(first < end ? chunks.subspan(first, end - first)
                                 : std::span<const ChunkAccesses>{});
  }
  return result;
}

}  // namespace

/// What one host thread needs to run steps and resolve their accesses; reused from step to step.
struct StepEngine::Worker {
  explicit Worker(std::int32_t reads_allowed) : grouper(reads_allowed) {}
  CellGrouper grouper;
  LogArena arena;
  CellCounters counters;
};

/// What a chunk adds to the report and the trace.
struct StepEngine::ChunkResult {
  std::int64_t active = 0;
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::exception_ptr error;
  std::vector<PramAccessRecord> read_trace;
  std::vector<PramAccessRecord> write_trace;
  std::vector<std::int64_t> computing;
};

struct StepEngine::Hosts {
  Hosts(int threads, std::int32_t reads_allowed)
      : arena(threads > 0 ? threads : tbb::task_arena::automatic),
        workers([reads_allowed] { return std::make_unique<Worker>(reads_allowed); }) {
    if (threads > tbb::this_task_arena::max_concurrency()) {
      more_threads.emplace(tbb::global_control::max_allowed_parallelism,
                           static_cast<std::size_t>(threads));
    }
  }

  /// `each(i)` for 0..count-1; a single one on this thread, which for a small step is much faster.
  template <class Each>
  void for_each(std::int64_t count, Each each) {
    if (count == 1) {
      each(0);
      return;
    }
    arena.execute([&] { tbb::parallel_for(std::int64_t{0}, count, each); });
  }

  std::optional<tbb::global_control> more_threads;  // than the host has cores
  tbb::task_arena arena;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers;
};

StepEngine::StepEngine(const PramSpec& spec, int threads, bool record_trace)
    : spec_(spec),
      record_trace_(record_trace),
      hosts_(std::make_unique<Hosts>(threads, spec.reads_per_step)) {}

StepEngine::~StepEngine() = default;

std::int64_t StepEngine::bytes_needed(std::int64_t processors, const PramMemory& memory) const {
  // Per processor and access the place and, of a write, the value; per chunk its accesses and, at
  // worst, two positions per partition.
  const std::int64_t chunks = (processors + chunk_processors - 1) / chunk_processors;
  const std::int64_t partitions = (memory.size() >> partition_bits_of(memory)) + 2;
  const auto record = static_cast<std::int64_t>(sizeof(PramAccessRecord));
  const std::int64_t accesses = spec_.reads_per_step + std::int64_t{1};
  std::int64_t bytes = processors * (4 * accesses + 8);
  bytes += chunks * (static_cast<std::int64_t>(sizeof(ChunkAccesses)) +
                     static_cast<std::int64_t>(sizeof(ChunkResult)) + 8 * partitions);
  if (record_trace_) bytes += 2 * processors * accesses * record;
  return bytes;
}

std::int64_t StepEngine::bytes_held() const {
  std::int64_t bytes = 0;
  for (const std::unique_ptr<Worker>& worker : hosts_->workers) bytes += worker->arena.bytes();
  return bytes;
}

StepEngine::ChunkResult StepEngine::run_chunk(PramChunk& chunk,
                                              const std::function<void(PramChunk&)>& run,
                                              int partition_bits, ChunkAccesses& accesses) {
  Worker& worker = *hosts_->workers.local();
  worker.grouper.begin(chunk, worker.arena);
  run(chunk);
  ChunkResult result;
  result.error = chunk.error;
  result.active = chunk.active;
  result.computing = std::move(chunk.computing);
  result.reads = chunk.read_count;
  result.writes = chunk.write_count;
  if (record_trace_) {
    for (std::ptrdiff_t i = 0; i < chunk.read_count; ++i) {
      const std::int64_t cell = entry_cell(chunk.reads[i]);
      result.read_trace.push_back(
          {chunk.first_processor + entry_lane(chunk.reads[i]), cell, chunk.memory[cell], false});
    }
    for (std::ptrdiff_t i = 0; i < chunk.write_count; ++i) {
      const std::uint64_t entry = chunk.writes[i];
      result.write_trace.push_back({chunk.first_processor + entry_lane(entry), entry_cell(entry),
                                    chunk.values[i], (entry & accumulate_flag) != 0});
    }
  }
  if (result.error) return result;
  if (spec_.access == PramAccess::sum && spec_.sum == SumReading::count) {
    std::fill_n(chunk.values, chunk.write_count, 1);
  }
  worker.grouper.end(chunk, partition_bits, worker.arena, accesses);
  return result;
}

void StepEngine::run(const void* machine, std::string_view name, const std::string& title,
                     std::int64_t number, std::int64_t processors, PramMemory& memory,
                     const std::function<void(PramChunk&)>& run, SourceLine where,
                     StepOutcome& outcome) {
  const int partition_bits = partition_bits_of(memory);
  const std::int64_t chunks = (processors - 1) / chunk_processors + 1;
  std::vector<ChunkAccesses> accesses(static_cast<std::size_t>(chunks));
  std::vector<ChunkResult> results(static_cast<std::size_t>(chunks));
  for (std::unique_ptr<Worker>& worker : hosts_->workers) worker->arena.reset();
  PramChunk common;
  common.machine = machine;
  common.memory = memory.cells();
  common.cells = memory.size();
  common.written = memory.written();
  common.word_bias = word_bias(spec_.word_bits);
  common.word_mask = word_mask(spec_.word_bits);
  common.reads_allowed = spec_.reads_per_step;
  common.accumulates = spec_.access == PramAccess::sum;
  common.records = record_trace_;
  common.step = title;
  hosts_->for_each(chunks, [&](std::int64_t i) {
    PramChunk chunk = common;
    chunk.first_processor = i * chunk_processors;
    chunk.processors =
        static_cast<std::uint32_t>(std::min(chunk_processors, processors - chunk.first_processor));
    const auto c = static_cast<std::size_t>(i);
    results[c] = run_chunk(chunk, run, partition_bits, accesses[c]);
  });

  outcome.step.name = outcome.trace.name = name;
  outcome.step.processors = outcome.trace.processors = processors;
  outcome.trace.where = where;
  for (const ChunkResult& result : results) {
    outcome.step.active += result.active;
    outcome.step.reads += result.reads;
    outcome.step.writes += result.writes;
    PramStepTrace& trace = outcome.trace;
    trace.reads.insert(trace.reads.end(), result.read_trace.begin(), result.read_trace.end());
    trace.writes.insert(trace.writes.end(), result.write_trace.begin(), result.write_trace.end());
    trace.computing.insert(trace.computing.end(), result.computing.begin(), result.computing.end());
    if (result.error) std::rethrow_exception(result.error);
  }

  StepAccesses step{.spec = spec_,
                    .number = number,
                    .title = title,
                    .partition_bits = partition_bits,
                    .has_undefined = memory.has_undefined(),
                    .chunks = accesses,
                    .common = common,
                    .run = run,
                    .where = where};
  for (const ChunkAccesses& chunk : accesses) {
    step.replaces |= chunk.replaces;
    step.accumulates |= chunk.accumulates;
  }
  const std::int64_t partitions = (memory.size() >> partition_bits) + 1;
  const auto resolve = [&](Accesses ChunkAccesses::*side, auto resolve_partition) {
    const auto accessed = chunks_by_partition(accesses, side, partitions, partition_bits);
    std::vector<Resolved> resolved(accessed.size());
    hosts_->for_each(partitions, [&](std::int64_t partition) {
      const auto p = static_cast<std::size_t>(partition);
      if (accessed[p].empty()) return;
      CellCounters& counters = hosts_->workers.local()->counters;
      counters.reserve(
          static_cast<std::size_t>(std::min(memory.size(), std::int64_t{1} << partition_bits)));
      resolved[p] = resolve_partition(accessed[p], partition, counters);
    });
    Resolved all;
    for (const Resolved& one : resolved) {
      all.contention = std::max(all.contention, one.contention);
      if (all.bad_cell == Resolved::none) all.bad_cell = one.bad_cell;
    }
    return all;
  };
  if (outcome.step.reads > 0) {
    const Resolved readers = resolve(
        &ChunkAccesses::reads,
        [&](std::span<const ChunkAccesses> accessed, std::int64_t partition,
            CellCounters& counters) { return resolve_reads(step, accessed, partition, counters); });
    if (readers.bad_cell != Resolved::none) fail_readers(step, memory, readers.bad_cell);
    outcome.step.read_contention = readers.contention;
  }
  if (outcome.step.writes > 0) {
    const Resolved writers =
        resolve(&ChunkAccesses::writes, [&](std::span<const ChunkAccesses> accessed,
                                            std::int64_t partition, CellCounters& counters) {
          return resolve_writes(step, accessed, partition, memory, counters);
        });
    if (writers.bad_cell != Resolved::none) fail_writers(step, memory, writers.bad_cell);
    outcome.step.write_contention = writers.contention;
  }
}

}  // namespace agpusim::detail
