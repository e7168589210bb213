#include "agpusim/model/pram/machine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/host_memory.hpp"
#include "agpusim/model/pram/detail/engine.hpp"
#include "agpusim/model/pram/detail/memory.hpp"

namespace agpusim {
namespace {

// A step counts the accesses of a cell in 31 bits.
constexpr std::int64_t most_processors = std::numeric_limits<std::int32_t>::max();
// A log entry has 50 bits for the cell.
constexpr std::int64_t most_cells = std::int64_t{1} << 48;
// A smaller step does not ask the host how much memory it has.
constexpr std::int64_t small_step_bytes = std::int64_t{1} << 26;

double gibibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

}  // namespace

class Pram::Machine {
 public:
  Machine(const PramSpec& spec, const PramOptions& options)
      : options_(options),
        memory_(this),
        engine_(spec, options.threads, records()),
        trace_(options.trace != nullptr ? *options.trace : own_trace_) {
    report_.spec = spec;
    trace_.spec = spec;
  }

  const detail::PramCells& add(std::int64_t size, std::string name, SourceLine where);
  const detail::PramCells& add(std::span<const std::int64_t> values, std::string name,
                               SourceLine where);
  void run_step(std::string_view name, std::int64_t processors,
                const std::function<void(detail::PramChunk&)>& run, SourceLine where);

  [[nodiscard]] const PramReport& report() const { return report_; }
  [[nodiscard]] const PramTrace& trace() const { return trace_; }
  [[nodiscard]] const detail::PramMemory& memory() const { return memory_; }

 private:
  /// Held while the processors of a step run, when the memory must stay where it is.
  class Running {
   public:
    explicit Running(bool& running) : running_(running) { running_ = true; }
    ~Running() { running_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    bool& running_;
  };

  [[nodiscard]] const PramSpec& spec() const { return report_.spec; }
  [[nodiscard]] bool records() const { return options_.record_trace || options_.trace != nullptr; }
  /// Bytes of `cells` cells, their marks and, when there is one, their copy in the trace.
  [[nodiscard]] std::int64_t memory_bytes(std::int64_t cells) const {
    return cells * (records() ? 16 : 8) + cells / 8 + 8;
  }
  /// Bytes that the arrays leave to a new array, or to a step.
  [[nodiscard]] std::int64_t bytes_left() const {
    return options_.memory_limit_bytes > 0
               ? options_.memory_limit_bytes - memory_bytes(memory_.size())
               : available_memory_bytes();
  }
  /// What else to do about too little memory, for the end of a message.
  [[nodiscard]] const char* limit_remedy() const {
    return options_.memory_limit_bytes > 0
               ? ", or a larger PramOptions::memory_limit_bytes where the host has more"
               : "";
  }
  void check_step(const std::string& title, std::int64_t processors, SourceLine where) const;

