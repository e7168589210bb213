#include <algorithm>

#include "agpusim/model/pram/detail/partition_window.hpp"
#include "agpusim/model/pram/detail/resolve.hpp"
#include "agpusim/model/pram/detail/write_rules.hpp"

namespace agpusim::detail {
namespace {

constexpr std::uint32_t accumulated = std::uint32_t{1} << 31;  // flag in a cell's count

/// `mixed`: some processors of the step write and others accumulate; a cell takes one of them.
template <class Rule, bool mixed>
class WriteResolver {
 public:
  WriteResolver(const StepAccesses& step, std::span<const ChunkAccesses> chunks,
                std::int64_t partition, PramMemory& memory, CellCounters& counters)
      : step_(step),
        chunks_(chunks),
        partition_(partition),
        window_(step, partition),
        size_(std::min(window_.end, memory.size()) - window_.first),
        rule_(step.spec, step.number, window_.first),
        definer_(memory),
        cells_(memory.cells() + window_.first),
        count_(counters.count.data()),
        extra_(counters.extra.data()) {}

  Resolved resolve() {
    Findings findings;
    for_each_chunk(chunks_, &ChunkAccesses::writes, partition_, [&](const ChunkAccesses& chunk) {
      write(chunk, findings);
      for (const Run& run : chunk.writes.runs_within(window_.first, window_.end)) {
        write(run, findings);
      }
    });
    if (findings.accesses == 0) return {};
    // A single write that is no accumulate() was checked when it was made.
    const bool combined = findings.most > 1 || step_.accumulates;
    if (is_dense(findings.accesses, size_)) {
      finish_all(combined, findings);
    } else {
      finish_accessed(combined, findings);
    }
    return findings.resolved(window_);
  }

 private:
  /// What a single write needs; copies, so that stores to cells and counters do not reload them.
  struct Cells {
    std::int64_t* cell;
    std::uint32_t* count;
    std::uint64_t* extra;
    Rule rule;

    void write(std::uint32_t o, std::int64_t value, std::uint64_t ticket, bool accumulate,
               Findings& findings) const {
      const std::uint32_t before = count[o];
      const std::uint32_t kind = mixed && accumulate ? accumulated : 0;
      count[o] = (before == 0 ? kind : before) + 1;
      findings.most = std::max(findings.most, (before & ~accumulated) + 1);
      const bool fresh = before == 0 && !accumulate;
      const bool other_kind = mixed && before != 0 && (before & accumulated) != kind;
      if (!rule.put(fresh, cell[o], extra[o], value, ticket) || other_kind) findings.blame(o);
    }
  };
  [[nodiscard]] Cells cells() const { return {cells_, count_, extra_, rule_}; }

  void write(const ChunkAccesses& chunk, Findings& findings) const {
    const Places& places = chunk.writes.places;
    const Places::Range range = places.of(partition_);
    const Values values = places.values;
    const Cells here = cells();
    const bool all_accumulate = step_.accumulates;
    Findings found = findings;
    constexpr std::uint32_t block = 256;  // tickets that are made together
    std::uint64_t ticket[block] = {};
    for (std::uint32_t begin = range.begin; begin < range.end; begin += block) {
      const std::uint32_t* const place = places.place + begin;
      const std::uint32_t count = std::min(block, range.end - begin);
      if constexpr (Rule::by_ticket) {
        for (std::uint32_t j = 0; j < count; ++j) {
          ticket[j] = here.rule.ticket(place_offset(place[j]),
                                       chunk.first_processor + entry_lane(place[j]));
        }
      }
      for (std::uint32_t j = 0; j < count; ++j) {
        here.write(place_offset(place[j]), values[begin + j], ticket[j],
                   mixed ? (place[j] & accumulate_flag) != 0 : all_accumulate, found);
      }
    }
    found.accesses += range.end - range.begin;
    findings = found;
  }

  void write(const Run& run, Findings& findings) const {
    const auto [begin, end] = window_.of(run);
    if (begin == end) return;
    findings.accesses += end - begin;
    if (run.same_cell) {
      write_same_cell(run, findings);
      return;
    }
    const std::uint32_t o = window_.offset(run.cell + begin);
    const auto size = static_cast<std::uint32_t>(end - begin);
    const Cells here = cells();
    const Values value = run.values.after(static_cast<std::size_t>(begin));
    const std::int64_t processor = run.processor + begin;
    if (run.accumulate || !untouched(o, size)) {
      for (std::uint32_t i = 0; i < size; ++i) {
        here.write(o + i, value[i], here.rule.ticket(o + i, processor + i), run.accumulate,
                   findings);
      }
      return;
    }
    std::fill_n(count_ + o, size, 1U);
    findings.most = std::max(findings.most, 1U);
    for (std::uint32_t i = 0; i < size; ++i) {
      here.rule.put(true, here.cell[o + i], here.extra[o + i], value[i],
                    here.rule.ticket(o + i, processor + i));
    }
  }

