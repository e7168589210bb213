#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/steps/state.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t around = 4;       // steps printed before and after the one asked for
constexpr std::size_t line_width = 120;  // characters of a line of a table that is cut
constexpr int whole_lanes = 8;           // as the textbook machine has: printed whole

using Cells = std::vector<std::string>;

/// A part of a table's columns.
struct Window {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t all = 0;

  [[nodiscard]] std::string text(const char* columns) const {
    return end - first == all ? ""
                              : fmt::format(", {} {} to {} of {}", columns, first, end - 1, all);
  }
};

/// Cuts all but the first `left` and the last `right` columns down to what a line holds: from the
/// wanted one to the right, and at the last one to the left too.
Window fit(std::vector<Cells>& table, std::size_t left, std::size_t right, std::size_t wanted) {
  constexpr std::size_t gap = 2;
  std::vector<std::size_t> widths(table[0].size());
  for (const Cells& row : table) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  Window window{wanted, wanted + 1, widths.size() - left - right};
  std::size_t used = widths[left + wanted];
  for (std::size_t c = 0; c < widths.size(); ++c) {
    if (c < left || c >= left + window.all) used += gap + widths[c];
  }
  const auto take = [&](std::size_t column) {
    used += gap + widths[left + column];
    return used <= line_width;
  };
  while (window.end < window.all && take(window.end)) ++window.end;
  while (window.end == window.all && window.first > 0 && take(window.first - 1)) --window.first;
  for (Cells& row : table) {
    const auto lanes = row.begin() + static_cast<std::ptrdiff_t>(left);
    row.erase(lanes + static_cast<std::ptrdiff_t>(window.end),
              row.end() - static_cast<std::ptrdiff_t>(right));
    row.erase(lanes, lanes + static_cast<std::ptrdiff_t>(window.first));
  }
  return window;
}

/// Text of a recorded AGPU run.
class AgpuText {
 public:
  /// `lane`: of which to begin with where not all fit.
  AgpuText(const StepTrace& trace, std::int32_t lane) : trace_(trace), lane_(lane) {}

  std::string steps(std::int64_t first, std::int64_t last) {
    std::string text;
    std::vector<Cells> rows;
    std::string title;
    const auto flush = [&] {
      if (rows.empty()) return;
      text += table(title, std::move(rows));
      rows.clear();
    };
    const TracedInstruction* before = nullptr;
    for (std::int64_t i = first; i < last; ++i) {
      const TracedInstruction& now = trace_.instructions[static_cast<std::size_t>(i)];
      if (before == nullptr || before->phase != now.phase || before->task != now.task) {
        flush();
        const TracedPhase& phase = trace_.phases[static_cast<std::size_t>(now.phase)];
        title = fmt::format("\nphase {} {}, task {} of {}{}", now.phase, phase.kernel, now.task,
                            phase.tasks, multiprocessor(phase, now.task));
      }
      rows.push_back(row(i, now));
      before = &now;
    }
    flush();
    return text;
  }

  /// Whether lanes were left out.
  [[nodiscard]] bool is_part() const { return is_part_; }

 private:
  static std::string multiprocessor(const TracedPhase& phase, std::int64_t task) {
    if (phase.multiprocessors.empty()) return "";
    return fmt::format(" on multiprocessor {}",
                       phase.multiprocessors[static_cast<std::size_t>(task)]);
  }

  Cells row(std::int64_t number, const TracedInstruction& now) {
    const SourcePlace& place = trace_.places[static_cast<std::size_t>(now.place)];
    Cells cells = {std::to_string(number), detail::instruction_text(trace_, now),
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

  std::string table(const std::string& title, std::vector<Cells> rows) {
    Cells header = {"step", "instruction", "line"};
    for (std::int32_t lane = 0; lane < trace_.spec.width; ++lane) {
      header.push_back(std::to_string(lane));
    }
    header.insert(header.end(), {"cost", ""});
    if (trace_.spec.width > whole_lanes) return under_lines(title, header, std::move(rows));
    // numbers and text to the left, but the values of the lanes; the source, too, is to the left
    std::size_t width = 0;
    for (const Cells& row : rows) width = std::max(width, row.back().size());
    for (Cells& row : rows) row.back().resize(width, ' ');
    return title + '\n' + detail::text_table(header, rows, 3);
  }

  /// The instructions below their source lines, for more lanes.
  std::string under_lines(const std::string& title, const Cells& header, std::vector<Cells> rows) {
    std::vector<std::string> lines = {""};
    rows.insert(rows.begin(), header);
    for (Cells& row : rows) {
      lines.push_back(fmt::format("{:.{}}", row[2] + "  " + row.back(), line_width));
      row.pop_back();
      row.erase(row.begin() + 2);
    }
    const Window lanes = fit(rows, 2, 1, static_cast<std::size_t>(lane_));
    is_part_ = is_part_ || lanes.end - lanes.first < lanes.all;
    const Cells shown = rows[0];
    rows.erase(rows.begin());
    std::istringstream table(detail::text_table(shown, rows, 2));
    std::string text = title + lanes.text("lanes") + '\n';
    std::string line;
    for (std::size_t i = 0; std::getline(table, line); ++i) {
      if (i > 0 && lines[i + 1] != lines[i]) text += lines[i + 1] + '\n';
      text += line + '\n';
    }
    return text;
  }

  const StepTrace& trace_;
  std::int32_t lane_;
  bool is_part_ = false;
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
    std::vector<Cells> rows = {array.header};
    std::size_t accessed = array.header.size();
    for (const std::vector<StepCell>& cells : array.rows) {
      rows.emplace_back();
      for (const StepCell& cell : cells) {
        rows.back().push_back(cell.who.empty() ? cell.value : '<' + cell.value + '>');
        if (!cell.who.empty()) accessed = std::min(accessed, rows.back().size() - 2);
      }
    }
    Window columns;
    if (run.agpu && array.header.size() > std::size_t{whole_lanes} + 1) {
      columns = fit(rows, 1, 0, accessed < array.header.size() ? accessed : 0);
    }
    const Cells header = rows[0];
    rows.erase(rows.begin());
    text += fmt::format("\n{}{}\n{}", array.title, columns.text("columns"),
                        detail::text_table(header, rows, 1));
  }
  return text;
}

}  // namespace

std::int64_t recorded_step(const SteppedRun& run, std::int64_t number) {
  const std::size_t count = run.agpu ? run.agpu->instructions.size()
                                     : run.pram->steps.size() + (run.pram->broken ? 1 : 0);
  if (count == 0) throw UsageError("no step is recorded: see --phase, --task, --accesses");
  const std::int64_t first = run.pram ? 1 : 0;
  const std::int64_t last = first + static_cast<std::int64_t>(count) - 1;
  if (number > last) {
    throw UsageError(fmt::format("--at {}: {} has {} steps{}, {} to {}", number, run.title, count,
                                 left_out(run).empty() ? "" : " recorded", first, last));
  }
  return std::max(number, first);
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
    const auto& at_index = run.agpu->instructions;
    AgpuText steps(
        *run.agpu,
        shows ? detail::lane_of_interest(*run.agpu, at_index[static_cast<std::size_t>(index)]) : 0);
    const std::string table = steps.steps(first, last);
    if (steps.is_part()) {
      text +=
          "Not all lanes fit: --at STEP shows the first that take part, or meet in a bank; "
          "--html and --csv have all.\n";
    }
    text += table;
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
  return fmt::format("{} of {} instructions are recorded ({})", detail::integer_text(count),
                     detail::integer_text(run.agpu->seen), run.limits);
}

}  // namespace agpusim
