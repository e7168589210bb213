#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/spec.hpp"
#include "agpusim/model/pram/step_log.hpp"
#include "agpusim/model/pram/trace.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

#ifdef AGPUSIM_WATCH_READ  // memory lies elsewhere while the processors of an answer run
constexpr bool hides_cells = true;
#else
constexpr bool hides_cells = false;
#endif

/// How to run; none of it changes a result or a count.
struct PramOptions {
  int threads = 0;            ///< host threads; 0 = all cores
  bool record_trace = false;  ///< keep every access (small inputs)
  /// Refuse, before allocating, what would need more host memory than this; 0 = what the host has.
  std::int64_t memory_limit_bytes = 0;
  /// Record every access there, so that the steps before an error are kept; it outlives the
  /// machine.
  PramTrace* trace = nullptr;
};

/// An array of cells in the memory of a Pram; a handle, cheap to copy. It does not own the cells:
/// they live as long as the Pram. A default-constructed handle has no cells.
class PramArray {
 public:
  PramArray() = default;
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  friend class Pram;
  friend class PramProcessor;
  explicit PramArray(const detail::PramCells& cells)
      : cells_(&cells), first_(cells.first), size_(cells.size) {}

  const detail::PramCells* cells_ = &detail::no_pram_cells;
  std::int64_t first_ = 0;
  std::int64_t size_ = 0;
};

/// One processor in one step. Reads see the memory before the step; writes take effect at its end.
/// A processor that does none of what is below idles: it is part of the machine, but no work.
class PramProcessor {
 public:
  /// The number of the processor, 0..processors-1.
  [[nodiscard]] std::int64_t id() const { return id_; }

  /// Throws RuleViolation: out of bounds, a cell nobody wrote, more reads than the machine allows.
  template <bool hidden = hides_cells>
  [[nodiscard]] std::int64_t read(const PramArray& array, std::int64_t index,
                                  SourceLine where = SourceLine::current()) {
    if (reads_ == reads_allowed_ || !readable(array, index)) [[unlikely]] {
      detail::fail_pram_read(*chunk_, *array.cells_, index, id_, reads_, where);
    }
    const std::int64_t cell = array.first_ + index;
    *read_end_++ = detail::log_entry(cell, lane_);
    ++reads_;
#ifdef AGPUSIM_WATCH_READ
    if constexpr (hidden) return AGPUSIM_WATCH_READ(cell);
#endif
    return memory_[cell];
  }

  /// Writes `value`; what the cell receives from several writers is the machine's rule. At most one
  /// write per processor and step.
  void write(const PramArray& array, std::int64_t index, std::int64_t value,
             SourceLine where = SourceLine::current()) {
    if (wrote_ || !holds(array, index) || !fits(value)) [[unlikely]] {
      detail::fail_pram_write(*chunk_, *array.cells_, index, id_, value, where);
    }
    wrote_ = true;
    *write_end_++ = detail::log_entry(array.first_ + index, lane_);
    *value_end_++ = value;
  }

  /// Sum-CRCW only: the cell receives its old content plus the sum of the values. Somebody must
  /// have written the cell in an earlier step, and no processor may write() it in this one.
  void accumulate(const PramArray& array, std::int64_t index, std::int64_t value,
                  SourceLine where = SourceLine::current()) {
    if (wrote_ || !accumulates_ || !readable(array, index) || !fits(value)) [[unlikely]] {
      detail::fail_pram_accumulate(*chunk_, *array.cells_, index, id_, value, where);
    }
    wrote_ = true;
    *write_end_++ = detail::log_entry(array.first_ + index, lane_) | detail::accumulate_flag;
    *value_end_++ = value;
  }

  /// Says that the processor works on its registers, which the machine does not see. Needed where
  /// it neither reads nor writes in this step.
  void compute() { computes_ = true; }

 private:
  friend class Pram;
  explicit PramProcessor(const detail::PramChunk& chunk)
      : chunk_(&chunk),
        machine_(chunk.machine),
        memory_(chunk.memory),
        written_(chunk.written),
        read_end_(chunk.reads),
        write_end_(chunk.writes),
        value_end_(chunk.values),
        word_bias_(chunk.word_bias),
        word_mask_(chunk.word_mask),
        reads_allowed_(chunk.reads_allowed),
        accumulates_(chunk.accumulates) {}

  void begin(std::int64_t id, std::uint32_t lane) {
    id_ = id;
    lane_ = lane;
    reads_ = 0;
    wrote_ = false;
    computes_ = false;
  }
  [[nodiscard]] bool accesses() const { return reads_ != 0 || wrote_; }
  [[nodiscard]] bool holds(const PramArray& array, std::int64_t index) const {
    return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(array.size_) &&
           array.cells_->machine == machine_;
  }
  [[nodiscard]] bool readable(const PramArray& array, std::int64_t index) const {
    return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(array.size_) &&
           (array.cells_->reader == machine_ || (array.cells_->machine == machine_ &&
                                                 detail::test_bit(written_, array.first_ + index)));
  }
  [[nodiscard]] bool fits(std::int64_t value) const {
    return static_cast<std::uint64_t>(value) + word_bias_ <= word_mask_;
  }

