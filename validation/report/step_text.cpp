#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/model/pram/detail/replay_step.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/report/step_report.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t around = 4;  // steps printed before and after the one asked for

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

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

  /// The global arrays in blocks and the shared ones of the task in banks, after step `at`.
  std::string memory(std::int64_t at) {
    std::map<std::int32_t, std::map<std::int64_t, std::string>> content;
    for (std::size_t a = 0; a < trace_.arrays.size(); ++a) {
      const TracedArray& array = trace_.arrays[a];
      for (std::size_t i = 0; i < array.initial.size(); ++i) {
        content[static_cast<std::int32_t>(a)][static_cast<std::int64_t>(i)] = array.initial[i];
      }
    }
    const TracedInstruction* before = nullptr;
    for (std::int64_t i = 0; i <= at; ++i) {
      const TracedInstruction& now = trace_.instructions[static_cast<std::size_t>(i)];
      if (before != nullptr && (before->task != now.task || before->phase != now.phase)) {
        for (auto& [array, cells] : content) {
          if (trace_.arrays[static_cast<std::size_t>(array)].shared) cells.clear();
        }
      }
      before = &now;
      if (now.array < 0) continue;
      const std::vector<std::string> values =
          words_of(now.kind == InstructionKind::atomic ? now.after : now.values);
      for (std::size_t k = now.elements.size(); k-- > 0;) {  // the lowest lane wins
        content[now.array][now.elements[k]] = values[k];
      }
    }
    std::string text;
    for (const auto& [number, cells] : content) {
      if (!cells.empty()) text += array_text(number, cells, *before);
    }
    return text;
  }

 private:
  static std::string multiprocessor(const TracedPhase& phase, std::int64_t task) {
    if (phase.multiprocessors.empty()) return "";
    return fmt::format(" on multiprocessor {}",
                       phase.multiprocessors[static_cast<std::size_t>(task)]);
  }

  std::vector<std::string> row(std::int64_t number, const TracedInstruction& now) {
    static const char* const kinds[] = {"arithmetic", "read", "write", "atomic", "control", "sync"};
    const SourcePlace& place = trace_.places[static_cast<std::size_t>(now.place)];
    std::string what = kinds[static_cast<int>(now.kind)];
    if (now.array >= 0) {
      what += ' ' + trace_.arrays[static_cast<std::size_t>(now.array)].name;
    }
    std::vector<std::string> cells = {std::to_string(number), what,
                                      place_text(place.file, place.line)};
    const std::vector<std::string> values = words_of(now.values);
    std::size_t active = 0;
    for (const char digit : now.mask) {
      std::string cell = digit == '1' ? "" : ".";
      if (digit == '1' && active < values.size()) {
        if (now.array >= 0) cell = fmt::format("[{}]", now.elements[active]);
        cell += values[active];
      }
      if (digit == '1') ++active;
      cells.push_back(cell);
    }
    cells.push_back(cost(now));
    cells.push_back(sources_.line(place.file, place.line));
    return cells;
  }

  [[nodiscard]] std::string cost(const TracedInstruction& now) const {
    const Counts& cost = now.cost;
    std::string text;
    if (now.array < 0) {
      text = cost.time() == 0 ? "free" : fmt::format("{} T", cost.time());
    } else if (trace_.arrays[static_cast<std::size_t>(now.array)].shared) {
      text = fmt::format("{} T", cost.wavefronts());
      if (cost.conflicts() > 0) text += fmt::format(", {} CONFLICTS", cost.conflicts());
    } else {
      text = fmt::format("{} T, Q {}", cost.time(), cost.io());
      if (cost.io() > least_blocks(now)) {
        text += fmt::format(", NOT COALESCED: {} would do", least_blocks(now));
      }
      if (cost.serialised > 0) text += fmt::format(", {} SERIALISED", cost.serialised);
    }
    if (cost.rounds > 0) text += ", waits";
    return text;
  }

  /// Blocks that as many neighbouring elements take.
  [[nodiscard]] std::int64_t least_blocks(const TracedInstruction& now) const {
    const std::int32_t words = trace_.arrays[static_cast<std::size_t>(now.array)].words;
    const std::int32_t b = trace_.spec.block_words;
    std::int64_t blocks = 0;
    std::size_t active = 0;
    for (std::int32_t begin = 0; begin < trace_.spec.width; begin += b) {
      std::vector<std::int64_t> elements;
      for (std::int32_t lane = begin; lane < begin + b; ++lane) {
        if (now.mask[static_cast<std::size_t>(lane)] == '1') {
          elements.push_back(now.elements[active++]);
        }
      }
      std::sort(elements.begin(), elements.end());
      const auto distinct = std::unique(elements.begin(), elements.end()) - elements.begin();
      blocks += (distinct * words + b - 1) / b;
    }
    return blocks;
  }

  std::string array_text(std::int32_t number, const std::map<std::int64_t, std::string>& cells,
                         const TracedInstruction& now) {
    const TracedArray& array = trace_.arrays[static_cast<std::size_t>(number)];
    const std::int64_t per = std::max(1, trace_.spec.block_words / array.words);
    const std::int64_t offset =
        array.shared ? array.first % trace_.spec.block_words / array.words : 0;
    std::vector<std::string> header = {array.shared ? "bank" : "block"};
    for (std::int64_t c = 0; c < per; ++c) {
      header.push_back(std::to_string(array.shared ? c * array.words : c));
    }
    std::map<std::int64_t, std::vector<std::string>> rows;
    for (const auto& [element, value] : cells) {
      const std::int64_t row = (element + offset) / per;
      auto& row_cells = rows.try_emplace(row, static_cast<std::size_t>(per) + 1).first->second;
      row_cells[0] = std::to_string(row);
      const bool touched =
          now.array == number &&
          std::find(now.elements.begin(), now.elements.end(), element) != now.elements.end();
      row_cells[static_cast<std::size_t>((element + offset) % per + 1)] =
          touched ? '<' + value + '>' : value;
    }
    std::vector<std::vector<std::string>> table;
    for (auto& [row, row_cells] : rows) table.push_back(std::move(row_cells));
    return fmt::format("\n{} memory {}, {} elements\n{}", array.shared ? "shared" : "global",
                       array.name, array.size, detail::text_table(header, table, 1));
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

std::string cell_name(const PramTrace& trace, std::int64_t cell) {
  for (const PramTraceArray& array : trace.arrays) {
    if (cell >= array.first && cell < array.first + array.size) {
      return fmt::format("{}[{}]", array.name, cell - array.first);
    }
  }
  return std::to_string(cell);
}

/// What each processor does in a step, then the cells with several writers.
std::string pram_step(const PramTrace& trace, std::size_t number,
                      const std::vector<PramAccessRecord>& effective,
                      std::vector<std::int64_t>& memory, SourceText& sources) {
  const PramStepTrace& step = trace.steps[number];
  std::string text =
      fmt::format("\nstep {} {}, {} processors, at {}: {}\n", number + 1, step.name,
                  step.processors, place_text(step.where.file_name(), step.where.line()),
                  sources.line(step.where.file_name(), step.where.line()));
  std::map<std::int64_t, std::string> acts;
  for (const PramAccessRecord& read : step.reads) {
    acts[read.processor] += fmt::format("  read {} = {}", cell_name(trace, read.cell), read.value);
  }
  for (const PramAccessRecord& write : step.writes) {
    acts[write.processor] += fmt::format("  {} {} {}", cell_name(trace, write.cell),
                                         write.accumulate ? "+=" : "<-", write.value);
  }
  for (const std::int64_t processor : step.computing) acts[processor] += "  computes";
  for (const auto& [processor, act] : acts) text += fmt::format("  P{}:{}\n", processor, act);
  std::map<std::int64_t, int> writers;
  for (const PramAccessRecord& write : step.writes) ++writers[write.cell];
  PramSpec spec = trace.spec;
  spec.sum = SumReading::values;  // effective writes of counted writers have the value 1
  const std::vector<PramAccessRecord> sorted = detail::by_cell(effective);
  detail::for_each_cell(sorted, [&](std::span<const PramAccessRecord> of_cell) {
    const std::int64_t cell = of_cell[0].cell;
    std::int64_t& content = memory[static_cast<std::size_t>(cell)];
    content = detail::written(spec, of_cell, content);
    if (writers[cell] > 1) {
      text += fmt::format("  {} WRITERS of {}: it receives {} ({})\n", writers[cell],
                          cell_name(trace, cell), content, to_string(spec.access));
    }
  });
  return text;
}

std::string pram_memory(const PramTrace& trace, const std::vector<std::int64_t>& memory) {
  std::string text;
  for (const PramTraceArray& array : trace.arrays) {
    text += fmt::format("\n{}:", array.name);
    for (std::int64_t i = 0; i < array.size; ++i) {
      text += fmt::format(" {}", memory[static_cast<std::size_t>(array.first + i)]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string step_text(const SteppedRun& run, std::optional<std::int64_t> at) {
  std::string text = fmt::format("{}\n{}\n", run.title, run.machine);
  const auto count =
      static_cast<std::int64_t>(run.agpu ? run.agpu->instructions.size() : run.pram->steps.size());
  const std::int64_t chosen = std::clamp<std::int64_t>(at.value_or(0) - (run.pram ? 1 : 0), 0,
                                                       std::max<std::int64_t>(0, count - 1));
  const std::int64_t first = at ? std::max<std::int64_t>(0, chosen - around) : 0;
  const std::int64_t last = at ? std::min(count, chosen + around + 1) : count;
  if (run.agpu) {
    AgpuText steps(*run.agpu);
    text += steps.steps(first, last);
    if (at && count > 0) text += fmt::format("\nafter step {}:\n{}", chosen, steps.memory(chosen));
    if (run.agpu->seen > count) {
      text += fmt::format(
          "\n{} of {} instructions are recorded (--limit, --phase, --task, --accesses)\n",
          detail::integer_text(count), detail::integer_text(run.agpu->seen));
    }
  } else {
    SourceText sources;
    std::vector<std::int64_t> memory = run.pram->initial;
    const auto effective = detail::effective_writes(*run.pram);
    for (std::int64_t i = 0; i < (at ? last : count); ++i) {
      const auto number = static_cast<std::size_t>(i);
      const std::string step = pram_step(*run.pram, number, effective[number], memory, sources);
      if (i >= first) text += step;
      if (at && i == chosen)
        text += fmt::format("\nafter step {}:\n{}", i + 1, pram_memory(*run.pram, memory));
    }
  }
  if (!run.violation.empty()) text += fmt::format("\nRULE VIOLATION: {}\n", run.violation);
  return text;
}

}  // namespace agpusim