  void write_same_cell(const Run& run, Findings& findings) const {
    const std::uint32_t o = window_.offset(run.cell);
    cells().write(o, run.values[0], rule_.ticket(o, run.processor), run.accumulate, findings);
    count_[o] += static_cast<std::uint32_t>(run.length - 1);
    findings.most = std::max(findings.most, count_[o] & ~accumulated);
    std::int64_t cell = cells_[o];
    std::uint64_t extra = extra_[o];
    bool kept = true;
    for (std::int64_t i = 1; i < run.length; ++i) {
      kept &= rule_.put(false, cell, extra, run.values[static_cast<std::size_t>(i)],
                        rule_.ticket(o, run.processor + i));
    }
    cells_[o] = cell;
    extra_[o] = extra;
    if (!kept) findings.blame(o);
  }

  [[nodiscard]] bool untouched(std::uint32_t offset, std::uint32_t size) const {
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < size; ++i) any |= count_[offset + i];
    return any == 0;
  }

  /// Judges the new contents, marks the cells as written and resets the counters: of all cells.
  void finish_all(bool combined, Findings& findings) {
    if (combined) {
      for (std::int64_t o = 0; o < size_; ++o) {
        if (count_[o] != 0 && !rule_.holds(cells_[o], extra_[o])) findings.blame(o);
      }
    }
    if (step_.has_undefined) {
      for (std::int64_t o = 0; o < size_; o += 64) {
        if (definer_.all_defined(window_.first + o)) continue;
        for (std::int64_t i = o; i < std::min(o + 64, size_); ++i) {
          if (count_[i] != 0) definer_.define(window_.first + i);
        }
      }
    }
    std::fill_n(count_, size_, 0U);
    if (combined) std::fill_n(extra_, size_, std::uint64_t{0});
  }

  /// Judges and marks only the cells that were accessed, and resets their counters.
  void finish_accessed(bool combined, Findings& findings) {
    for (const ChunkAccesses& chunk : chunks_) {
      const Places& places = chunk.writes.places;
      const Places::Range range = places.of(partition_);
      for (std::uint32_t j = range.begin; j < range.end; ++j) {
        finish(place_offset(places.place[j]), findings);
      }
      for (const Run& run : chunk.writes.runs_within(window_.first, window_.end)) {
        finish(run, combined, findings);
      }
    }
  }

  void finish(std::uint32_t o, Findings& findings) {
    if (count_[o] == 0) return;
    if (!rule_.holds(cells_[o], extra_[o])) findings.blame(o);
    if (step_.has_undefined) definer_.define(window_.first + o);
    count_[o] = 0;
    extra_[o] = 0;
  }

  void finish(const Run& run, bool combined, Findings& findings) {
    const auto [begin, end] = window_.of(run);
    if (begin == end) return;
    const std::uint32_t o = window_.offset(run.cell + (run.same_cell ? 0 : begin));
    const auto size = run.same_cell ? 1U : static_cast<std::uint32_t>(end - begin);
    if (combined) {
      for (std::uint32_t i = 0; i < size; ++i) finish(o + i, findings);
      return;
    }
    if (step_.has_undefined) definer_.define(window_.first + o, size);
    std::fill_n(count_ + o, size, 0U);
  }

  const StepAccesses& step_;
  std::span<const ChunkAccesses> chunks_;
  std::int64_t partition_;
  Window window_;
  std::int64_t size_;
  Rule rule_;
  PramMemory::Definer definer_;
  std::int64_t* cells_;
  std::uint32_t* count_;
  std::uint64_t* extra_;
};

}  // namespace

Resolved resolve_writes(const StepAccesses& step, std::span<const ChunkAccesses> chunks,
                        std::int64_t partition, PramMemory& memory, CellCounters& counters) {
  if (step.spec.access == PramAccess::sum && step.replaces && step.accumulates) {
    return WriteResolver<SumWrite, true>(step, chunks, partition, memory, counters).resolve();
  }
  return with_write_rule(step.spec.access, [&]<class Rule>() {
    return WriteResolver<Rule, false>(step, chunks, partition, memory, counters).resolve();
  });
}

}  // namespace agpusim::detail
