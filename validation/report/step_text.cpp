#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/report/step_state.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t around = 4;  // steps printed before and after the one asked for

/// Of a recorded AGPU run.
class AgpuText {
 public:
  explicit AgpuText(const StepTrace& trace) : trace_(trace) {}

  std::string steps(std::int64_t first, std::int64_t last) {
    std::string text;
    std::vector<std::vector<std::string>> rows;
    const auto flush = [&] {
      if (rows.empty()) return;
      std::vector<std::string> header = {"step", "instruction", "line"};
      for (std::int32_t lane = 0; lane < trace_.spec.width; ++lane) {
        header.push_back(std::to_string(lane));
      }
      header.insert(header.end(), {"cost", ""});
      // numbers and text to the left, but the values of the lanes
      text += aligned(header, rows);
      rows.clear();
    };
    const TracedInstruction* before = nullptr;
    for (std::int64_t i = first; i < last; ++i) {
      const TracedInstruction& now = trace_.instructions[static_cast<std::size_t>(i)];
      if (before == nullptr || before->phase != now.phase || before->task != now.task) {
        flush();
        const TracedPhase& phase = trace_.phases[static_cast<std::size_t>(now.phase)];
        text += fmt::format("\nphase {} {}, task {} of {}{}\n", now.phase, phase.kernel, now.task,
                            phase.tasks, multiprocessor(phase, now.task));
      }
      rows.push_back(row(i, now));
      before = &now;
    }
    flush();
    return text;
  }

 private:
  static std::string multiprocessor(const TracedPhase& phase, std::int64_t task) {
    if (phase.multiprocessors.empty()) return "";
    return fmt::format(" on multiprocessor {}",
                       phase.multiprocessors[static_cast<std::size_t>(task)]);
  }

  std::vector<std::string> row(std::int64_t number, const TracedInstruction& now) {
    const SourcePlace& place = trace_.places[static_cast<std::size_t>(now.place)];
    std::vector<std::string> cells = {std::to_string(number), detail::instruction_text(trace_, now),
                                      place_text(place.file, place.line)};
    std::istringstream values(now.values);
    std::size_t active = 0;
    for (const char digit : now.mask) {
      std::string cell = digit == '1' ? "" : ".";
      if (std::string value; digit == '1' && values >> value) {
        if (now.array >= 0) cell = fmt::format("[{}]", now.elements[active]);
        cell += value;
      }
      if (digit == '1') ++active;
      cells.push_back(cell);
    }
    cells.push_back(detail::cost_text(trace_, now));
    cells.push_back(sources_.line(place.file, place.line));
    return cells;
  }

  /// A table whose last column, the source, is to the left as the first ones.
  static std::string aligned(const std::vector<std::string>& header,
                             const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::vector<std::string>> cells = rows;
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.back().size());
    for (auto& row : cells) row.back().resize(width, ' ');
    return detail::text_table(header, cells, 3);
  }

  const StepTrace& trace_;
  SourceText sources_;
};

/// What each processor does in a step.
std::string pram_step(const PramTrace& trace, const PramStepTrace& step, std::int64_t number,
                      SourceText& sources) {
  std::string text =
      fmt::format("\nstep {} {}, {} processors, at {}: {}\n", number, step.name, step.processors,
                  place_text(step.where.file_name(), step.where.line()),
                  sources.line(step.where.file_name(), step.where.line()));
  std::map<std::int64_t, std::string> acts;
  for (const PramAccessRecord& read : step.reads) {
    acts[read.processor] +=
        fmt::format("  read {} = {}", detail::cell_name(trace, read.cell), read.value);
  }
  for (const PramAccessRecord& write : step.writes) {
    acts[write.processor] += fmt::format("  {} {} {}", detail::cell_name(trace, write.cell),
                                         write.accumulate ? "+=" : "<-", write.value);
  }
  for (const std::int64_t processor : step.computing) acts[processor] += "  computes";
  for (const auto& [processor, act] : acts) text += fmt::format("  P{}:{}\n", processor, act);
  return text;
}

/// The arrays after a step; <what it accesses>.
std::string memory_text(const SteppedRun& run, std::int64_t step) {
  std::string text = fmt::format("\nafter step {}:\n", step);
  for (const StepArray& array : state_after(run, step).arrays) {
    std::vector<std::vector<std::string>> rows;
    for (const std::vector<StepCell>& cells : array.rows) {
      rows.emplace_back();
      for (const StepCell& cell : cells) {
        rows.back().push_back(cell.who.empty() ? cell.value : '<' + cell.value + '>');
      }
    }
    text += fmt::format("\n{}\n{}", array.title, detail::text_table(array.header, rows, 1));
  }
  return text;
}

}  // namespace

std::int64_t recorded_step(const SteppedRun& run, std::int64_t number) {
  const std::size_t count = run.agpu ? run.agpu->instructions.size()
                                     : run.pram->steps.size() + (run.pram->broken ? 1 : 0);
  if (count == 0) throw UsageError("no step is recorded: see --phase, --task, --accesses");
  const std::int64_t first = run.pram ? 1 : 0;
  return std::clamp(number, first, first + static_cast<std::int64_t>(count) - 1);
}

std::string step_text(const SteppedRun& run, std::optional<std::int64_t> at) {
  std::string text = fmt::format("{}\n{}\n", run.title, run.machine);
  const auto count =
      static_cast<std::int64_t>(run.agpu ? run.agpu->instructions.size() : run.pram->steps.size());
  const bool shows = at && count > 0;  // the memory
  const std::int64_t chosen = shows ? recorded_step(run, *at) : 0;
  const std::int64_t index = chosen - (run.pram ? 1 : 0);
  const std::int64_t first = shows ? std::max<std::int64_t>(0, index - around) : 0;
  const std::int64_t last = shows ? std::min(count, index + around + 1) : count;
  if (run.agpu) {
    AgpuText steps(*run.agpu);
    text += steps.steps(first, last);
    if (shows) text += memory_text(run, chosen);
    if (const std::string note = left_out(run); !note.empty()) text += '\n' + note + '\n';
  } else {
    SourceText sources;
    std::vector<std::int64_t> memory = run.pram->initial;
    const auto effective = detail::effective_writes(*run.pram);
    for (std::int64_t i = 0; i < last; ++i) {
      const auto number = static_cast<std::size_t>(i);
      const PramStepTrace& step = run.pram->steps[number];
      const auto writes = detail::apply_step(*run.pram, step, effective[number], memory);
      if (i < first) continue;
      text += pram_step(*run.pram, step, i + 1, sources);
      for (const std::string& said : writes) text += fmt::format("  {}\n", said);
      if (shows && i == index) text += memory_text(run, chosen);
    }
    if (run.pram->broken && last == count) {
      text += pram_step(*run.pram, *run.pram->broken, count + 1, sources);
    }
  }
  if (!run.violation.empty()) {
    std::string where;
    if (run.agpu) {
      where = run.agpu->seen > count ? ", after what is recorded"
                                     : fmt::format(", after step {}", count - 1);
    }
    text += fmt::format("\nRULE VIOLATION{}: {}\n", where, run.violation);
  }
  return text;
}

std::string left_out(const SteppedRun& run) {
  if (!run.agpu) return "";
  const auto count = static_cast<std::int64_t>(run.agpu->instructions.size());
  if (run.agpu->seen == count) return "";
  return fmt::format("{} of {} instructions are recorded (--limit, --phase, --task, --accesses)",
                     detail::integer_text(count), detail::integer_text(run.agpu->seen));
}

}  // namespace agpusim
