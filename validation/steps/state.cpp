#include "agpusim/validation/steps/state.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/model/pram/detail/replay_step.hpp"

namespace agpusim {
namespace {

using Access = StepCell::Access;

constexpr std::int64_t pram_row = 16;   // cells
constexpr std::size_t named = 3;        // names shown of those who access a cell
constexpr std::size_t whole_rows = 16;  // rows of an array that is shown whole
constexpr std::size_t most_rows = 48;

const TracedArray& array_of(const StepTrace& trace, const TracedInstruction& now) {
  return trace.arrays[static_cast<std::size_t>(now.array)];
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// What the lanes of each warp access.
std::vector<std::vector<std::int64_t>> elements_of_warps(const StepTrace& trace,
                                                         const TracedInstruction& now) {
  std::vector<std::vector<std::int64_t>> warps(static_cast<std::size_t>(trace.spec.warps()));
  std::size_t active = 0;
  for (std::size_t lane = 0; lane < now.mask.size(); ++lane) {
    if (now.mask[lane] != '1') continue;
    warps[lane / static_cast<std::size_t>(trace.spec.block_words)].push_back(
        now.elements[active++]);
  }
  return warps;
}

/// Blocks that as many neighbouring elements take.
std::int64_t least_blocks(const StepTrace& trace, const TracedInstruction& now) {
  const std::int32_t b = trace.spec.block_words;
  std::int64_t blocks = 0;
  for (const std::vector<std::int64_t>& elements : elements_of_warps(trace, now)) {
    const std::set<std::int64_t> distinct(elements.begin(), elements.end());
    blocks += (static_cast<std::int64_t>(distinct.size()) * array_of(trace, now).words + b - 1) / b;
  }
  return blocks;
}

/// The banks of which each warp wants several words.
std::vector<std::set<std::int64_t>> crowded_banks(const StepTrace& trace,
                                                  const TracedInstruction& now) {
  const TracedArray& array = array_of(trace, now);
  std::vector<std::set<std::int64_t>> crowded;
  if (!array.shared || now.cost.conflicts() == 0) return crowded;
  for (const std::vector<std::int64_t>& elements : elements_of_warps(trace, now)) {
    crowded.emplace_back();
    std::map<std::int64_t, std::set<std::int64_t>> wanted;
    for (const std::int64_t element : elements) {
      const std::int64_t bank = (array.first + element * array.words) % trace.spec.block_words;
      const bool again = !wanted[bank].insert(element).second;
      if (wanted[bank].size() > 1 || (again && now.kind == InstructionKind::atomic)) {
        crowded.back().insert(bank);
      }
    }
  }
  return crowded;
}

/// Keeps of many rows the accessed ones with their neighbours, and the first.
void keep_near(std::map<std::int64_t, std::vector<StepCell>>& rows,
               const std::set<std::int64_t>& accessed) {
  if (rows.size() <= whole_rows) return;
  std::set<std::int64_t> near = {0, 1};
  for (const std::int64_t row : accessed) near.insert({row - 1, row, row + 1});
  std::erase_if(rows, [&](const auto& row) { return near.count(row.first) == 0; });
  while (rows.size() > most_rows) rows.erase(std::prev(rows.end()));
}

std::string names(const char* what, const std::vector<std::int64_t>& who) {
  std::string text = what;
  for (std::size_t i = 0; i < std::min(who.size(), named); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ",", who[i]);
  }
  return text + (who.size() > named ? ",..." : "");
}

using Content = std::map<std::int64_t, std::string>;

StepArray agpu_array(const StepTrace& trace, std::int32_t number, const Content& content,
                     const TracedInstruction& now) {
  const TracedArray& array = trace.arrays[static_cast<std::size_t>(number)];
  const std::int64_t per = std::max(1, trace.spec.block_words / array.words);
  const std::int64_t offset = array.shared ? array.first % trace.spec.block_words / array.words : 0;
  StepArray table;
  table.title = fmt::format("{} memory {}, {} elements", array.shared ? "shared" : "global",
                            array.name, array.size);
  table.header = {array.shared ? "bank" : "block"};
  for (std::int64_t c = 0; c < per; ++c) {
    table.header.push_back(std::to_string(array.shared ? c * array.words : c));
  }
  std::map<std::int64_t, std::vector<std::int64_t>> lanes;
  std::set<std::int64_t> crowded;
  if (now.array == number) {
    for (const auto& of_warp : crowded_banks(trace, now)) {
      crowded.insert(of_warp.begin(), of_warp.end());
    }
    std::size_t active = 0;
    for (std::size_t lane = 0; lane < now.mask.size(); ++lane) {
      if (now.mask[lane] == '1') {
        lanes[now.elements[active++]].push_back(static_cast<std::int64_t>(lane));
      }
    }
  }
  std::set<std::int64_t> accessed;
  std::map<std::int64_t, std::vector<StepCell>> rows;
  for (const auto& [element, value] : content) {
    const std::int64_t row = (element + offset) / per;
    const std::int64_t column = (element + offset) % per;
    auto& cells = rows.try_emplace(row, static_cast<std::size_t>(per) + 1).first->second;
    cells[0].value = std::to_string(row);
    StepCell& cell = cells[static_cast<std::size_t>(column + 1)];
    cell.value = value;
    const auto who = lanes.find(element);
    if (who == lanes.end()) continue;
    cell.who = names("lane ", who->second);
    accessed.insert(row);
    cell.access = crowded.count(column * array.words) != 0 ? Access::crowded
                  : now.kind == InstructionKind::read      ? Access::read
                                                           : Access::write;
  }
  const std::size_t all = rows.size();
  keep_near(rows, accessed);
  if (rows.size() < all) table.title += fmt::format("; {} of {} rows", rows.size(), all);
  for (auto& [row, cells] : rows) table.rows.push_back(std::move(cells));
  return table;
}

StepState agpu_state(const StepTrace& trace, std::int64_t step) {
  std::map<std::int32_t, Content> content;
  for (std::size_t a = 0; a < trace.arrays.size(); ++a) {
    const std::vector<std::string>& initial = trace.arrays[a].initial;
    for (std::size_t i = 0; i < initial.size(); ++i) {
      content[static_cast<std::int32_t>(a)][static_cast<std::int64_t>(i)] = initial[i];
    }
  }
  const TracedInstruction* before = nullptr;
  for (std::int64_t i = 0; i <= step; ++i) {
    const TracedInstruction& now = trace.instructions[static_cast<std::size_t>(i)];
    if (before != nullptr && (before->task != now.task || before->phase != now.phase)) {
      for (auto& [array, cells] : content) {
        if (trace.arrays[static_cast<std::size_t>(array)].shared) cells.clear();
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
  StepState state;
  const std::string cost = detail::cost_text(trace, *before);
  const bool bad = std::any_of(cost.begin(), cost.end(),
                               [](char c) { return c != 'T' && c != 'Q' && c >= 'A' && c <= 'Z'; });
  state.remarks = {
      {fmt::format("step {}: {}", step, detail::instruction_text(trace, *before)), false},
      {cost, bad}};
  for (const auto& [number, cells] : content) {
    if (!cells.empty()) state.arrays.push_back(agpu_array(trace, number, cells, *before));
  }
  return state;
}

StepState pram_state(const PramTrace& trace, std::int64_t number) {
  const auto effective = detail::effective_writes(trace);
  std::vector<std::int64_t> memory = trace.initial;
  std::vector<bool> written = trace.initially_written;
  StepState state;
  const PramStepTrace* step = nullptr;
  for (std::size_t i = 0; i < static_cast<std::size_t>(number); ++i) {
    if (i == trace.steps.size()) {
      step = &*trace.broken;
      state.remarks = {{fmt::format("step {}: {}", number, step->name), false},
                       {"RULE VIOLATION: nothing is written", true}};
      break;
    }
    step = &trace.steps[i];
    state.remarks = {{fmt::format("step {}: {}", number, step->name), false}};
    for (std::string& text : detail::apply_step(trace, *step, effective[i], memory)) {
      state.remarks.push_back({std::move(text), true});
    }
    for (const PramAccessRecord& write : step->writes) {
      written[static_cast<std::size_t>(write.cell)] = true;
    }
  }
  std::map<std::int64_t, std::vector<std::int64_t>> readers;
  std::map<std::int64_t, std::vector<std::int64_t>> writers;
  if (step != nullptr) {
    for (const PramAccessRecord& read : step->reads) readers[read.cell].push_back(read.processor);
    for (const PramAccessRecord& w : step->writes) writers[w.cell].push_back(w.processor);
  }
  for (const PramTraceArray& array : trace.arrays) {
    StepArray table;
    table.title = fmt::format("{}, {} cell{}", array.name, array.size, array.size == 1 ? "" : "s");
    table.header = {""};
    for (std::int64_t c = 0; c < std::min(array.size, pram_row); ++c) {
      table.header.push_back(std::to_string(c));
    }
    for (std::int64_t i = 0; i < array.size; ++i) {
      if (i % pram_row == 0) {
        table.rows.emplace_back(table.header.size());
        table.rows.back()[0].value = std::to_string(i);
      }
      const std::int64_t at = array.first + i;
      StepCell& cell = table.rows.back()[static_cast<std::size_t>(i % pram_row + 1)];
      if (written[static_cast<std::size_t>(at)]) {
        cell.value = std::to_string(memory[static_cast<std::size_t>(at)]);
      }
      const auto read = readers.find(at);
      const auto write = writers.find(at);
      if (read != readers.end()) {
        cell.who = names("read by P", read->second);
        cell.access = Access::read;
      }
      if (write != writers.end()) {
        cell.who += (cell.who.empty() ? "" : ", ") + names("written by P", write->second);
        cell.access = write->second.size() > 1 ? Access::crowded : Access::write;
      }
    }
    state.arrays.push_back(std::move(table));
  }
  return state;
}

}  // namespace

namespace detail {

std::string instruction_text(const StepTrace& trace, const TracedInstruction& now) {
  static const char* const kinds[] = {"arithmetic", "read", "write", "atomic", "control", "sync"};
  const std::string kind = kinds[static_cast<int>(now.kind)];
  return now.array < 0 ? kind : kind + ' ' + array_of(trace, now).name;
}

std::string cost_text(const StepTrace& trace, const TracedInstruction& now) {
  const Counts& cost = now.cost;
  std::string text;
  if (now.array < 0) {
    text = cost.time() == 0 ? "free" : fmt::format("{} T", cost.time());
  } else if (array_of(trace, now).shared) {
    text = fmt::format("{} T", cost.wavefronts());
    if (cost.conflicts() > 0) text += fmt::format(", {} CONFLICTS", cost.conflicts());
  } else {
    text = fmt::format("{} T, Q {}", cost.time(), cost.io());
    const std::int64_t least = least_blocks(trace, now);
    if (cost.io() > least) text += fmt::format(", NOT COALESCED: {} would do", least);
    if (cost.serialised > 0) text += fmt::format(", {} SERIALISED", cost.serialised);
  }
  return text + (cost.rounds > 0 ? ", waits" : "");
}

std::int32_t lane_of_interest(const StepTrace& trace, const TracedInstruction& now) {
  std::size_t warp = 0;
  if (now.array >= 0) {
    const auto crowded = crowded_banks(trace, now);
    while (warp < crowded.size() && crowded[warp].empty()) ++warp;
    if (warp == crowded.size()) warp = 0;
  }
  const std::size_t lane =
      now.mask.find('1', warp * static_cast<std::size_t>(trace.spec.block_words));
  return lane == std::string::npos ? 0 : static_cast<std::int32_t>(lane);
}

std::vector<std::string> apply_step(const PramTrace& trace, const PramStepTrace& step,
                                    const std::vector<PramAccessRecord>& effective,
                                    std::vector<std::int64_t>& memory) {
  std::map<std::int64_t, int> writers;
  for (const PramAccessRecord& write : step.writes) ++writers[write.cell];
  PramSpec spec = trace.spec;
  spec.sum = SumReading::values;  // effective writes of counted writers have the value 1
  std::vector<std::string> said;
  const std::vector<PramAccessRecord> sorted = by_cell(effective);
  for_each_cell(sorted, [&](std::span<const PramAccessRecord> of_cell) {
    const std::int64_t cell = of_cell[0].cell;
    std::int64_t& content = memory[static_cast<std::size_t>(cell)];
    content = written(spec, of_cell, content);
    if (writers[cell] > 1) {
      said.push_back(fmt::format("{} WRITERS of {}: it receives {} ({})", writers[cell],
                                 cell_name(trace, cell), content, to_string(spec.access)));
    }
  });
  return said;
}

std::string cell_name(const PramTrace& trace, std::int64_t cell) {
  for (const PramTraceArray& array : trace.arrays) {
    if (cell >= array.first && cell < array.first + array.size) {
      return fmt::format("{}[{}]", array.name, cell - array.first);
    }
  }
  return std::to_string(cell);
}

}  // namespace detail

StepState state_after(const SteppedRun& run, std::int64_t step) {
  return run.agpu ? agpu_state(*run.agpu, step) : pram_state(*run.pram, step);
}

}  // namespace agpusim