  const detail::PramChunk* chunk_;
  const void* machine_;
  const std::int64_t* memory_;
  const std::uint64_t* written_;
  std::uint64_t* read_end_;
  std::uint64_t* write_end_;
  std::int64_t* value_end_;
  std::uint64_t word_bias_;
  std::uint64_t word_mask_;
  std::int64_t id_ = 0;
  std::uint32_t lane_ = 0;
  std::int32_t reads_ = 0;
  std::int32_t reads_allowed_;
  bool accumulates_;
  bool wrote_ = false;
  bool computes_ = false;
};

/// The machine: memory, synchronous steps, and the bill. When a step throws, the report and the
/// trace do not show it, and the memory is as before the step unless the error is about what
/// several processors wrote.
class Pram {
 public:
  explicit Pram(const PramSpec& spec, PramOptions options = {});
  ~Pram();
  Pram(Pram&&) noexcept;
  Pram& operator=(Pram&&) noexcept;

  /// Cells that nobody has written. Throws UsageError, before allocating, when there is no room.
  [[nodiscard]] PramArray array(std::int64_t size, std::string name,
                                SourceLine where = SourceLine::current());
  /// Input: cells with the given content. Throws RuleViolation for a value of more than w bits.
  [[nodiscard]] PramArray array(std::span<const std::int64_t> values, std::string name,
                                SourceLine where = SourceLine::current());
#ifndef AGPUSIM_WATCH_READ  // no step pays for what an answer reads here
  /// The content. Throws RuleViolation that names the first cell nobody wrote.
  [[nodiscard]] std::vector<std::int64_t> values(const PramArray& array,
                                                 SourceLine where = SourceLine::current()) const;
  /// The content, with `otherwise` in cells nobody wrote.
  [[nodiscard]] std::vector<std::int64_t> values_or(const PramArray& array, std::int64_t otherwise,
                                                    SourceLine where = SourceLine::current()) const;
  /// What was recorded (PramOptions::record_trace).
  [[nodiscard]] const PramTrace& trace() const;
#endif

  /// One step of processors 0..processors-1: `body(PramProcessor&)` for each, all reads before all
  /// writes. No processor, no step. Registers are plain variables of the caller, indexed by id():
  /// several host threads call `body` at once, each for other processors.
  /// Throws UsageError, before the body is called, for a negative number of processors, more than
  /// the machine or a step has (PramSpec::max_processors, 2^31-1), or more than the host's memory
  /// can keep the log of. Throws what the body threw for the smallest processor, else
  /// RuleViolation for the smallest cell whose readers, else whose writers, broke the rule; to name
  /// the lines that did, it then calls the body again for two of them.
  template <class Body>
  void step(std::string_view name, std::int64_t processors, Body body,
            SourceLine where = SourceLine::current()) {
#ifdef AGPUSIM_WATCH_STEP  // what an exercise's answer does to variables of its program
    AGPUSIM_WATCH_STEP(name, where);
#endif
    run_step(
        name, processors, [&body](detail::PramChunk& chunk) { run_chunk(body, chunk); }, where);
  }

  [[nodiscard]] const PramReport& report() const;

 private:
  class Machine;

  template <class Body>
  static void run_chunk(Body& body, detail::PramChunk& chunk) {
#ifdef AGPUSIM_WATCH_CHUNK
    AGPUSIM_WATCH_CHUNK(chunk);
#endif
    PramProcessor processor(chunk);
    std::int64_t active = 0;
    try {
      for (std::uint32_t lane = 0; lane < chunk.processors; ++lane) {
        processor.begin(chunk.first_processor + lane, lane);
        body(processor);
#ifdef AGPUSIM_WATCH_BODY
        AGPUSIM_WATCH_BODY(processor.id());
#endif
        active += processor.accesses() || processor.computes_ ? 1 : 0;
        if (processor.computes_ && !processor.accesses()) chunk.note_computing(processor.id_);
      }
    } catch (...) {
      chunk.error = std::current_exception();
      chunk.failed_processor = processor.id();
    }
    chunk.active = active;
    chunk.read_count = processor.read_end_ - chunk.reads;
    chunk.write_count = processor.write_end_ - chunk.writes;
  }
  void run_step(std::string_view name, std::int64_t processors,
                const std::function<void(detail::PramChunk&)>& run, SourceLine where);

  std::unique_ptr<Machine> machine_;
};

}  // namespace agpusim