  PramOptions options_;
  PramReport report_;
  detail::PramMemory memory_;
  detail::StepEngine engine_;
  PramTrace own_trace_;
  PramTrace& trace_;
  bool running_ = false;
};

const detail::PramCells& Pram::Machine::add(std::int64_t size, std::string name, SourceLine where) {
  if (running_) {
    throw UsageError(
        fmt::format("array {} is made by a processor in a step; make arrays between steps{}", name,
                    detail::at(where)));
  }
  if (size < 0 || size > most_cells) {
    throw UsageError(fmt::format("array {} of {} cells: must be in 0..{}{}", name, size, most_cells,
                                 detail::at(where)));
  }
  const std::int64_t needed = memory_bytes(size);
  const std::int64_t left = bytes_left();
  if (needed > left) {
    throw UsageError(fmt::format(
        "array {} of {} cells needs {:.3g} GiB of memory, and {:.3g} GiB are left; use a smaller "
        "input{}{}",
        name, size, gibibytes(needed), gibibytes(left), limit_remedy(), detail::at(where)));
  }
  const detail::PramCells& cells = memory_.add(size, std::move(name));
  if (records()) {
    trace_.arrays.push_back({cells.name, cells.first, cells.size});
    trace_.initial.resize(static_cast<std::size_t>(memory_.size()));
    trace_.initially_written.resize(static_cast<std::size_t>(memory_.size()));
  }
  return cells;
}

const detail::PramCells& Pram::Machine::add(std::span<const std::int64_t> values, std::string name,
                                            SourceLine where) {
  const std::uint64_t bias = detail::word_bias(spec().word_bits);
  const std::uint64_t mask = detail::word_mask(spec().word_bits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (static_cast<std::uint64_t>(values[i]) + bias > mask) {
      throw RuleViolation(fmt::format(
          "word overflow: {}[{}] = {} is more than a signed word of w = {} bits holds; use a "
          "larger w (PramSpec::word_bits, --w){}",
          name, i, values[i], spec().word_bits, detail::at(where)));
    }
  }
  const detail::PramCells& cells =
      add(static_cast<std::int64_t>(values.size()), std::move(name), where);
  std::copy(values.begin(), values.end(), memory_.cells() + cells.first);
  detail::PramMemory::Definer(memory_).define(cells.first, cells.size);
  report_.cells = memory_.defined();
  if (records()) {
    std::copy(values.begin(), values.end(), trace_.initial.begin() + cells.first);
    std::fill(trace_.initially_written.begin() + cells.first, trace_.initially_written.end(), true);
  }
  return cells;
}

void Pram::Machine::check_step(const std::string& title, std::int64_t processors,
                               SourceLine where) const {
  if (running_) {
    throw UsageError(
        fmt::format("{} is begun by a processor of another step{}", title, detail::at(where)));
  }
  if (processors < 0) {
    throw UsageError(fmt::format("{}: {} processors; must not be negative{}", title, processors,
                                 detail::at(where)));
  }
  if (spec().max_processors > 0 && processors > spec().max_processors) {
    throw UsageError(
        fmt::format("{}: {} processors, and the machine has {} (PramSpec::max_processors, "
                    "--max-processors); use a program with fewer processors, or a smaller input{}",
                    title, processors, spec().max_processors, detail::at(where)));
  }
  if (processors > most_processors) {
    throw UsageError(fmt::format("{}: {} processors; a step has at most {}, use several steps{}",
                                 title, processors, most_processors, detail::at(where)));
  }
  const std::int64_t needed = engine_.bytes_needed(processors, memory_);
  if (options_.memory_limit_bytes == 0 && needed < small_step_bytes) return;
  // With a limit, what the engine holds is within it; else the host has already given it.
  const std::int64_t left =
      bytes_left() + (options_.memory_limit_bytes > 0 ? 0 : engine_.bytes_held());
  if (needed > left) {
    throw UsageError(fmt::format(
        "{}: the log of {} processors with up to {} reads and a write each may need {:.3g} GiB of "
        "memory, and {:.3g} GiB are left; use fewer processors per step, a smaller input, fewer "
        "reads per step (PramSpec::reads_per_step, --reads-per-step){}{}",
        title, processors, spec().reads_per_step, gibibytes(needed), gibibytes(left),
        limit_remedy(), detail::at(where)));
  }
}

void Pram::Machine::run_step(std::string_view name, std::int64_t processors,
                             const std::function<void(detail::PramChunk&)>& run, SourceLine where) {
  const std::int64_t number = report_.time() + 1;
  const std::string title = fmt::format("step {} ({})", number, name);
  check_step(title, processors, where);
  if (processors == 0) return;
  const Running running(running_);
  detail::StepOutcome outcome;
  try {
    engine_.run(this, name, title, number, processors, memory_, run, where, outcome);
  } catch (const RuleViolation&) {
    if (records()) trace_.broken = std::move(outcome.trace);
    throw;
  }
  report_.steps.push_back(std::move(outcome.step));
  report_.cells = memory_.defined();
  if (records()) trace_.steps.push_back(std::move(outcome.trace));
}

Pram::Pram(const PramSpec& spec, PramOptions options) {
  validate(spec);
  if (options.threads < 0 || options.memory_limit_bytes < 0) {
    throw UsageError(fmt::format("threads = {}, memory_limit_bytes = {}: must not be negative",
                                 options.threads, options.memory_limit_bytes));
  }
  machine_ = std::make_unique<Machine>(spec, options);
}

Pram::~Pram() = default;
Pram::Pram(Pram&&) noexcept = default;
Pram& Pram::operator=(Pram&&) noexcept = default;

PramArray Pram::array(std::int64_t size, std::string name, SourceLine where) {
  return PramArray(machine_->add(size, std::move(name), where));
}

PramArray Pram::array(std::span<const std::int64_t> values, std::string name, SourceLine where) {
  return PramArray(machine_->add(values, std::move(name), where));
}

std::vector<std::int64_t> Pram::values(const PramArray& array, SourceLine where) const {
  std::vector<std::int64_t> content = values_or(array, 0, where);
  const std::uint64_t* const written = machine_->memory().written();
  for (std::int64_t i = 0; array.cells_->undefined != 0 && i < array.size_; ++i) {
    if (!detail::test_bit(written, array.first_ + i)) {
      throw RuleViolation(fmt::format("nobody wrote {}[{}] in {} steps, so it has no value{}",
                                      array.cells_->name, i, machine_->report().time(),
                                      detail::at(where)));
    }
  }
  return content;
}

std::vector<std::int64_t> Pram::values_or(const PramArray& array, std::int64_t otherwise,
                                          SourceLine where) const {
  if (array.size_ == 0) return {};
  if (array.cells_->machine != machine_.get()) {
    throw UsageError(fmt::format("array {} belongs to another machine{}", array.cells_->name,
                                 detail::at(where)));
  }
  const detail::PramMemory& memory = machine_->memory();
  const std::int64_t* const cells = memory.cells() + array.first_;
  std::vector<std::int64_t> content(cells, cells + array.size_);
  for (std::int64_t i = 0; array.cells_->undefined != 0 && i < array.size_; ++i) {
    if (!detail::test_bit(memory.written(), array.first_ + i)) {
      content[static_cast<std::size_t>(i)] = otherwise;
    }
  }
  return content;
}

const PramReport& Pram::report() const { return machine_->report(); }
const PramTrace& Pram::trace() const { return machine_->trace(); }

void Pram::run_step(std::string_view name, std::int64_t processors,
                    const std::function<void(detail::PramChunk&)>& run, SourceLine where) {
  machine_->run_step(name, processors, run, where);
}

}  // namespace agpusim
