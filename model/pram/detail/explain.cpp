#include <algorithm>
#include <initializer_list>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/resolve.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim::detail {
namespace {

__extension__ using Wide = __int128;

struct Access {
  std::int64_t processor;
  std::int64_t value;
  bool accumulate;
};

/// The accesses of `cell` in the order of the processors.
std::vector<Access> accesses_of(const StepAccesses& step, std::int64_t cell,
                                Accesses ChunkAccesses::*const side) {
  std::vector<Access> found;
  const std::int64_t partition = cell >> step.partition_bits;
  const std::int64_t offset = cell - (partition << step.partition_bits);
  const auto value = [](const Values& values, std::int64_t i) {
    return values.data == nullptr ? 0 : values[static_cast<std::size_t>(i)];
  };
  for (const ChunkAccesses& chunk : step.chunks) {
    const Accesses& accesses = chunk.*side;
    const Places::Range range = accesses.places.of(partition);
    for (std::uint32_t j = range.begin; j < range.end; ++j) {
      const std::uint32_t place = accesses.places.place[j];
      if (entry_cell(place) != offset) continue;
      found.push_back({chunk.first_processor + entry_lane(place), value(accesses.places.values, j),
                       (place & accumulate_flag) != 0});
    }
    for (const Run& run : accesses.runs) {
      if (cell < run.cell || cell > run.last_cell()) continue;
      const std::int64_t begin = run.same_cell ? 0 : cell - run.cell;
      const std::int64_t end = run.same_cell ? run.length : begin + 1;
      for (std::int64_t i = begin; i < end; ++i) {
        found.push_back({run.processor + i, value(run.values, i), run.accumulate});
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Access& a, const Access& b) { return a.processor < b.processor; });
  return found;
}

/// The line where a processor reads, or writes, `cell`: it runs again on machines that refuse one
/// of its accesses after the other. The line of the step where memory or registers are no longer as
/// they were, so that it does something else.
SourceLine line_of(const StepAccesses& step, std::int64_t cell, bool writes,
                   std::int64_t processor) {
  SiteSearch search{cell, {}};
  // A write is refused as a value that does not fit; -1 fits the first of these machines only.
  const std::int32_t machines = writes ? 2 : step.spec.reads_per_step;
  for (std::int32_t i = 0; i < machines && !search.found; ++i) {
    std::vector<std::uint64_t> reads(static_cast<std::size_t>(step.spec.reads_per_step));
    std::uint64_t write = 0;
    std::int64_t value = 0;
    PramChunk chunk = step.common;
    chunk.first_processor = processor;
    chunk.processors = 1;
    chunk.reads = reads.data();
    chunk.writes = &write;
    chunk.values = &value;
    chunk.search = &search;
    if (writes) {
      chunk.word_mask = 0;
      chunk.word_bias = static_cast<std::uint64_t>(i) + 1;
    } else {
      chunk.reads_allowed = i;
    }
    step.run(chunk);
  }
  return search.found.value_or(step.where);
}

/// The lines of these accesses to `cell`, for the end of a message.
std::string lines_of(const StepAccesses& step, std::int64_t cell, bool writes,
                     std::initializer_list<Access> accesses) {
  std::set<std::string> lines;
  for (const Access& access : accesses) {
    lines.insert(at(line_of(step, cell, writes, access.processor)));
  }
  return fmt::format("{}", fmt::join(lines, " or"));
}

[[noreturn]] void fail_word(const StepAccesses& step, const PramMemory& memory, std::int64_t cell,
                            const std::vector<Access>& writers) {
  Wide sum = 0;
  for (const Access& writer : writers) sum += writer.value;
  throw RuleViolation(
      fmt::format("{}: word overflow: {} {} of {}, together {}, and a signed word of w = {} bits "
                  "cannot hold it; use a larger w (PramSpec::word_bits, --w){}",
                  step.title, writers.size(),
                  writers[0].accumulate ? "processors accumulate to the content" : "writers",
                  memory.cell_name(cell), sum, step.spec.word_bits,
                  lines_of(step, cell, true, {writers.front(), writers.back()})));
}

}  // namespace

void fail_readers(const StepAccesses& step, const PramMemory& memory, std::int64_t cell) {
  const std::vector<Access> readers = accesses_of(step, cell, &ChunkAccesses::reads);
  throw RuleViolation(fmt::format(
      "{}: processors {} and {} both read {}; on an EREW PRAM a cell has one reader in a step, "
      "copy it for each or use a CREW machine (PramSpec::access, --model crew){}",
      step.title, readers[0].processor, readers[1].processor, memory.cell_name(cell),
      lines_of(step, cell, false, {readers[0], readers[1]})));
}

void fail_writers(const StepAccesses& step, const PramMemory& memory, std::int64_t cell) {
  const std::vector<Access> writers = accesses_of(step, cell, &ChunkAccesses::writes);
  const std::string name = memory.cell_name(cell);
  const auto lines = [&](const Access& one, const Access& other) {
    return lines_of(step, cell, true, {one, other});
  };
  if (step.spec.access == PramAccess::common) {
    for (const Access& writer : writers) {
      if (writer.value == writers[0].value) continue;
      throw RuleViolation(
          fmt::format("{}: processor {} writes {} and processor {} writes {} to {}; on a "
                      "Common-CRCW PRAM all writers of a cell agree; let one of them write, or use "
                      "a machine that allows it (PramSpec::access, --model){}",
                      step.title, writers[0].processor, writers[0].value, writer.processor,
                      writer.value, name, lines(writers[0], writer)));
    }
  }
  if (step.spec.access == PramAccess::sum) {
    for (const Access& writer : writers) {
      if (writer.accumulate == writers[0].accumulate) continue;
      const bool first_accumulates = writers[0].accumulate;
      throw RuleViolation(fmt::format(
          "{}: processor {} accumulates to {} and processor {} writes it; a cell takes one of both "
          "in a step{}",
          step.title, first_accumulates ? writers[0].processor : writer.processor, name,
          first_accumulates ? writer.processor : writers[0].processor, lines(writers[0], writer)));
    }
    fail_word(step, memory, cell, writers);
  }
  throw RuleViolation(fmt::format(
      "{}: processors {} and {} both write {}; on {} PRAM a cell has one writer in a step, let one "
      "of them write or use a CRCW machine (PramSpec::access, --model){}",
      step.title, writers[0].processor, writers[1].processor, name,
      step.spec.access == PramAccess::erew ? "an EREW" : "a CREW", lines(writers[0], writers[1])));
}

}  // namespace agpusim::detail
